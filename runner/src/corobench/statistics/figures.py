"""What each kind of workload yields: one sample of values by block for each number of a page, and the figures beside it.

Timed and startup cases give a number a point, and what the spec makes of two of them; cases of any kind give what the spec's
expressions say, and measured and served ones nothing else; a ladder of points gives a slope a block (ladders.py). The twin of
the reference is made the same way: its numbers are the A/A control.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from corobench import store
from corobench.case import Case
from corobench.model import EXPRESSED, Point, Workload
from corobench.statistics import differences, expressed, ladders, ratios, serial, series
from corobench.statistics.sample import Sample
from corobench.statistics.series import Series
from corobench.statistics.values import Estimate

SLOPE = "slope"


def samples(
    workload: Workload, points: Mapping[str, Point], cases: list[Series], true_switches: Mapping[str, float]
) -> Iterator[Sample]:
    """Every number of a workload; `cases` are its cases in the order of the plan, `points` its points by name."""
    yield from differences.samples(workload, points, cases)
    yield from ratios.samples(workload, points, cases)
    yield from expressed.samples(workload, points, cases)
    if workload.kind in EXPRESSED:
        return
    if workload.kind != "memory":
        for case in cases:
            yield _timed(workload, case, _share(workload, points[case.case.point], case.case, true_switches), cases)
    metric = next((m for m in workload.metric if workload.kind == "memory" or m.name == SLOPE), None)
    if workload.ladder and metric:
        yield from ladders.samples(workload, metric, points, cases)


def _share(workload: Workload, point: Point, case: Case, true_switches: Mapping[str, float]) -> float:
    """True switches a resume. A lone task only resumes itself: there the operation is the resume."""
    if not workload.true_switches or (workload.curve and point.params.get(workload.curve) == 1):
        return 1.0
    return true_switches.get(f"{case.runtime}/{case.workload}/{case.point}", 1.0)


def _timed(workload: Workload, part: Series, share: float, cases: list[Series]) -> Sample:
    kind = workload.kind

    def by_operation(values: Mapping[int, float]) -> dict[int, float]:
        return {block: value / share for block, value in values.items()}

    fastest = by_operation(series.fastest(part, kind))
    cpu = by_operation(series.cpu(part, kind))
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
        values=by_operation(series.typical(part, kind)),
        figures=figures | {name: serial.estimate(values) for name, values in named.items() if values},
        parts=[part],
    )


def _startup(part: Series, cpu: Mapping[int, float], cases: list[Series]) -> dict[str, dict[int, float]]:
    """User and system seconds a process, as hyperfine tells them, and the CPU time above the bare process of the same block."""
    found = {name: part.by_block(lambda i, key=name: _evidence(i, f"{key}_ns")) for name in ("user", "system")}  # type: ignore[misc]
    bare = msgspec.structs.replace(part.case, point="mode=bare")
    if part.case != bare:
        others = next((series.cpu(other, "startup") for other in cases if other.case == bare), {})
        found["cpu_above_bare"] = {block: cpu[block] - others[block] for block in cpu.keys() & others.keys()}
    return found


def _evidence(invocation: store.Invocation, key: str) -> float | None:
    value = invocation.evidence.get(key)
    return series.NS * value if isinstance(value, int) else None


def _floor(fastest: Iterable[float]) -> Estimate:
    """The smallest value; `high` is the next smallest invocation's, to show how well it reproduces. No confidence interval."""
    ordered = sorted(fastest)
    return Estimate(center=ordered[0], low=ordered[0], high=ordered[min(1, len(ordered) - 1)], n=len(ordered), confidence=0.0)
