"""Numbers that two points of one block make together: what a task's start and end cost beyond a plain call, say.

Of a timed workload it is the time an operation, with the CPU time beside it; of one whose numbers are expressions what the
spec asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from corobench import expression, store
from corobench.case import Case
from corobench.model import Difference, Metric, Point, Workload, point_name
from corobench.statistics import expressed, serial, series
from corobench.statistics.sample import Sample
from corobench.statistics.series import Series


def samples(workload: Workload, points: Mapping[str, Point], cases: list[Series]) -> Iterator[Sample]:
    """A number for each difference of the spec and each pair of cases that it is made of."""
    known = {part.case: part for part in cases}
    for asked in workload.difference:
        for part in cases:
            point = points[part.case.point]
            if point.params[asked.over] != asked.of:
                continue
            other = known.get(_less(part.case, asked, point))
            if other is not None:
                yield _sample(workload, asked, point, part, other)


def _less(case: Case, asked: Difference, point: Point) -> Case:
    return msgspec.structs.replace(case, point=point_name({**point.params, asked.over: asked.less}))


def _sample(workload: Workload, asked: Difference, point: Point, part: Series, other: Series) -> Sample:
    per = expression.evaluate(asked.per, point.params)
    values = _by_block(part, other, per, lambda i: _value(workload, asked, point, i))
    cpu = _by_block(part, other, per, lambda i: series.cpu(i, workload.kind)) if asked.value is None else {}
    name = f"{asked.of}-{asked.less}"
    return Sample(
        case=msgspec.structs.replace(part.case, point=point_name({**point.params, asked.over: name})),
        workload=workload,
        metric=Metric(name=asked.name, title=asked.title, unit=asked.unit, better=asked.better),
        values=values,
        figures={"cpu": serial.estimate(cpu)} if cpu else {},
        parts=[part, other],
    )


def _by_block(part: Series, other: Series, per: float, value: Callable[[store.Invocation], float | None]) -> dict[int, float]:
    more, less = part.by_block(value), other.by_block(value)
    return {block: (more[block] - less[block]) / per for block in more.keys() & less.keys()}


def _value(workload: Workload, asked: Difference, point: Point, invocation: store.Invocation) -> float | None:
    if asked.value is None:
        return series.typical(invocation, workload.kind)
    return expressed.value(asked.value, point.params, invocation)
