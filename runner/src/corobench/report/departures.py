"""Which runtimes leave the shape that a sweep has on one core under a queue that is first in, first out: how far, and why.

c requests at a time, each of some CPU time and some waiting, are served at min(c / (CPU + wait), 1 / CPU) and answered after
max(CPU + wait, c x CPU): a core that is always busy serves all others once before it serves the same chain again. That
is arithmetic; such a queue itself, simulated with overhead (tests/test_mixed_shape.py), stays within the bounds below but
where the two bend into each other: there chains still meet in the bunches in which they began, and nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from corobench.model import Track
from corobench.report import units
from corobench.report.charts import multiples
from corobench.report.charts.multiples import Limit
from corobench.report.headline import Column, column
from corobench.report.sweep import along, number, parameters, value
from corobench.report.units import Scale
from corobench.report.wording import HARD, inside, joined
from corobench.statistics.values import Cell, Estimate, RunSummary, RuntimeFacts, WorkloadFacts

NOT_ESTABLISHED = "not established"
NOT_RECORDED = "not recorded: the run was made before runtimes gave their reasons"
_TRACK: Track = "one-cpu"
_BELOW, _FULL = 0.75, 1.5  # of what fills the core: between them it bends
_RATE, _MEDIAN, _WORST = 0.95, 1.1, 1.25  # times the ideal: at least, within, at most
_ROUNDS = 4  # of all that are under way: where fewer fit into the window, its edges alone move the rate by 3 % and more (tested)
_BORNE = frozenset({"modes", "wide"})  # red flags that are about where in its interval a number is, and not about the interval
_ONE = Scale(1.0, "")


class Departure(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime that departs. `how`: each figure at its furthest; `why`: what its manifest says of that."""

    runtime: str
    how: str
    why: str


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The runtimes that keep the shape with all of their intervals, that depart with one as a whole, and the others.

    `key` is the parameter that says how many at a time.
    """

    key: str
    kept: list[str]
    unclear: list[str]
    departures: list[Departure]

    @property
    def sentence(self) -> str:
        """Who keeps it, and what it is."""
        who = f"{joined(self.kept)} {'keep' if len(self.kept) > 1 else 'keeps'}" if self.kept else "no runtime keeps"
        why = "an interval lies on both sides of a bound, or a number is missing"
        rest = f" Of {joined(self.unclear)} that can't be told: {why}." if self.unclear else ""
        rate, answer = f"min({self.key} / (CPU + wait), 1 / CPU)", f"max(CPU + wait, {self.key} x CPU)"
        return (
            f"On one core, {who} the shape of a queue that is first in, first out: {self.key} at a time are served at {rate},"
            f" less {units.percent(1 - _RATE)} at most, and answered after {answer}, the median within"
            f" {units.percent(_MEDIAN - 1)} of it, the worst after {_WORST:g} times that at most.{rest}"
        )


class _Promise(NamedTuple):
    """What arithmetic says of a metric at so many at a time, and between which ratios to it the shape is kept.

    `rounds`: of as many requests as are under way, how many a window must have room for.
    """

    metric: str
    ideal: Callable[[float], float]
    least: float
    most: float
    rounds: int = 0

    def holds(self, ratio: Estimate) -> bool:
        """With all of its interval."""
        return self.least <= ratio.low and ratio.high <= self.most

    def fails(self, ratio: Estimate) -> bool:
        """With all of its interval."""
        return ratio.high < self.least or ratio.low > self.most


def shape(summary: RunSummary, workload: WorkloadFacts) -> Shape | None:
    """None where a workload has no such sweep on one core, or where none of it kept the core busy all the time."""
    key = workload.curve
    head = column(summary, workload) if key else None
    limit = multiples.limits_of(summary, head, {_TRACK}).get(_TRACK) if head else None
    if head is None or key is None or limit is None or limit.cores != 1:
        return None
    judged = _judged(summary, head, key, limit)
    promises = _promises(workload, [cell for cells in judged.values() for cell in cells], limit)
    why = {r.name: _why(r, workload) for r in summary.runtimes}
    kept, unclear, gone = list[str](), list[str](), list[Departure]()
    for name, cells in judged.items():
        ratios = {promise: _ratios(cells, promise, key) for promise in promises}
        if said := [text for promise, here in ratios.items() if (text := _outside(workload, promise, here, key))]:
            gone.append(Departure(runtime=name, how="; ".join(said), why=why[name]))
        elif all(here and all(promise.holds(ratio) for _, ratio in here) for promise, here in ratios.items()):
            kept.append(name)
        else:
            unclear.append(name)
    return Shape(key=key, kept=kept, unclear=unclear, departures=gone) if judged else None


def _why(runtime: RuntimeFacts, workload: WorkloadFacts) -> str:
    return NOT_RECORDED if runtime.departs is None else runtime.departs.get(workload.name, NOT_ESTABLISHED)


def _judged(summary: RunSummary, head: Column, key: str, limit: Limit) -> dict[str, list[Cell]]:
    """By runtime, the numbers away from the bend, of those that have one where the core is busy all the time."""
    ours = [c for c in summary.cells if (c.workload, c.track) == (head.workload, _TRACK) and _is_usable(c)]
    swept = [(c, _filled(c, key, limit)) for c in along(ours, head.point, key)]
    found: dict[str, list[Cell]] = {}
    for runtime in summary.runtimes:
        here = [(c, filled) for c, filled in swept if c.runtime == runtime.name and not _BELOW < filled < _FULL]
        if any(filled >= _FULL for _, filled in here):
            found[runtime.name] = [c for c, _ in here]
    return found


def _is_usable(cell: Cell) -> bool:
    return cell.typical is not None and all(flag.name in _BORNE for flag in cell.flags if flag.level == "red")


def _filled(cell: Cell, key: str, limit: Limit) -> float:
    """So many at a time, of those that fill the core."""
    return (value(cell, key) or 0.0) * limit.cpu / (limit.cpu + limit.wait)


def _promises(workload: WorkloadFacts, cells: list[Cell], limit: Limit) -> list[_Promise]:
    """Of the first rate of a workload, and of its first median and worst time."""
    kinds = {c.metric: c.unit for c in cells}

    def first(unit: str, word: str = "") -> str | None:
        return next((m for m, title in workload.metrics.items() if kinds.get(m) == unit and word in title), None)

    rate, median, worst = first("1/s"), first("s", "median"), first("s", "worst")
    return [
        *([_Promise(rate, limit.rate, _RATE, math.inf, _ROUNDS)] if rate else []),
        *([_Promise(median, limit.response, 2 - _MEDIAN, _MEDIAN)] if median else []),
        *([_Promise(worst, limit.response, 0.0, _WORST)] if worst else []),
    ]


def _ratios(cells: list[Cell], promise: _Promise, key: str) -> list[tuple[Cell, Estimate]]:
    own = [(c, c.typical) for c in cells if c.metric == promise.metric and c.typical and _rounds(c, key) >= promise.rounds]
    return [(c, found.times(1 / promise.ideal(value(c, key) or 0.0))) for c, found in own]


def _rounds(cell: Cell, key: str) -> float:
    """That fit into the steady window, by the contract of mixed."""
    requests, at_once = number(parameters(cell.point).get("requests", "")), value(cell, key)
    return (requests - 2 * at_once - 1) // at_once if requests and at_once else math.inf


def _outside(workload: WorkloadFacts, promise: _Promise, ratios: list[tuple[Cell, Estimate]], key: str) -> str:
    """What is outside of its bounds, where it is furthest from the ideal; empty where nothing is."""
    outside = [(cell, ratio) for cell, ratio in ratios if promise.fails(ratio)]
    if not outside:
        return ""
    cell, ratio = max(outside, key=lambda pair: abs(math.log(pair[1].center)))
    return _said(workload.metrics[promise.metric], cell, key, ratio)


def _said(title: str, cell: Cell, key: str, ratio: Estimate) -> str:
    scale = units.scale_of_estimates([cell.typical], cell.unit)
    shown = f"{units.show(cell.typical, scale)}{HARD}{scale.symbol}"
    return f"{inside(title)} {shown} at {key} = {value(cell, key):g}, {units.show(ratio, _ONE)} times what such a queue gives"
