"""Two cases compared block by block: the median log ratio with its sign-test interval.

Assumption: within a block the order of the cases was random, so that what disturbs the box is as likely to hit one as
the other. The sign test needs nothing else: no shape, no equal spread, no independence of the two cases (Dixon & Mood
1946, The statistical sign test). Logs make the ratio of A to B the inverse of that of B to A.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from corobench.statistics import order
from corobench.statistics.values import Estimate


def within(values: Mapping[int, float], blocks: Collection[int]) -> dict[int, float]:
    """The values of these blocks: what was interrupted is not paired."""
    return {block: value for block, value in values.items() if block in blocks}


def log_ratios(this: Mapping[int, float], other: Mapping[int, float]) -> list[float]:
    """ln(this / other) for each block that has both, in their order.

    A slope, or what is left of a difference, may not be positive. Leaving such a pair out would leave out the ends of what
    is measured: where only one of the two isn't, the pair keeps its side as -inf or inf, which ranks can deal with. Where
    neither is positive there is no side, and no pair.
    """
    both = [(this[block], other[block]) for block in sorted(this.keys() & other.keys())]
    return [_log(one, another) for one, another in both if one > 0 or another > 0]


def _log(this: float, other: float) -> float:
    if this > 0 and other > 0:
        return math.log(this / other)
    return math.inf if this > 0 else -math.inf


def ratio(logs: Sequence[float], confidence: float = order.CONFIDENCE) -> Estimate:
    """The median ratio (1 = no difference) with the interval that the sign test gives; see is_finite."""
    found = order.estimate(logs, confidence)
    return Estimate(
        center=math.exp(found.center),
        low=math.exp(found.low),
        high=math.exp(found.high),
        n=found.n,
        confidence=found.confidence,
    )


def compared(this: Mapping[int, float], other: Mapping[int, float]) -> Estimate | None:
    """The ratio of two cases; None where no block has both, or where it is no finite one."""
    logs = log_ratios(this, other)
    found = ratio(logs) if logs else None
    return found if found and is_finite(found) else None


def is_finite(ratio: Estimate) -> bool:
    """Whether a ratio has a centre and two ends. Where values are not positive in too many blocks it has none, and is none."""
    return ratio.low > 0 and math.isfinite(ratio.center) and math.isfinite(ratio.high)


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
