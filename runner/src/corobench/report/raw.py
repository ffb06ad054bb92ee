"""The raw files of a run beside its pages, so that whoever has the site can analyse all of it again."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from corobench.report.collect import Entry
from corobench.report.drawing import File
from corobench.report.writing import write

LARGEST = 10_000_000  # bytes of a log that comes along to a site that is committed; compressed a fifth of that
FILES = [File(title="Run (JSON)", href="run.json"), File(title="Raw log (JSON lines, gzip)", href="log.jsonl.gz")]


def ship(entry: Entry, out: Path) -> None:
    """Header and compressed log; a log larger than `LARGEST` is left where it is, and the data page says so.

    The same log gives the same bytes: neither time nor name stands in the file.
    """
    folder = out / entry.place
    write(folder / "run.json", (entry.folder / "run.json").read_bytes())
    log, packed = entry.folder / "log.jsonl", folder / "log.jsonl.gz"
    if log.stat().st_size <= LARGEST:
        write(packed, _packed(log.read_bytes(), packed))


def _packed(text: bytes, kept: Path) -> bytes:
    """The log compressed: as it lies there already if that holds the same, for to unpack takes a tenth of the time."""
    try:
        found = kept.read_bytes()
        if gzip.decompress(found) == text:
            return found
    except (OSError, EOFError, zlib.error):  # not there, or not whole
        pass
    return gzip.compress(text, compresslevel=6, mtime=0)
