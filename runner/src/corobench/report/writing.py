"""Files of the site: whole or not at all, but not flushed to the disk one by one, since they can be made again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from corobench.errors import RunFailed

_RECORDED: ContextVar[set[Path] | None] = ContextVar("recorded", default=None)


@contextmanager
def recorded() -> Iterator[set[Path]]:
    """The files that are written inside, also those that held the same already."""
    files: set[Path] = set()
    token = _RECORDED.set(files)
    try:
        yield files
    finally:
        _RECORDED.reset(token)


def make_folder(path: Path) -> Path:
    """Makes a folder where it is missing. RunFailed where it can't be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFailed(f"{path}: cannot be made: {error.strerror}") from error
    return path


def sweep(folder: Path, kept: set[Path]) -> None:
    """Removes the other files of a folder, and folders that become empty by it: files of an older form would stay."""
    for path in sorted(folder.rglob("*"), reverse=True):  # what is in a folder before the folder
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in kept:
            path.unlink()


def write(path: Path, data: bytes) -> Path:
    """Replaces the file, its folder made where it is missing; one that holds the same already is left alone.

    Replacing a file makes ext4 flush it, which takes longer than comparing. RunFailed where it can't be written.
    """
    if (files := _RECORDED.get()) is not None:
        files.add(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
            return path
        make_folder(path.parent)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise RunFailed(f"{path}: cannot be written: {error.strerror}") from error
    return path
