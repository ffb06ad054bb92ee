"""Numbered notes: what a reader must know stands once on the page, and its number stands beside
every figure it is about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from corobench.report.text import joined
from corobench.statistics.flags import flag_words
from corobench.statistics.types import Cell, RunSummary

SHOWN = 12  # places of a note that are named; each cell's own entry has them all
_BRACKETED = re.compile(r"\(([^()]*)\)")


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """`places`: the first cases that it is about, with what differs between them, or what is to be
    known of some runtimes.

    `count` is the number of all of them.
    """

    number: int
    kind: str
    text: str
    places: list[str]
    count: int


class Notes(msgspec.Struct, frozen=True, kw_only=True):
    """The notes of one page, and the numbers that belong to a runtime or to a cell."""

    notes: list[Note]
    of_runtime: dict[str, list[int]]
    of_cell: dict[str, list[int]]


Key = tuple[str, str]
Said = dict[str, dict[str, list[str]]]
"""Case -> what is said of it -> the metrics of which that is said."""


def reason(cell: Cell) -> str:
    """Why a cell has no number, or one that isn't ranked."""
    return (
        cell.gap
        or "; ".join(cell.failures)
        or "; ".join(flag.text for flag in cell.flags if flag.level == "red")
    )


def number_notes(summary: RunSummary) -> Notes:
    """Notes in the order in which a reader meets them: what is to be known of runtimes, then those
    on cases.

    What several runtimes have in common stands once, and flags of one kind share a number: forty
    flags "wide interval" are one note with forty places.
    """
    shared = _shared(summary)
    runtimes: dict[Key, list[str]] = {
        ("runtime", joined(names)): texts for names, texts in shared.items()
    }
    said: dict[Key, Said] = {}
    cells: dict[str, list[Key]] = {}
    for cell in summary.cells:
        cells[cell.key] = []
        for key, text in _of_cell(cell):
            cells[cell.key].append(key)
            said.setdefault(key, {}).setdefault(_case(cell), {}).setdefault(text, []).append(
                cell.metric
            )
    places = runtimes | {key: list(_places(found)) for key, found in said.items()}
    numbers = {key: place for place, key in enumerate(places, 1)}
    of_runtime: dict[str, list[int]] = {}
    for names in shared:
        for name in names:
            of_runtime.setdefault(name, []).append(numbers["runtime", joined(names)])
    return Notes(
        notes=[_note(numbers[key], key, found) for key, found in places.items()],
        of_runtime=of_runtime,
        of_cell={name: sorted({numbers[key] for key in keys}) for name, keys in cells.items()},
    )


def noted(notes: Notes, cells: list[Cell]) -> list[tuple[Note, int]]:
    """The notes beside some cells, each with the number of these that it is about."""
    found = Counter(number for cell in cells for number in notes.of_cell.get(cell.key, []))
    return [(note, found[note.number]) for note in notes.notes if found[note.number]]


def _shared(summary: RunSummary) -> dict[tuple[str, ...], list[str]]:
    """Runtimes -> the notes that these have and no others, since the variants of a manifest share
    most of them.
    """
    having: dict[str, list[str]] = {}
    for runtime in summary.runtimes:
        for text in dict.fromkeys(runtime.notes):
            having.setdefault(text, []).append(runtime.name)
    found: dict[tuple[str, ...], list[str]] = {}
    for text, names in having.items():
        found.setdefault(tuple(names), []).append(text)
    return found


def _note(number: int, key: Key, places: list[str]) -> Note:
    kind, text = key
    shown = places if kind == "runtime" else places[:SHOWN]
    return Note(number=number, kind=kind, text=text, places=shown, count=len(places))


def _case(cell: Cell) -> str:
    return f"{cell.runtime}, {cell.workload} {cell.point}, {cell.track}"


def _places(said: Said) -> Iterable[str]:
    """A line a case; where more than one thing is said of it, each with the metrics of which it is
    said.
    """
    for case, texts in said.items():
        named = [
            f"{text} ({', '.join(metrics)})" if len(texts) > 1 else text
            for text, metrics in texts.items()
        ]
        yield f"{case}: {'; '.join(named)}" if any(texts) else case


def _of_cell(cell: Cell) -> list[tuple[Key, str]]:
    """The notes of a cell, each with what is said of this cell beyond its title."""
    found: list[tuple[Key, str]] = [(("note", text), "") for text in cell.notes]
    for flag in cell.flags:
        words = flag_words(flag)
        found.append(((flag.level, words), _beyond(words, flag.text)))
    found += [(("failed", text), "") for text in cell.failures]
    if cell.gap:
        found.append((("gap", cell.gap), ""))
    return found


def _beyond(words: str, text: str) -> str:
    """What a flag says beyond the words that are its title already."""
    rest = text.removeprefix(words).removeprefix(": ").strip()
    whole = _BRACKETED.fullmatch(rest)
    return whole[1] if whole else rest
