"""Files of the site: whole or not at all, but not flushed to the disk one by one, since they can be made again."""

from __future__ import annotations

import os
from pathlib import Path

from corobench.errors import RunFailed


def write(path: Path, data: bytes) -> Path:
    """Replaces the file, its folder made where it is missing; one that holds the same already is left alone.

    Replacing a file makes ext4 flush it, which takes longer than comparing. RunFailed where it can't be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise RunFailed(f"{path}: cannot be written: {error.strerror}") from error
    return path
