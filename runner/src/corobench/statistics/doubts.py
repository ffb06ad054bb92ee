"""Flags that a spec states itself: what makes a number doubtful where it holds for over a fifth of its invocations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corobench.model import Parameter
from corobench.statistics import expressed
from corobench.statistics.sample import Sample
from corobench.statistics.values import Flag

SHARE = 0.2


def flags(sample: Sample, params: Mapping[str, Mapping[str, Parameter]]) -> Iterator[Flag]:
    """The doubts of a spec that hold for a number; `params` are the parameters of its points by name."""
    for asked in sample.workload.doubt:
        holding = [
            bool(expressed.value(asked.when, params[part.case.point], invocation))
            for part in sample.parts
            for invocation in part.invocations.values()
        ]
        if holding and sum(holding) > SHARE * len(holding):
            yield Flag(name=asked.name, level=asked.level, text=f"{asked.text} ({sum(holding)} of {len(holding)} invocations)")
