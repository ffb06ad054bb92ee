"""The number of a ladder of points: a slope a block, from the blocks that have every rung.

A ladder is what a runtime has of the points that are open to the same runtimes: points for threads only make one for threads,
the others one for everybody. So numbers that stand together come from the same N, and a runtime that is measured at few of the
points for everybody has a ladder all the same; where none of these has two rungs, all of its points are one, in a column of
its own. What a runtime is measured at is what the plan says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from corobench.case import Case
from corobench.model import Metric, Point, Workload
from corobench.statistics import order, serial, series, slope
from corobench.statistics.sample import Sample
from corobench.statistics.series import Series
from corobench.statistics.values import Estimate, Ladder

LEAST_RUNGS = 2

Rungs = dict[int, Series]
"""N -> what was measured there, for one runtime on one track."""


def samples(workload: Workload, metric: Metric, points: Mapping[str, Point], cases: list[Series]) -> Iterator[Sample]:
    """The slopes of every runtime. A single rung has none, which is only said where a workload has no other number."""
    memory = workload.kind == "memory"
    made = [rungs for of in _by_runtime(cases) for rungs in _ladders(workload, points, of) if memory or len(rungs) > 1]
    asked: dict[Case, set[int]] = {}
    for rungs in made:
        asked.setdefault(_column(workload, rungs), set()).update(rungs)
    for rungs in made:
        yield _sample(workload, metric, rungs, asked[_column(workload, rungs)], single=len(points) == 1)


def _by_runtime(cases: list[Series]) -> list[list[Series]]:
    """The cases that differ only in their point, together."""
    found: dict[Case, list[Series]] = {}
    for part in cases:
        found.setdefault(msgspec.structs.replace(part.case, point=""), []).append(part)
    return list(found.values())


def _ladders(workload: Workload, points: Mapping[str, Point], cases: list[Series]) -> list[Rungs]:
    """The ladders of one runtime on one track, those for the most runtimes first."""
    scopes: dict[str, Rungs] = {}
    for part in cases:
        point = points[part.case.point]
        scopes.setdefault(f"{point.among} {point.runtimes}", {})[_rung(workload, point)] = part
    found = [rungs for rungs in scopes.values() if len(rungs) >= LEAST_RUNGS]
    return found or [{_rung(workload, points[part.case.point]): part for part in cases}]


def _rung(workload: Workload, point: Point) -> int:
    return int(point.params[workload.ladder or ""])


def _case(workload: Workload, rungs: Rungs) -> Case:
    """What a ladder is named: `n=1000..100000`, or the point itself where it has one rung."""
    first = rungs[min(rungs)].case
    name = f"{workload.ladder}={min(rungs)}..{max(rungs)}" if len(rungs) > 1 else first.point
    return msgspec.structs.replace(first, point=name)


def _column(workload: Workload, rungs: Rungs) -> Case:
    """What its number stands beside: every runtime's, and the twin's, of that name on that track."""
    return msgspec.structs.replace(_case(workload, rungs), runtime="", twin=False)


def _sample(workload: Workload, metric: Metric, rungs: Rungs, asked: set[int], single: bool) -> Sample:
    ns, memory = sorted(rungs), workload.kind == "memory"
    done = _finished(rungs)
    columns = {n: _held(rungs[n], "live") if memory else _totals(rungs[n], n) for n in done}
    curve = _curve(columns)
    values, intercepts = _slopes(columns)
    figures = {"intercept": serial.estimate(intercepts)} if intercepts else {}
    collected = _collected(rungs, done) if memory else None
    if collected is not None:
        figures |= _memory_figures(rungs, done, collected)
    return Sample(
        case=_case(workload, rungs),
        workload=workload,
        metric=metric,
        values=values if rungs.keys() == asked else {},
        figures=figures,
        parts=[rungs[n] for n in ns],
        curve=[[n, y] for n, y in sorted(curve.items())],
        disagreement=slope.disagreement(curve),
        ladders={"collected": collected} if collected and collected.samples else {},
        missing=_missing(workload, columns, sorted(asked - rungs.keys()), single),
        unfinished=next((f"{workload.ladder} = {n}: {rungs[n].failures[0].reason}" for n in ns[len(done) :]), None),
    )


def _finished(rungs: Rungs) -> list[int]:
    """The rungs without those at the top that never finished, as long as two are left: what a runtime can't hold has no slope.

    The number says so, and is not ranked with those that are made from all rungs.
    """
    ns = sorted(rungs)
    while len(ns) > LEAST_RUNGS and rungs[ns[-1]].failures and not rungs[ns[-1]].invocations:
        ns.pop()
    return ns


def _missing(workload: Workload, columns: Mapping[int, Mapping[int, float]], others: list[int], single: bool) -> str | None:
    """Why there may be no slope. `others`: the rungs that runtimes of the same ladder have besides."""
    if others:
        return f"no slope: it is not measured at {workload.ladder} = {', '.join(map(str, others))}, as the others are"
    if absent := [str(n) for n, values in columns.items() if not values]:
        return f"no slope: nothing was measured at {workload.ladder} = {', '.join(absent)}"
    if len(columns) >= LEAST_RUNGS:
        return None
    return f"no slope: {'this profile has' if single else 'it is measured at'} a single point"


def _collected(rungs: Rungs, ns: list[int]) -> Ladder:
    """What one more unit holds after a forced collection, where the runtime has a collector."""
    columns = {n: _held(rungs[n], "live-collected") for n in ns}
    return Ladder(samples=_slopes(columns)[0], disagreement=slope.disagreement(_curve(columns)))


def _memory_figures(rungs: Rungs, ns: list[int], collected: Ladder) -> dict[str, Estimate]:
    """Figures at the largest N, in bytes, and the slopes after a forced collection."""
    top = rungs[ns[-1]]
    base, released = _held(top, "base"), _held(top, "released")
    named = {
        "rss": top.by_block(lambda i: float(i.holds["live"].rss) if "live" in i.holds else None),
        "high": top.by_block(lambda i: float(i.holds["released"].rss_high) if "released" in i.holds else None),
        "kept": {block: released[block] - base[block] for block in base.keys() & released.keys()},
        "collected": collected.samples,
    }
    swept = _held(top, "released-collected")
    named["kept_collected"] = {block: swept[block] - base[block] for block in base.keys() & swept.keys()}
    return {name: serial.estimate(values) for name, values in named.items() if values}


def _held(part: Series, point: str) -> dict[int, float]:
    return part.by_block(lambda i: series.held(i, point))


def _totals(part: Series, n: int) -> dict[int, float]:
    """Seconds for all n operations of an iteration."""
    return {block: value * n for block, value in series.typical(part, "timed").items()}


def _curve(columns: Mapping[int, Mapping[int, float]]) -> dict[float, float]:
    """N -> the median over the blocks, where anything was measured."""
    return {float(n): order.median(values.values()) for n, values in columns.items() if values}


def _slopes(columns: Mapping[int, Mapping[int, float]]) -> tuple[dict[int, float], dict[int, float]]:
    """Slope and intercept by block, for the blocks that have every rung; none from a single rung."""
    if len(columns) < LEAST_RUNGS:
        return {}, {}
    blocks = set.intersection(*(set(values) for values in columns.values()))
    lines = {block: slope.theil_sen({float(n): values[block] for n, values in columns.items()}) for block in sorted(blocks)}
    return {block: line.slope for block, line in lines.items()}, {block: line.intercept for block, line in lines.items()}
