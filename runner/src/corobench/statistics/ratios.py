"""Numbers that one point makes beside another of the same block: the speed-up over one at a time, what a load adds to idle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corobench.model import Difference, Metric, Parameter, Point, Ratio, Workload
from corobench.statistics import expressed
from corobench.statistics.sample import Sample
from corobench.statistics.series import Series


def samples(workload: Workload, points: Mapping[str, Point], cases: list[Series]) -> Iterator[Sample]:
    """A number for each ratio of the spec and each case whose base was planned too, but for the base itself.

    A block in which one of the two has no value, or the base is 0, gives none.
    """
    for asked in workload.ratio:
        bases = {place(part, asked, points): part for part in cases if points[part.case.point].params[asked.over] == asked.base}
        for part in cases:
            base = bases.get(place(part, asked, points))
            if base is not None and base is not part and points[part.case.point].params[asked.over] != asked.base:
                yield _sample(workload, asked, points, part, base)


Place = tuple[str, str, bool, tuple[tuple[str, Parameter], ...]]


def place(part: Series, asked: Ratio | Difference, points: Mapping[str, Point]) -> Place:
    """What the two cases share that make a number: all but the parameter that it is over, and those that are free."""
    params = points[part.case.point].params
    kept = tuple((key, value) for key, value in params.items() if key != asked.over and key not in asked.free)
    return part.case.track, part.case.runtime, part.case.twin, kept


def _sample(workload: Workload, asked: Ratio, points: Mapping[str, Point], part: Series, base: Series) -> Sample:
    over, under = (
        one.by_block(lambda i, params=points[one.case.point].params: expressed.value(asked.value, params, i))  # type: ignore[misc]
        for one in (part, base)
    )
    return Sample(
        case=part.case,
        workload=workload,
        metric=Metric(name=asked.name, title=asked.title, unit="1", better=asked.better, claims=asked.claims),
        values={block: over[block] / under[block] for block in over.keys() & under.keys() if under[block]},
        figures={},
        parts=[part, base],
    )
