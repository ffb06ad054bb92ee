"""A file that is only added to, a JSON line each: what a campaign and a box remember."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


def append(file: Path, line: msgspec.Struct) -> None:
    """After a line that a crash tore it begins a new one, so that nothing else is lost with it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab+") as journal:
        torn = False
        if journal.seek(0, os.SEEK_END):
            journal.seek(-1, os.SEEK_END)
            torn = journal.read(1) != b"\n"
        journal.write(b"\n" * torn + msgspec.json.encode(line) + b"\n")


def lines(file: Path, kind: type[T]) -> Iterator[T]:
    """In their order, without torn ones; none where there is no file."""
    for line in file.read_bytes().splitlines() if file.is_file() else []:
        with suppress(msgspec.DecodeError):
            yield msgspec.json.decode(line, type=kind)


def now() -> str:
    """The time as it is written down (ISO 8601, UTC, milliseconds)."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
