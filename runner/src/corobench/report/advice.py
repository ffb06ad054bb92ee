"""How many of something are worth it (workers, say): from where more of them stopped helping, beside what rules of thumb say."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from corobench import expression
from corobench.expression import Number
from corobench.quoting import Advice
from corobench.report import places
from corobench.report.headline import short_point
from corobench.report.matrix import TRACK_TITLES
from corobench.report.sweep import following, number, parameters
from corobench.statistics.values import Cell, RunSummary, WorkloadFacts

WORTH = 0.9  # of the best: who has so much would not pay for more
_UNKNOWN = "the run did not record the CPUs"
_FEW = 3  # values, below which nothing bends

Place = tuple[str, str, str]
"""Track, runtime, the point without what is chosen, what follows from that, and how much is asked."""


class Advised(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime at a setting: the smallest number that was worth it, and for each rule its number with what that gives.

    `above`: the next smaller number that was measured, which was too few; empty where there is none. What is worth it lies
    between the two. `where` is the setting, with where it ran. `ranked`: whether all that it rests on may be ranked.
    """

    runtime: str
    track: str
    setting: str
    where: str
    knee: str
    above: str
    rules: list[str]
    ranked: bool


def advised(summary: RunSummary, workload: WorkloadFacts) -> list[Advised]:
    """A row for each runtime, track and setting, at the largest demand that was asked of enough values there."""
    advice = workload.advice
    if advice is None:
        return []
    cells = [c for c in summary.cells if c.workload == workload.name and c.typical]
    found: dict[Place, list[Cell]] = {}
    rated = [c for c in cells if c.metric == advice.metric]
    moving = {advice.over, *following(rated, advice.over)}
    for cell in rated:
        found.setdefault(_place(cell, {*moving, advice.demand}), []).append(cell)
    rows = []
    for (track, runtime, _), here in found.items():
        if asked := _asked(advice, here):
            beside = [c for c in cells if (c.track, c.runtime) == (track, runtime)]
            cores = summary.cpus.get(f"{workload.name}/{track}", 0)
            title = places.title(summary, workload.name, track)
            where = f"{title} ({cores})" if cores and title == TRACK_TITLES[track] else title
            rows.append(_row(advice, moving, asked, beside, cores, where))
    return rows


def _asked(advice: Advice, cells: list[Cell]) -> dict[float, Cell]:
    """Value -> its cell at the largest demand at which enough values were measured, in order; empty where there is none.

    Of a cross, each value is measured at one demand, and the largest demands at one value only.
    """
    found: dict[float, dict[float, Cell]] = {}
    for cell in sorted(cells, key=lambda c: _value(c, advice.over)):
        found.setdefault(_demand(cell, advice), {})[_value(cell, advice.over)] = cell
    return next((found[demand] for demand in sorted(found, reverse=True) if len(found[demand]) >= _FEW), {})


def _place(cell: Cell, free: Collection[str | None]) -> Place:
    rest = {key: value for key, value in parameters(cell.point).items() if key not in free}
    return cell.track, cell.runtime, ",".join(f"{key}={value}" for key, value in rest.items())


def _demand(cell: Cell, advice: Advice) -> float:
    return _value(cell, advice.demand) if advice.demand else 0.0


def _value(cell: Cell, key: str) -> float:
    return number(parameters(cell.point)[key]) or 0.0


def _row(advice: Advice, moving: set[str], found: dict[float, Cell], beside: list[Cell], cores: int, place: str) -> Advised:
    gives = {many: cell.typical.center for many, cell in found.items() if cell.typical}
    first, most = next(iter(found.values())), max(gives.values())
    knee = next(many for many, rate in gives.items() if rate >= WORTH * most)
    fewer = [many for many in gives if many < knee]
    had = {c.metric: c.typical.center for c in beside if c.typical and c.point == first.point}
    names = {**{key: number(text) or 0.0 for key, text in parameters(first.point).items()}, **had, "cores": cores}
    kept = {key: value for key, value in parameters(first.point).items() if key not in moving}
    setting = short_point(",".join(f"{key}={value}" for key, value in kept.items()))
    return Advised(
        runtime=first.runtime,
        track=first.track,
        setting=setting,
        where=f"{setting}, {place}",
        knee=f"{knee:g}",
        above=f"{max(fewer):g}" if fewer else "",
        rules=[_said(rule.value, names, gives, most) if cores else _UNKNOWN for rule in advice.rule],
        ranked=all(cell.trusted for cell in found.values()),
    )


def _said(text: str, names: dict[str, Number], gives: dict[float, float], most: float) -> str:
    """The rule's number, and what that gave of the best: as it was measured, else the next larger one (or the largest)."""
    many = float(expression.evaluate(text, names))
    near = next((measured for measured in gives if measured >= many), max(gives))
    return f"{many:.3g}: {100 * gives[near] / most:.0f} % of the best{'' if near == many else f' (with {near:g})'}"
