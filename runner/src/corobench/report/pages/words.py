"""notes.html: every note in one place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from corobench.report.collect import Entry
from corobench.report.pages.run import runtime_href
from corobench.report.templating import render
from corobench.report.writing import write


def write_notes(entries: list[Entry], out: Path) -> Path:
    """notes.html: what to know of every runtime, and the warnings of every run."""
    runtimes: dict[str, list[str]] = {}
    for entry in entries:
        if not runtimes.keys() >= set(entry.card.runtimes):
            for r in entry.summary.runtimes:
                runtimes.setdefault(r.name, r.notes)
    warned = [(entry, entry.card.warnings) for entry in entries if entry.card.warnings]
    return write(out / "notes.html", render("notes.html.j2", depth=0, here="notes.html", groups=groups(runtimes), warned=warned))


class Group(NamedTuple):
    """Runtimes that are told of together: name and address of each, what holds for all, and what for one of them alone."""

    runtimes: list[tuple[str, str]]
    shared: list[str]
    own: list[tuple[str, list[str]]]


def groups(runtimes: dict[str, list[str]]) -> list[Group]:
    """Those that begin with one note are variants of one thing, and what they share is said once."""
    found: dict[str, list[str]] = {}
    for name, notes in runtimes.items():
        found.setdefault(notes[0] if notes else name, []).append(name)
    return [_group({name: runtimes[name] for name in names}) for names in found.values()]


def _group(runtimes: dict[str, list[str]]) -> Group:
    first = next(iter(runtimes.values()))
    shared = [note for note in first if all(note in notes for notes in runtimes.values())]
    own = [(name, [note for note in notes if note not in shared]) for name, notes in runtimes.items()]
    return Group([(name, runtime_href(name)) for name in runtimes], shared, [(name, notes) for name, notes in own if notes])
