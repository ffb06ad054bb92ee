"""notes.html: every note in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corobench.report.collect import Entry
from corobench.report.pages.run import runtime_href
from corobench.report.templating import render
from corobench.report.writing import write


def write_notes(entries: list[Entry], out: Path) -> Path:
    """notes.html: what to know of every runtime, and the warnings of every run."""
    runtimes: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if not runtimes.keys() >= set(entry.card.runtimes):
            for r in entry.summary.runtimes:
                runtimes.setdefault(r.name, {"name": r.name, "notes": r.notes, "href": runtime_href(r.name)})
    warned = [(entry, entry.card.warnings) for entry in entries if entry.card.warnings]
    return write(
        out / "notes.html", render("notes.html.j2", depth=0, here="notes.html", runtimes=list(runtimes.values()), warned=warned)
    )
