"""What makes two runs comparable: that they took turns, or something that was measured in both and stayed the same.

A box is not the same twice (its median moved by 12 % between two campaigns), so that times of two runs are
compared as ratios to the reference runtime of the column. Where the reference's own programs changed, and for the reference
itself, the canary stands in. Bytes need no anchor: they don't depend on the speed of the box.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Literal, NamedTuple

from corobench import store
from corobench.statistics import environment, noise, paired, series
from corobench.statistics.summary import summarise
from corobench.statistics.values import Cell, RunSummary

Method = Literal["paired", "reference", "canary", "absolute"]
Logs = tuple[list[float], list[float]]


class Side(NamedTuple):
    """One of the two runs, with what comparing needs of it."""

    run: store.Run
    summary: RunSummary
    cells: dict[str, Cell]
    whole: set[int]
    canary: dict[int, float]

    def values(self, key: str) -> dict[int, float]:
        """The values of a number by block, whole blocks only."""
        return paired.within(self.cells[key].samples, self.whole)

    def delta(self, column: str) -> float:
        """The zone that counts as equal, by the A/A control of a column."""
        controls = (c.ratio for c in self.summary.noise if f"{c.workload}/{c.point}/{c.track}/{c.metric}" == column)
        return noise.delta(next(controls, None))

    def reference(self, column: str) -> str | None:
        """The runtime that the column's cells were compared with."""
        found = (cell.comparison for cell in self.cells.values() if cell.comparison and column_of(cell) == column)
        return next((comparison.other for comparison in found), None)


def side(run: store.Run) -> Side:
    summary = summarise(run)
    cells = {cell.key: cell for cell in summary.cells if cell.typical is not None}
    return Side(run, summary, cells, series.whole_blocks(run), series.canary(run))


def column_of(cell: Cell) -> str:
    """What is judged together: every runtime at one metric of one point on one track."""
    return "/".join((cell.workload, cell.point, cell.track, cell.metric))


def interleaved(before: store.Run, after: store.Run) -> bool:
    """Whether the two runs took turns: each block that both have whole was over in both before another one began in either.

    Within a block they may have taken turns at its families or have done it one after the other, in any order.
    """
    spans = _spans(before, after)
    return len(spans) > 1 and all(end < start for (_, end), (start, _) in pairwise(spans))


def _spans(*runs: store.Run) -> list[tuple[str, str]]:
    """The first and the last start in each block that all runs have whole, in the order of time."""
    whole = set.intersection(*(series.whole_blocks(run) for run in runs))
    starts: dict[int, list[str]] = {}
    for invocation in (one for run in runs for one in run.invocations):
        if invocation.block in whole:
            starts.setdefault(invocation.block, []).append(invocation.started)
    return sorted((min(found), max(found)) for found in starts.values())


def anchored(first: Side, second: Side, cell: Cell, same: bool) -> tuple[Method | None, Logs]:
    """How a number that isn't paired is compared, with the logs of both runs; None where nothing stayed the same."""
    if cell.unit == "B" and same:
        return "absolute", (_logs(first, cell, None), _logs(second, cell, None))
    if anchor := _same_reference(first, second, cell, same):
        return "reference", (_logs(first, cell, first.values(anchor)), _logs(second, cell, second.values(anchor)))
    if same and first.canary and second.canary and cell.unit == "s":
        return "canary", (_logs(first, cell, first.canary), _logs(second, cell, second.canary))
    return None, ([], [])


def _same_reference(first: Side, second: Side, cell: Cell, same: bool) -> str | None:
    """The key of the reference's number in the cell's column, where both runs have it and its programs are the same."""
    column = column_of(cell)
    reference = first.reference(column)
    if reference is None or reference != second.reference(column) or reference == cell.runtime:
        return None
    if same and environment.program_changed(first.run.header, second.run.header, reference):
        return None
    key = "/".join((cell.workload, cell.point, cell.track, reference, cell.metric))
    return key if key in first.cells and key in second.cells else None


def _logs(one: Side, cell: Cell, anchor: Mapping[int, float] | None) -> list[float]:
    """The logs of one run; none where a value is not positive, since differences of two such samples have no side to keep."""
    values = one.values(cell.key)
    logs = paired.log_ratios(values, dict.fromkeys(values, 1.0) if anchor is None else anchor)
    return logs if all(map(math.isfinite, logs)) else []
