"""From samples to the figures of a workload: times, differences, ratios, slopes.

A timed workload yields the time an operation and the CPU time beside it; a measured or served one
what the expressions of its spec say. The twin of the reference goes the same way: its figures are
the A/A control.

A ladder is the points of one workload that a runtime is measured at, smallest first. It gives a
slope a block. Points for some runtimes only (threads, say) make a ladder of their own, so that
slopes that stand together come from the same N. Where no such ladder has two rungs, all points of
the runtime are one ladder, in a column of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

import msgspec

from corobench.results import log
from corobench.statistics import estimates, samples
from corobench.statistics.samples import Sample, Series
from corobench.statistics.types import Estimate, Ladder
from corobench.suite import expression
from corobench.suite.workload import (
    EXPRESSED,
    Case,
    Difference,
    Metric,
    Parameter,
    Point,
    Ratio,
    Workload,
    point_name,
)


def ratio_figures(
    workload: Workload, points: Mapping[str, Point], cases: list[Series]
) -> Iterator[Sample]:
    """A number for each ratio of the spec and each case whose base was planned too, but for the
    base itself.

    A block in which one of the two has no value, or the base is 0, gives none.
    """
    for asked in workload.ratio:
        bases = {
            place(part, asked, points): part
            for part in cases
            if points[part.case.point].params[asked.over] == asked.base
        }
        for part in cases:
            base = bases.get(place(part, asked, points))
            if (
                base is not None
                and base is not part
                and points[part.case.point].params[asked.over] != asked.base
            ):
                yield _ratio_figure(workload, asked, points, part, base)


Place = tuple[str, str, bool, tuple[tuple[str, Parameter], ...]]


def place(part: Series, asked: Ratio | Difference, points: Mapping[str, Point]) -> Place:
    """What the two cases share that make a number: all but the parameter that it is over, and those
    that are free.
    """
    params = points[part.case.point].params
    kept = tuple(
        (key, value) for key, value in params.items() if key != asked.over and key not in asked.free
    )
    return part.case.track, part.case.runtime, part.case.twin, kept


def _ratio_figure(
    workload: Workload, asked: Ratio, points: Mapping[str, Point], part: Series, base: Series
) -> Sample:
    over, under = (
        one.by_block(partial(samples.expression_value, asked.value, points[one.case.point].params))
        for one in (part, base)
    )
    return Sample(
        case=part.case,
        workload=workload,
        metric=Metric(
            name=asked.name, title=asked.title, unit="1", better=asked.better, claims=asked.claims
        ),
        values={
            block: over[block] / under[block]
            for block in over.keys() & under.keys()
            if under[block]
        },
        figures={},
        parts=[part, base],
    )


def difference_figures(
    workload: Workload, points: Mapping[str, Point], cases: list[Series]
) -> Iterator[Sample]:
    """A number for each difference of the spec and each pair of cases that it is made of."""
    for asked in workload.difference:
        value = {part.case: points[part.case.point].params[asked.over] for part in cases}
        less = {
            place(part, asked, points): part for part in cases if value[part.case] == asked.less
        }
        for part in cases:
            other = less.get(place(part, asked, points))
            if value[part.case] == asked.of and other is not None:
                yield _difference_figure(workload, asked, points, part, other)


def _difference_figure(
    workload: Workload, asked: Difference, points: Mapping[str, Point], part: Series, other: Series
) -> Sample:
    point = points[part.case.point]
    per = expression.evaluate(asked.per, point.params)

    def taken(of: Callable[[Series], Mapping[int, float]]) -> dict[int, float]:
        more, less = of(part), of(other)
        return {block: (more[block] - less[block]) / per for block in more.keys() & less.keys()}

    cpu = taken(lambda one: samples.cpu_seconds(one, workload.kind)) if asked.value is None else {}
    name = f"{asked.of}-{asked.less}"
    return Sample(
        case=msgspec.structs.replace(
            part.case, point=point_name({**point.params, asked.over: name})
        ),
        workload=workload,
        metric=Metric(
            name=asked.name,
            title=asked.title,
            unit=asked.unit,
            better=asked.better,
            claims=asked.claims,
        ),
        values=taken(lambda one: _values_at(workload, asked, points[one.case.point], one)),
        figures={"cpu": estimates.serial_median_interval(cpu)} if cpu else {},
        parts=[part, other],
    )


def _values_at(
    workload: Workload, asked: Difference, point: Point, part: Series
) -> dict[int, float]:
    """What is taken of the invocations at a point, by block."""
    text = asked.value
    if text is None:
        return samples.median_seconds(part, workload.kind)
    return part.by_block(
        lambda invocation: samples.expression_value(text, point.params, invocation)
    )


LEAST_RUNGS = 2

Rungs = dict[int, Series]
"""N -> what was measured there, for one runtime on one track."""


def slope_figures(
    workload: Workload, metric: Metric, points: Mapping[str, Point], cases: list[Series]
) -> Iterator[Sample]:
    """The slopes of every runtime. A single rung has none, which is only said where a workload has
    no other number.
    """
    memory = workload.kind == "memory"
    made = [
        rungs
        for of in _by_runtime(cases)
        for rungs in _ladders(workload, points, of)
        if memory or len(rungs) > 1
    ]
    asked: dict[Case, set[int]] = {}
    for rungs in made:
        asked.setdefault(_column(workload, rungs), set()).update(rungs)
    for rungs in made:
        yield _slope_figure(
            workload, metric, rungs, asked[_column(workload, rungs)], single=len(points) == 1
        )


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
        scopes.setdefault(f"{point.only_units} {point.runtimes}", {})[_rung(workload, point)] = part
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
    """What its number stands beside: every runtime's, and the twin's, of that name on that
    track.
    """
    return msgspec.structs.replace(_case(workload, rungs), runtime="", twin=False)


def _slope_figure(
    workload: Workload, metric: Metric, rungs: Rungs, asked: set[int], single: bool
) -> Sample:
    ns, memory = sorted(rungs), workload.kind == "memory"
    done = _finished(rungs)
    columns = {
        n: _held_by_block(rungs[n], "live") if memory else _totals(rungs[n], n) for n in done
    }
    curve = _curve(columns)
    values, intercepts = _slopes(columns)
    figures = {"intercept": estimates.serial_median_interval(intercepts)} if intercepts else {}
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
        disagreement=estimates.disagreement(curve),
        ladders={"collected": collected} if collected and collected.samples else {},
        missing=_missing(workload, columns, sorted(asked - rungs.keys()), single),
        unfinished=next(
            (f"{workload.ladder} = {n}: {rungs[n].failures[0].reason}" for n in ns[len(done) :]),
            None,
        ),
    )


def _finished(rungs: Rungs) -> list[int]:
    """The rungs without those at the top that never finished, as long as two are left: what a
    runtime can't hold has no slope.

    The number says so, and is not ranked with those that are made from all rungs.
    """
    ns = sorted(rungs)
    while len(ns) > LEAST_RUNGS and rungs[ns[-1]].failures and not rungs[ns[-1]].invocations:
        ns.pop()
    return ns


def _missing(
    workload: Workload, columns: Mapping[int, Mapping[int, float]], others: list[int], single: bool
) -> str | None:
    """Why there may be no slope. `others`: the rungs that runtimes of the same ladder have
    besides.
    """
    if others:
        return (
            f"no slope: it is not measured at {workload.ladder} = "
            f"{', '.join(map(str, others))}, as the others are"
        )
    if absent := [str(n) for n, values in columns.items() if not values]:
        return f"no slope: nothing was measured at {workload.ladder} = {', '.join(absent)}"
    if len(columns) >= LEAST_RUNGS:
        return None
    return f"no slope: {'this profile has' if single else 'it is measured at'} a single point"


def _collected(rungs: Rungs, ns: list[int]) -> Ladder:
    """What one more unit holds after a forced collection, where the runtime has a collector."""
    columns = {n: _held_by_block(rungs[n], "live-collected") for n in ns}
    return Ladder(samples=_slopes(columns)[0], disagreement=estimates.disagreement(_curve(columns)))


def _memory_figures(rungs: Rungs, ns: list[int], collected: Ladder) -> dict[str, Estimate]:
    """Figures at the largest N, in bytes, and the slopes after a forced collection."""
    top = rungs[ns[-1]]
    base, released = _held_by_block(top, "base"), _held_by_block(top, "released")
    named = {
        "rss": top.by_block(lambda i: float(i.holds["live"].rss) if "live" in i.holds else None),
        "high": top.by_block(
            lambda i: float(i.holds["released"].rss_high) if "released" in i.holds else None
        ),
        "kept": {block: released[block] - base[block] for block in base.keys() & released.keys()},
        "collected": collected.samples,
    }
    swept = _held_by_block(top, "released-collected")
    named["kept_collected"] = {
        block: swept[block] - base[block] for block in base.keys() & swept.keys()
    }
    return {
        name: estimates.serial_median_interval(values) for name, values in named.items() if values
    }


def _held_by_block(part: Series, point: str) -> dict[int, float]:
    return part.by_block(lambda i: samples.held_bytes(i, point))


def _totals(part: Series, n: int) -> dict[int, float]:
    """Seconds for all n operations of an iteration."""
    return {block: value * n for block, value in samples.median_seconds(part, "timed").items()}


def _curve(columns: Mapping[int, Mapping[int, float]]) -> dict[float, float]:
    """N -> the median over the blocks, where anything was measured."""
    return {float(n): estimates.median(values.values()) for n, values in columns.items() if values}


def _slopes(
    columns: Mapping[int, Mapping[int, float]],
) -> tuple[dict[int, float], dict[int, float]]:
    """Slope and intercept by block, for the blocks that have every rung; none from a single
    rung.
    """
    if len(columns) < LEAST_RUNGS:
        return {}, {}
    blocks = set.intersection(*(set(values) for values in columns.values()))
    lines = {
        block: estimates.theil_sen({float(n): values[block] for n, values in columns.items()})
        for block in sorted(blocks)
    }
    return {block: line.slope for block, line in lines.items()}, {
        block: line.intercept for block, line in lines.items()
    }


SLOPE = "slope"


def figures_of(
    workload: Workload,
    points: Mapping[str, Point],
    cases: list[Series],
    true_switches: Mapping[str, float],
) -> Iterator[Sample]:
    """Every number of a workload; `cases` are its cases in the order of the plan, `points` its
    points by name.
    """
    yield from difference_figures(workload, points, cases)
    yield from ratio_figures(workload, points, cases)
    yield from samples.expressed_samples(workload, points, cases)
    if workload.kind in EXPRESSED:
        return
    if workload.kind != "memory":
        for case in cases:
            yield _timed(
                workload,
                case,
                _share(workload, points[case.case.point], case.case, true_switches),
                cases,
            )
    metric = next(
        (m for m in workload.metric if workload.kind == "memory" or m.name == SLOPE), None
    )
    if workload.ladder and metric:
        yield from slope_figures(workload, metric, points, cases)


def _share(
    workload: Workload, point: Point, case: Case, true_switches: Mapping[str, float]
) -> float:
    """True switches a resume. A lone task only resumes itself: there the operation is the
    resume.
    """
    if not workload.true_switches or (workload.curve and point.params.get(workload.curve) == 1):
        return 1.0
    return true_switches.get(f"{case.runtime}/{case.workload}/{case.point}", 1.0)


def _timed(workload: Workload, part: Series, share: float, cases: list[Series]) -> Sample:
    kind = workload.kind

    def by_operation(values: Mapping[int, float]) -> dict[int, float]:
        return {block: value / share for block, value in values.items()}

    fastest = by_operation(samples.minimum_seconds(part, kind))
    cpu = by_operation(samples.cpu_seconds(part, kind))
    figures = {"minimum": _minimum(fastest.values())} if fastest else {}
    named = {"cpu": cpu}
    if kind == "startup":
        named |= _startup(part, cpu, cases)
    else:
        named["cold"] = by_operation(part.by_block(samples.cold_seconds))
    return Sample(
        case=part.case,
        workload=workload,
        metric=workload.metric[0],
        values=by_operation(samples.median_seconds(part, kind)),
        figures=figures
        | {
            name: estimates.serial_median_interval(values)
            for name, values in named.items()
            if values
        },
        parts=[part],
    )


def _startup(
    part: Series, cpu: Mapping[int, float], cases: list[Series]
) -> dict[str, dict[int, float]]:
    """User and system seconds a process, as hyperfine tells them, and the CPU time above the bare
    process of the same block.
    """
    found = {
        name: part.by_block(partial(_evidence, key=f"{name}_ns")) for name in ("user", "system")
    }
    bare = msgspec.structs.replace(part.case, point="mode=bare")
    if part.case != bare:
        others = next(
            (samples.cpu_seconds(other, "startup") for other in cases if other.case == bare), {}
        )
        found["cpu_above_bare"] = {
            block: cpu[block] - others[block] for block in cpu.keys() & others.keys()
        }
    return found


def _evidence(invocation: log.Invocation, key: str) -> float | None:
    value = invocation.evidence.get(key)
    return samples.NS * value if isinstance(value, int) else None


def _minimum(fastest: Iterable[float]) -> Estimate:
    """The smallest value; `high` is the next smallest invocation's, to show how well it reproduces.
    No confidence interval.
    """
    ordered = sorted(fastest)
    return Estimate(
        center=ordered[0],
        low=ordered[0],
        high=ordered[min(1, len(ordered) - 1)],
        n=len(ordered),
        confidence=0.0,
    )
