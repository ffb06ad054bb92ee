"""One run at a time on a box: two would measure each other."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corobench.errors import RunFailed


def path() -> Path:
    """The same file for every user and checkout of the box."""
    return Path(os.environ.get("COROBENCH_LOCK", Path(tempfile.gettempdir()) / "corobench.lock"))


@contextmanager
def only_run() -> Iterator[None]:
    """Holds the box's lock; RunFailed, naming the holder, where another run has it."""
    try:
        descriptor = _open(path())
    except OSError as error:
        raise RunFailed(f"{path()}: cannot open the box's lock: {error.strerror}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 64).decode(errors="replace").strip() or "unknown"
            raise RunFailed(f"another run is in progress on this box (process {holder}); wait for it or end it") from None
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        except OSError:
            pass  # another user's file, opened for reading: the lock holds, only the name of its holder is unknown
        yield
    finally:
        os.close(descriptor)


def _open(file: Path) -> int:
    """Read-only for another user's file: that is enough to lock it."""
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except PermissionError:
        return os.open(file, os.O_RDONLY | os.O_CLOEXEC)
