"""Paired and unpaired ratios, and the adjustments for many comparisons (Holm, Benjamini-Hochberg).

Assumption: within a block the order of the cases was random, so that what disturbs the box is as
likely to hit one as the other. The sign test needs nothing else: no shape, no equal spread, no
independence of the two cases (Dixon & Mood 1946, The statistical sign test). Logs make the ratio of
A to B the inverse of that of B to A.

Assumption: the samples are independent of each other, as two runs made one after the other are. The
limits are combined as by MOVER (Zou & Donner 2008, Statistics in Medicine 27): each side's distance
is the root of the sum of squares of the two distances, which keeps the confidence of the single
intervals about; their plain difference would be too wide.

Assumption: none about how the tests depend on each other (Holm 1979, A simple sequentially
rejective multiple test procedure, Scand. J. Stat. 6). Never less powerful than Bonferroni's.

Assumption: the tests are independent, or depend on each other positively, as numbers of one run do
(Benjamini & Hochberg 1995, J. R. Stat. Soc. B 57; Benjamini & Yekutieli 2001, Ann. Stat. 29). Where
nothing in the family has changed, anything at all is called with at most alpha (Simes 1986,
Biometrika 73): a false alarm. Where something has, at most a share alpha of what is called is
wrong. Holm's would hold every single claim to alpha; over the hundreds of numbers of two runs, with
ranks of a dozen blocks, it could then call nothing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

from corobench.statistics import estimates
from corobench.statistics.types import Estimate


def within(values: Mapping[int, float], blocks: Collection[int]) -> dict[int, float]:
    """The values of these blocks: what was interrupted is not paired."""
    return {block: value for block, value in values.items() if block in blocks}


def log_ratios(this: Mapping[int, float], other: Mapping[int, float]) -> list[float]:
    """ln(this / other) for each block that has both, in their order.

    A slope, or what is left of a difference, may not be positive. Leaving such a pair out would
    leave out the ends of what is measured: where only one of the two isn't, the pair keeps its side
    as -inf or inf, which ranks can deal with. Where neither is positive there is no side, and no
    pair.
    """
    both = [(this[block], other[block]) for block in sorted(this.keys() & other.keys())]
    return [_log(one, another) for one, another in both if one > 0 or another > 0]


def _log(this: float, other: float) -> float:
    if this > 0 and other > 0:
        return math.log(this / other)
    return math.inf if this > 0 else -math.inf


def paired_ratio(logs: Sequence[float], confidence: float = estimates.CONFIDENCE) -> Estimate:
    """The median ratio (1 = no difference) with the interval that the sign test gives; see
    is_finite.
    """
    found = estimates.median_interval(logs, confidence)
    return Estimate(
        center=math.exp(found.center),
        low=math.exp(found.low),
        high=math.exp(found.high),
        n=found.n,
        confidence=found.confidence,
    )


def paired_estimate(this: Mapping[int, float], other: Mapping[int, float]) -> Estimate | None:
    """The ratio of two cases; None where no block has both, or where it is no finite one."""
    logs = log_ratios(this, other)
    found = paired_ratio(logs) if logs else None
    return found if found and is_finite(found) else None


def is_finite(ratio: Estimate) -> bool:
    """Whether a ratio has a centre and two ends. Where values are not positive in too many blocks
    it has none, and is none.
    """
    return ratio.low > 0 and math.isfinite(ratio.center) and math.isfinite(ratio.high)


def p_below(logs: Sequence[float], bound: float) -> float:
    """One-sided sign test: how likely are so many values below `bound` if the median isn't? Ties
    count against it.
    """
    above_or_on = sum(value >= bound for value in logs)
    return estimates.tail(len(logs), above_or_on)


def p_above(logs: Sequence[float], bound: float) -> float:
    """The mirror of p_below."""
    return p_below([-value for value in logs], -bound)


def sign_test(logs: Sequence[float], null: float = 0.0) -> float:
    """Exact two-sided p value of "the median is `null`"; ties are left out, as Dixon & Mood do."""
    rest = [value for value in logs if value != null]
    if not rest:
        return 1.0
    return min(1.0, 2 * min(p_below(rest, null), p_above(rest, null)))


def ratio_half_width(value: Estimate) -> float:
    """Half of a ratio's interval on the log scale, as a ratio: 0.03 means about +-3 %."""
    return math.expm1((math.log(value.high) - math.log(value.low)) / 2)


def unpaired_ratio(
    before: Sequence[float], after: Sequence[float], confidence: float = estimates.CONFIDENCE
) -> Estimate:
    """exp(median(after) - median(before)) for two samples of logs, with its interval; confidence 0
    where one is too small.
    """
    first, second = (
        estimates.median_interval(before, confidence),
        estimates.median_interval(after, confidence),
    )
    low, high = _combine(first, second)
    known = min(first.confidence, second.confidence)
    return Estimate(
        center=math.exp(second.center - first.center),
        low=math.exp(low),
        high=math.exp(high),
        n=min(first.n, second.n),
        confidence=known,
    )


def unpaired_p_differs(before: Sequence[float], after: Sequence[float], bound: float) -> float:
    """Two-sided p value of "the medians differ by at most `bound`": 1 - the highest confidence
    whose interval is beyond it.
    """
    beyond = [c for c, low, high in _intervals(before, after) if low > bound or high < -bound]
    return 1 - max(beyond, default=0.0)


def unpaired_p_within(before: Sequence[float], after: Sequence[float], bound: float) -> float:
    """p value of "the medians differ by `bound` or more": half of 1 - the highest confidence whose
    interval is within.
    """
    within = [c for c, low, high in _intervals(before, after) if -bound < low and high < bound]
    return (1 - max(within)) / 2 if within else 1.0


def _intervals(
    before: Sequence[float], after: Sequence[float]
) -> Iterator[tuple[float, float, float]]:
    """(confidence, low, high) of the difference at every confidence that the ranks of both samples
    can give.
    """
    n = len(before), len(after)
    levels = {estimates.coverage(size, k) for size in n for k in range(1, size // 2 + 1)}
    for level in sorted(levels):
        if all(estimates.rank(size, level) for size in n):
            low, high = _combine(
                estimates.median_interval(before, level), estimates.median_interval(after, level)
            )
            yield level, low, high


def _combine(before: Estimate, after: Estimate) -> tuple[float, float]:
    center = after.center - before.center
    down = math.hypot(after.center - after.low, before.high - before.center)
    up = math.hypot(after.high - after.center, before.center - before.low)
    return center - down, center + up


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p values in the order given: reject those at most alpha, and the family errs with at
    most alpha.
    """
    size = len(p_values)
    adjusted = [1.0] * size
    running = 0.0
    for step, place in enumerate(sorted(range(size), key=p_values.__getitem__)):
        running = max(running, min(1.0, (size - step) * p_values[place]))
        adjusted[place] = running
    return adjusted


def holm_blocks_needed(family: int, alpha: float = 0.05) -> int:
    """The fewest blocks after which the sign test can decide anything in a family of this size.

    A design constant: it looks at no data, so that waiting for it is no stopping on significance.
    """
    n = 1
    while family * 2.0 ** (1 - n) > alpha:
        n += 1
    return n


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjusted p values in the order given: call those at most alpha."""
    size = len(p_values)
    adjusted = [1.0] * size
    running = 1.0
    for step, place in enumerate(sorted(range(size), key=p_values.__getitem__, reverse=True)):
        running = min(running, p_values[place] * size / (size - step))
        adjusted[place] = running
    return adjusted
