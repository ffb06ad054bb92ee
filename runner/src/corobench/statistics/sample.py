"""The values of one number before anything is claimed of it."""

from __future__ import annotations

import msgspec

from corobench import store
from corobench.case import Case
from corobench.model import Metric, Workload
from corobench.statistics import paired
from corobench.statistics.series import Series
from corobench.statistics.values import Estimate, Ladder


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """The values of one number, by block, with what they were made from. `case.point` is the ladder's name for a slope.

    `ladders`: of the figures that are slopes as well. `missing`: why there are no values. `unfinished`: what the values had to
    be made without.
    """

    case: Case
    workload: Workload
    metric: Metric
    values: dict[int, float]
    figures: dict[str, Estimate]
    parts: list[Series]
    curve: list[list[float]] = []
    disagreement: float | None = None
    ladders: dict[str, Ladder] = {}
    missing: str | None = None
    unfinished: str | None = None

    @property
    def invocations(self) -> list[store.Invocation]:
        return [invocation for part in self.parts for invocation in part.invocations.values()]

    @property
    def failures(self) -> list[store.Failure]:
        return [failure for part in self.parts for failure in part.failures]

    def within(self, blocks: set[int]) -> dict[int, float]:
        """The values of these blocks."""
        return paired.within(self.values, blocks)

    def log_ratios(self, other: Sample, blocks: set[int]) -> list[float]:
        """Paired with another number in these blocks."""
        return paired.log_ratios(self.within(blocks), other.within(blocks))

    def ranked(self, blocks: set[int]) -> dict[int, float]:
        """The values of these blocks as what is ranked: lower is better."""
        chosen = self.within(blocks)
        if self.metric.better == "lower":
            return chosen
        return {block: 1 / value for block, value in chosen.items() if value}
