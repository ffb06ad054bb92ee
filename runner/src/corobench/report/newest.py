"""The newest number of each case on each box, with the run that it is from.

A run of a few workloads answers a question of its own, and does not hide what another one measured. Runs are chosen by their
cards, so that of a thousand runs of one profile one summary is read.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from corobench.report.collect import Card, Entry
from corobench.statistics.values import Cell


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A number, or the reason why there is none, and the run that says so."""

    cell: Cell
    entry: Entry


def newest(entries: Iterable[Entry]) -> list[Told]:
    """One for each case of each box, of entries that are the newest first; in the order of the runs and of their cells.

    Runs that make claims go before those that make none, and what was measured (or failed) before what was not run.
    """
    found: dict[tuple[str, str], Told] = {}
    for entry in telling(claiming_first(entries)):
        for cell in entry.summary.cells:
            key = (entry.box, cell.key)
            if key not in found or (found[key].cell.gap and not cell.gap):
                found[key] = Told(cell=cell, entry=entry)
    return list(found.values())


def claiming_first(entries: Iterable[Entry]) -> list[Entry]:
    """In their order otherwise."""
    return sorted(entries, key=lambda entry: not entry.card.claims)


def telling(entries: Iterable[Entry]) -> list[Entry]:
    """Those that may hold the first number of a case: a profile measures the same points of a workload in each of its runs."""
    seen: set[tuple[object, ...]] = set()
    found = []
    for entry in entries:
        new = {(entry.box, *kind) for kind in _kinds(entry.card)} - seen
        if new:
            seen |= new
            found.append(entry)
    return found


def _kinds(card: Card) -> Iterable[tuple[object, ...]]:
    return ((card.profile, *card.tracks, workload, name) for workload in card.workloads for name in card.runtimes)
