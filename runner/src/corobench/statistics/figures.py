"""What each kind of workload yields: one sample of values by block for each number of a page, and the figures beside it.

Timed and startup cases give a number a point, and what the spec makes of two of them; measured and served cases give what
the spec's expressions say; a ladder of points gives a slope a block, from the blocks that have every
rung (the same N for every runtime). The twin of the reference is made the same way: its numbers are the A/A control.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from corobench import store
from corobench.case import Case
from corobench.model import EXPRESSED, Metric, Point, Workload
from corobench.statistics import differences, expressed, order, ratios, serial, series, slope
from corobench.statistics.sample import Sample
from corobench.statistics.series import Series
from corobench.statistics.values import Estimate

SLOPE = "slope"
LEAST_RUNGS = 2


def samples(
    workload: Workload, points: Mapping[str, Point], cases: list[Series], true_switches: Mapping[str, float]
) -> Iterator[Sample]:
    """Every number of a workload; `cases` are its cases in the order of the plan, `points` its points by name."""
    yield from differences.samples(workload, points, cases)
    yield from ratios.samples(workload, points, cases)
    if workload.kind in EXPRESSED:
        yield from expressed.samples(workload, points, cases)
        return
    if workload.kind != "memory":
        for case in cases:
            yield _timed(workload, case, _share(workload, points[case.case.point], case.case, true_switches), cases)
    metric = next((m for m in workload.metric if workload.kind == "memory" or m.name == SLOPE), None)
    # A single rung gives a timed workload no further number; memory has no other, so it must say why it has none.
    if workload.ladder and metric and (len(points) > 1 or workload.kind == "memory"):
        for rungs in _ladders(cases):
            yield _ladder(workload, metric, {_rung(workload, points[part.case.point]): part for part in rungs}, len(points))


def _share(workload: Workload, point: Point, case: Case, true_switches: Mapping[str, float]) -> float:
    """True switches a resume. A lone task only resumes itself: there the operation is the resume."""
    if not workload.true_switches or (workload.curve and point.params.get(workload.curve) == 1):
        return 1.0
    return true_switches.get(f"{case.runtime}/{case.workload}/{case.point}", 1.0)


def _timed(workload: Workload, part: Series, share: float, cases: list[Series]) -> Sample:
    kind = workload.kind

    def by_operation(values: Mapping[int, float]) -> dict[int, float]:
        return {block: value / share for block, value in values.items()}

    fastest = by_operation(part.by_block(lambda i: series.fastest(i, kind)))
    cpu = by_operation(part.by_block(lambda i: series.cpu(i, kind)))
    figures = {"floor": _floor(fastest.values())} if fastest else {}
    named = {"cpu": cpu}
    if kind == "startup":
        named |= _startup(part, cpu, cases)
    else:
        named["cold"] = by_operation(part.by_block(series.cold))
    return Sample(
        case=part.case,
        workload=workload,
        metric=workload.metric[0],
        values=by_operation(part.by_block(lambda i: series.typical(i, kind))),
        figures=figures | {name: serial.estimate(values) for name, values in named.items() if values},
        parts=[part],
    )


def _startup(part: Series, cpu: Mapping[int, float], cases: list[Series]) -> dict[str, dict[int, float]]:
    """User and system seconds a process, as hyperfine tells them, and the CPU time above the bare process of the same block."""
    found = {name: part.by_block(lambda i, key=name: _evidence(i, f"{key}_ns")) for name in ("user", "system")}  # type: ignore[misc]
    bare = msgspec.structs.replace(part.case, point="mode=bare")
    if part.case != bare:
        others = next((other.by_block(lambda i: series.cpu(i, "startup")) for other in cases if other.case == bare), {})
        found["cpu_above_bare"] = {block: cpu[block] - others[block] for block in cpu.keys() & others.keys()}
    return found


def _evidence(invocation: store.Invocation, key: str) -> float | None:
    value = invocation.evidence.get(key)
    return series.NS * value if isinstance(value, int) else None


def _floor(fastest: Iterable[float]) -> Estimate:
    """The smallest value; `high` is the next smallest invocation's, to show how well it reproduces. No confidence interval."""
    ordered = sorted(fastest)
    return Estimate(center=ordered[0], low=ordered[0], high=ordered[min(1, len(ordered) - 1)], n=len(ordered), confidence=0.0)


def _ladders(cases: list[Series]) -> list[list[Series]]:
    """The cases that differ only in their point, together."""
    found: dict[Case, list[Series]] = {}
    for part in cases:
        found.setdefault(msgspec.structs.replace(part.case, point=""), []).append(part)
    return list(found.values())


def _rung(workload: Workload, point: Point) -> int:
    return int(point.params[workload.ladder or ""])


def _ladder(workload: Workload, metric: Metric, rungs: Mapping[int, Series], wanted: int) -> Sample:
    ns = sorted(rungs)
    first = rungs[ns[0]].case
    memory = workload.kind == "memory"
    done = _finished(rungs)
    columns = {n: _column(rungs[n], "live") if memory else _totals(rungs[n], n) for n in done}
    curve = {float(n): order.median(values.values()) for n, values in columns.items() if values}
    values, intercepts = _slopes(columns)
    figures = {"intercept": serial.estimate(intercepts)} if intercepts else {}
    if memory:
        figures |= _memory_figures(rungs, done)
    return Sample(
        case=msgspec.structs.replace(first, point=f"{workload.ladder}={ns[0]}..{ns[-1]}" if wanted > 1 else first.point),
        workload=workload,
        metric=metric,
        values=values if len(ns) == wanted else {},
        figures=figures,
        parts=[rungs[n] for n in ns],
        curve=[[n, y] for n, y in sorted(curve.items())],
        disagreement=slope.disagreement(curve) if len(curve) > 1 else None,
        missing=_missing_slope(workload, columns),
        unfinished=next((f"{workload.ladder} = {n}: {rungs[n].failures[0].reason}" for n in ns[len(done) :]), None),
    )


def _finished(rungs: Mapping[int, Series]) -> list[int]:
    """The rungs without those at the top that never finished, as long as two are left: what a runtime can't hold has no slope.

    The number says so, and is not ranked with those that are made from all rungs.
    """
    ns = sorted(rungs)
    while len(ns) > LEAST_RUNGS and rungs[ns[-1]].failures and not rungs[ns[-1]].invocations:
        ns.pop()
    return ns


def _missing_slope(workload: Workload, columns: Mapping[int, Mapping[int, float]]) -> str | None:
    if absent := [str(n) for n, values in columns.items() if not values]:
        return f"no slope: nothing was measured at {workload.ladder} = {', '.join(absent)}"
    return "no slope: this profile has a single point" if len(columns) < 2 else None


def _memory_figures(rungs: Mapping[int, Series], ns: list[int]) -> dict[str, Estimate]:
    """Figures at the largest N, in bytes, and the slopes after a forced collection."""
    top = rungs[ns[-1]]
    base, released = _column(top, "base"), _column(top, "released")
    named = {
        "rss": top.by_block(lambda i: float(i.holds["live"].rss) if "live" in i.holds else None),
        "high": top.by_block(lambda i: float(i.holds["released"].rss_high) if "released" in i.holds else None),
        "kept": {block: released[block] - base[block] for block in base.keys() & released.keys()},
        "collected": _slopes({n: _column(rungs[n], "live-collected") for n in ns})[0],
    }
    swept = _column(top, "released-collected")
    named["kept_collected"] = {block: swept[block] - base[block] for block in base.keys() & swept.keys()}
    return {name: serial.estimate(values) for name, values in named.items() if values}


def _column(part: Series, point: str) -> dict[int, float]:
    return part.by_block(lambda i: series.held(i, point))


def _totals(part: Series, n: int) -> dict[int, float]:
    """Seconds for all n operations of an iteration."""
    return {block: value * n for block, value in part.by_block(lambda i: series.typical(i, "timed")).items()}


def _slopes(columns: Mapping[int, Mapping[int, float]]) -> tuple[dict[int, float], dict[int, float]]:
    """Slope and intercept by block, for the blocks that have every rung; none from a single rung."""
    if len(columns) < 2:
        return {}, {}
    blocks = set.intersection(*(set(values) for values in columns.values()))
    lines = {block: slope.theil_sen({float(n): values[block] for n, values in columns.items()}) for block in sorted(blocks)}
    return {block: line.slope for block, line in lines.items()}, {block: line.intercept for block, line in lines.items()}
