"""Numbers that two points of one block make together: what a task's start and end cost beyond a plain call, say.

Of a timed workload it is the time an operation, with the CPU time beside it; of one whose numbers are expressions what the
spec asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from corobench import expression
from corobench.model import Difference, Metric, Point, Workload, point_name
from corobench.statistics import expressed, ratios, serial, series
from corobench.statistics.sample import Sample
from corobench.statistics.series import Series


def samples(workload: Workload, points: Mapping[str, Point], cases: list[Series]) -> Iterator[Sample]:
    """A number for each difference of the spec and each pair of cases that it is made of."""
    for asked in workload.difference:
        value = {part.case: points[part.case.point].params[asked.over] for part in cases}
        less = {ratios.place(part, asked, points): part for part in cases if value[part.case] == asked.less}
        for part in cases:
            other = less.get(ratios.place(part, asked, points))
            if value[part.case] == asked.of and other is not None:
                yield _sample(workload, asked, points, part, other)


def _sample(workload: Workload, asked: Difference, points: Mapping[str, Point], part: Series, other: Series) -> Sample:
    point = points[part.case.point]
    per = expression.evaluate(asked.per, point.params)

    def taken(of: Callable[[Series], Mapping[int, float]]) -> dict[int, float]:
        more, less = of(part), of(other)
        return {block: (more[block] - less[block]) / per for block in more.keys() & less.keys()}

    cpu = taken(lambda one: series.cpu(one, workload.kind)) if asked.value is None else {}
    name = f"{asked.of}-{asked.less}"
    return Sample(
        case=msgspec.structs.replace(part.case, point=point_name({**point.params, asked.over: name})),
        workload=workload,
        metric=Metric(name=asked.name, title=asked.title, unit=asked.unit, better=asked.better, claims=asked.claims),
        values=taken(lambda one: _values(workload, asked, points[one.case.point], one)),
        figures={"cpu": serial.estimate(cpu)} if cpu else {},
        parts=[part, other],
    )


def _values(workload: Workload, asked: Difference, point: Point, part: Series) -> dict[int, float]:
    """What is taken of the invocations at a point, by block."""
    text = asked.value
    if text is None:
        return series.typical(part, workload.kind)
    return part.by_block(lambda invocation: expressed.value(text, point.params, invocation))
