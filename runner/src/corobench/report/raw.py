"""The raw files of a run beside its pages, so that whoever has the site can analyse all of it again."""

from __future__ import annotations

import gzip
from pathlib import Path

from corobench.report.collect import Entry
from corobench.report.drawing import File
from corobench.report.writing import write

LARGEST = 2_000_000  # bytes of a compressed log in a site that is committed
FILES = [File(title="Run (JSON)", href="run.json"), File(title="Raw log (JSON lines, gzip)", href="log.jsonl.gz")]


def ship(entry: Entry, out: Path) -> None:
    """Header and compressed log; a log that stays larger than `LARGEST` is left where it is, and the data page says so.

    The same log gives the same bytes: neither time nor name stands in the file.
    """
    folder = out / entry.place
    write(folder / "run.json", (entry.folder / "run.json").read_bytes())
    packed = gzip.compress((entry.folder / "log.jsonl").read_bytes(), compresslevel=6, mtime=0)
    if len(packed) <= LARGEST:
        write(folder / "log.jsonl.gz", packed)
