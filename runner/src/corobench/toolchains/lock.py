"""File locks that end with their holder, however it ends: one build of a language at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from corobench.errors import RunFailed
from corobench.execute.tool import halted


@contextmanager
def locked(path: Path, waiting: Callable[[str], None] | None = None) -> Iterator[None]:
    """Holds the lock. Where another process has it: waits after telling `waiting` who, or without it raises RunFailed."""
    with _open(path) as file:
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


def _open(path: Path) -> IO[str]:
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
