"""Numbered notes: what a reader must know stands once on the page, and its number stands beside every figure it is about."""

from __future__ import annotations

from collections import Counter

import msgspec

from corobench.statistics.values import Cell, RunSummary

SHOWN = 12  # places of a note that are named; each cell's own entry has them all


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """`places`: the first cases that it is about, with what differs between them, or what is to be known of a runtime.

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


def number_notes(summary: RunSummary) -> Notes:
    """Notes in the order in which a reader meets them: one for each runtime, then those on cases.

    Flags of one kind share a number: forty flags "wide interval" are one note with forty places.
    """
    places: dict[Key, list[str]] = {("runtime", r.name): r.notes for r in summary.runtimes if r.notes}
    cells: dict[str, list[Key]] = {}
    for cell in summary.cells:
        cells[cell.key] = []
        for key, place in _of_cell(cell):
            cells[cell.key].append(key)
            places.setdefault(key, []).append(place)
    numbers = {key: place for place, key in enumerate(places, 1)}
    return Notes(
        notes=[_note(numbers[key], key, found) for key, found in places.items()],
        of_runtime={r.name: [numbers["runtime", r.name]] for r in summary.runtimes if r.notes},
        of_cell={name: sorted({numbers[key] for key in keys}) for name, keys in cells.items()},
    )


def noted(notes: Notes, cells: list[Cell]) -> list[tuple[Note, int]]:
    """The notes beside some cells, each with the number of these that it is about."""
    found = Counter(number for cell in cells for number in notes.of_cell.get(cell.key, []))
    return [(note, found[note.number]) for note in notes.notes if found[note.number]]


def _note(number: int, key: Key, places: list[str]) -> Note:
    kind, text = key
    shown = places if kind == "runtime" else places[:SHOWN]
    return Note(number=number, kind=kind, text=text, places=shown, count=len(places))


def _of_cell(cell: Cell) -> list[tuple[Key, str]]:
    where = f"{cell.runtime}, {cell.workload} {cell.point}, {cell.track}"
    found: list[tuple[Key, str]] = [(("note", text), where) for text in cell.notes]
    found += [((flag.level, flag.name), f"{where}: {flag.text}") for flag in cell.flags]
    found += [(("failed", text), where) for text in cell.failures]
    if cell.gap:
        found.append((("gap", cell.gap), where))
    return found
