"""Locks between processes: one run at a time on a box, one build at a time of a language."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from corobench.commands import halted
from corobench.errors import RunFailed

_RUN = "run"


def box_lock() -> Path:
    """The same file for every user and checkout of the box, whatever their TMPDIR is.

    A folder of the user's own would be safer to write to, and let two users measure side by side.
    """
    return Path(os.environ.get("COROBENCH_LOCK", "/tmp/corobench.lock"))  # noqa: S108  no secret, and locked, not trusted


@contextmanager
def only_run() -> Iterator[None]:
    """Holds the box's lock for a run. RunFailed, naming the holder, where a run or a build
    has it.
    """
    with _box_lock_held(fcntl.LOCK_EX, _RUN):
        yield


@contextmanager
def no_run(command: str) -> Iterator[None]:
    """Shares the box's lock with its like: several may build at once, and none beside a run.
    RunFailed where a run has it.
    """
    with _box_lock_held(fcntl.LOCK_SH, command):
        yield


@contextmanager
def _box_lock_held(kind: int, command: str) -> Iterator[None]:
    try:
        descriptor = _open_shared(box_lock())
    except OSError as error:
        raise RunFailed(f"{box_lock()}: cannot open the box's lock: {error.strerror}") from error
    try:
        told = os.fstat(descriptor)
        if not stat.S_ISREG(told.st_mode):
            raise RunFailed(f"{box_lock()}: the box's lock is no regular file; remove it")
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunFailed(
                _refusal(os.read(descriptor, 64).decode(errors="replace"), command)
            ) from None
        # Another user's file is not written to: the lock holds, only the name of its holder is
        # unknown.
        if told.st_uid == os.geteuid() and told.st_nlink == 1:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()} ({command})\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _refusal(holder: str, command: str) -> str:
    """`holder` is the file's text: `123 (build)`."""
    pid, _, rest = holder.strip().partition(" ")
    held_by = rest.strip("()") or _RUN
    what = (
        "another run"
        if command == held_by == _RUN
        else "a run"
        if held_by == _RUN
        else f"corobench {held_by}"
    )
    why = "" if command == _RUN else f", and corobench {command} would disturb it"
    return (
        f"{what} is in progress on this box (process {pid or 'unknown'}){why}; wait for "
        "it or end it"
    )


def _open_shared(file: Path) -> int:
    """Read-only for another user's file: that is enough to lock it, so ours can be read by all.

    Anybody may put a link, a pipe or a device in its place: none is followed or waited for.
    """
    careful = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | careful, 0o666)
    except PermissionError:
        return os.open(file, os.O_RDONLY | careful)
    told = os.fstat(descriptor)
    if stat.S_ISREG(told.st_mode) and told.st_uid == os.geteuid():
        os.fchmod(descriptor, 0o644)
    return descriptor


@contextmanager
def locked(path: Path, waiting: Callable[[str], None] | None = None) -> Iterator[None]:
    """Holds the lock. Where another process has it: waits after telling `waiting` who, or without
    it raises RunFailed.
    """
    with _open_lock(path) as file:
        if not _take(file):
            who = _who(file)
            if waiting is None:
                raise RunFailed(f"{path}: held by {who}")
            waiting(who)
            while not _take(file):
                if halted(0.2):
                    raise KeyboardInterrupt
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def holder(path: Path) -> str | None:
    """Who holds the lock ("process 123"), or None where nobody does. Creates nothing."""
    try:
        with path.open() as file:
            return None if _take(file) else _who(file)
    except OSError:
        return None


def _open_lock(path: Path) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a+")
    except OSError as error:
        raise RunFailed(f"{path}: cannot be written: {error.strerror}") from error


def _take(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _who(file: IO[str]) -> str:
    file.seek(0)
    return f"process {file.read().strip() or 'of unknown number'}"
