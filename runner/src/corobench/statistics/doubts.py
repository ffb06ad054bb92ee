"""Flags that a spec states itself: what makes a number doubtful where it holds for over a fifth of its invocations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from corobench.model import Point, Workload
from corobench.statistics import expressed
from corobench.statistics.sample import Sample
from corobench.statistics.series import Series
from corobench.statistics.values import Flag

SHARE = 0.2

Held = dict[tuple[str, str], tuple[int, int]]
"""Case, doubt -> in how many invocations it held, of how many."""


def held(workload: Workload, points: Mapping[str, Point], cases: Iterable[Series]) -> Held:
    """What the doubts of a spec say of each invocation, once for all of its numbers; `points` are its points by name."""
    return {
        (part.case.key, asked.name): (
            sum(
                bool(expressed.value(asked.when, points[part.case.point].params, invocation))
                for invocation in part.invocations.values()
            ),
            len(part.invocations),
        )
        for part in cases
        for asked in workload.doubt
    }


def flags(sample: Sample, known: Held) -> Iterator[Flag]:
    """The doubts of a spec that are about a number, and hold for it."""
    name = sample.metric.name
    for asked in (doubt for doubt in sample.workload.doubt if name in (doubt.metrics or [name])):
        holding, of = map(sum, zip(*(known[part.case.key, asked.name] for part in sample.parts), strict=True))
        if holding > SHARE * of:
            text = f"{asked.text} ({holding} of {of} invocations)"
            yield Flag(name=asked.name, level=asked.level, text=text, bound=asked.bound)
