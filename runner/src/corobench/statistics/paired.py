"""Two cases compared block by block: the median log ratio with its sign-test interval.

Assumption: within a block the order of the cases was random, so that what disturbs the box is as likely to hit one as
the other. The sign test needs nothing else: no shape, no equal spread, no independence of the two cases (Dixon & Mood
1946, The statistical sign test). Logs make the ratio of A to B the inverse of that of B to A.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from corobench.statistics import order
from corobench.statistics.values import Estimate


def log_ratios(this: Mapping[int, float], other: Mapping[int, float]) -> list[float]:
    """ln(this / other) for each block that has both, both positive (a slope or a memory difference may not be)."""
    return [math.log(this[b] / other[b]) for b in sorted(this.keys() & other.keys()) if this[b] > 0 and other[b] > 0]


def ratio(logs: Sequence[float], confidence: float = order.CONFIDENCE) -> Estimate:
    """The median ratio (1 = no difference) with the interval that the sign test gives."""
    found = order.estimate(logs, confidence)
    return Estimate(
        center=math.exp(found.center),
        low=math.exp(found.low),
        high=math.exp(found.high),
        n=found.n,
        confidence=found.confidence,
    )


def p_below(logs: Sequence[float], bound: float) -> float:
    """One-sided sign test: how likely are so many values below `bound` if the median isn't? Ties count against it."""
    above_or_on = sum(value >= bound for value in logs)
    return order.tail(len(logs), above_or_on)


def p_above(logs: Sequence[float], bound: float) -> float:
    """The mirror of p_below."""
    return p_below([-value for value in logs], -bound)


def sign_test(logs: Sequence[float], null: float = 0.0) -> float:
    """Exact two-sided p value of "the median is `null`"; ties are left out, as Dixon & Mood do."""
    rest = [value for value in logs if value != null]
    if not rest:
        return 1.0
    return min(1.0, 2 * min(p_below(rest, null), p_above(rest, null)))


def half_width(value: Estimate) -> float:
    """Half of a ratio's interval on the log scale, as a ratio: 0.03 means about +-3 %."""
    return math.expm1((math.log(value.high) - math.log(value.low)) / 2)
