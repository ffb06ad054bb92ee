"""The raw files of a run beside its pages, so that whoever has the site can analyse all of it again."""

from __future__ import annotations

from pathlib import Path

from corobench import store
from corobench.report.collect import Entry
from corobench.report.drawing import File
from corobench.report.writing import write

FILES = [File(title="Run (JSON)", href="run.json"), File(title="Raw log (JSON lines, Zstandard)", href=store.PACKED)]


def ship(entry: Entry, out: Path) -> None:
    """Header and packed log."""
    folder = out / entry.place
    write(folder / "run.json", (entry.folder / "run.json").read_bytes())
    write(folder / store.PACKED, store.packed(entry.folder))
