"""Estimates with exact intervals: median, ratio, serial correlation, Theil-Sen slope. And the
adjustments for many comparisons (Holm, Benjamini-Hochberg).

Medians. Assumption: the values are independent draws from one continuous distribution, of any
shape. Then the median lies between the k-th smallest and the k-th largest value with a probability
that only n and k decide (binomial at 1/2; David & Nagaraja, Order Statistics, 3rd ed., section
7.1). Mean and t would assume a shape that timings don't have.

A run that stops as soon as a 95 % interval is narrow enough stops on those that are narrow by luck,
and these miss the truth more often: in simulation one ratio of paired deviation 6.5 %, with a
target of 3 % and looks after 9, 12, 17, 25, 37 and 51 blocks, is then held in 92.5 % of cases
instead of 95 %. So the 99 % interval, which rests on ranks further out, must not be wider either
than it would be beside such a 95 % interval under a normal distribution. With that the truth is
held in 94 % (bench/stopping.py), for a fifth more blocks; a smaller target alone costs as much and
helps less.

The order-statistic interval is exact for independent values only. On a shared box busy spells
outlast a block, and what was measured in one is not independent: in simulation
(bench/simulate_verdicts.py) the plain interval then holds the truth in 88 % of cases instead of 95
%. So the lag-1 correlation of the ranks (Bartels 1982, JASA 77) is estimated, with the bias of 1/n
put back, and where it exceeds half of its standard error the interval reaches for ranks that are
sqrt((1 + r) / (1 - r)) times as far from the middle (a first-order process). Never narrower than
the exact one. Ratios don't need it: they are paired within blocks.

Slopes. Assumption: the cost is linear in N, and fewer than 29 % of the points are spoilt. The slope
is the median of the slopes between all pairs of points (Theil 1950; Sen 1968, JASA 63); least
squares is 5 % biased by 10 % outliers. Linearity is checked, not assumed: where the halves of the
ladder disagree, the slope is no summary.

Ratios in pairs. Assumption: within a block the order of the cases was random, so that what disturbs
the box is as likely to hit one as the other. The sign test needs nothing else: no shape, no equal
spread, no independence of the two cases (Dixon & Mood 1946, The statistical sign test). Logs make
the ratio of A to B the inverse of that of B to A.

Ratios of two runs. Assumption: the samples are independent of each other, as two runs made one
after the other are. The limits are combined as by MOVER (Zou & Donner 2008, Statistics in Medicine
27): each side's distance is the root of the sum of squares of the two distances, which keeps the
confidence of the single intervals about; their plain difference would be too wide.

Holm. Assumption: none about how the tests depend on each other (Holm 1979, A simple sequentially
rejective multiple test procedure, Scand. J. Stat. 6). Never less powerful than Bonferroni's.

Benjamini-Hochberg. Assumption: the tests are independent, or depend on each other positively, as
numbers of one run do (Benjamini & Hochberg 1995, J. R. Stat. Soc. B 57; Benjamini & Yekutieli 2001,
Ann. Stat. 29). Where nothing in the family has changed, anything at all is called with at most
alpha (Simes 1986, Biometrika 73): a false alarm. Where something has, at most a share alpha of what
is called is wrong. Holm's would hold every single claim to alpha; over the hundreds of numbers of
two runs, with ranks of a dozen blocks, it could then call nothing.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise
from math import comb
from statistics import NormalDist
from typing import NamedTuple

from corobench.statistics.types import Estimate

CONFIDENCE = 0.95


def median(values: Iterable[float]) -> float:
    """The middle value. ValueError for none."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no median of no values")
    return _middle(ordered)


def _middle(ordered: Sequence[float]) -> float:
    """As statistics.median says it, of numbers that are in order already: a summary asks for tens
    of thousands.
    """
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


@cache
def tail(n: int, k: int) -> float:
    """P(at most k of n fair coins show heads)."""
    return sum(comb(n, i) for i in range(k + 1)) / 2**n if k >= 0 else 0.0


def coverage(n: int, k: int) -> float:
    """The probability that [k-th smallest, k-th largest] of n values holds the median (k = 1, 2
    ...).
    """
    return 1 - 2 * tail(n, k - 1)


@cache
def rank(n: int, confidence: float = CONFIDENCE) -> int:
    """The largest k whose interval still covers with `confidence`; 0 where even the extremes
    don't.
    """
    return bisect_left(range(1, (n + 1) // 2 + 1), True, key=lambda k: coverage(n, k) < confidence)


def median_interval(values: Iterable[float], confidence: float = CONFIDENCE) -> Estimate:
    """Median and interval, in the unit of the values; the extremes and confidence 0 where n is too
    small for it.
    """
    ordered = sorted(values)
    n = len(ordered)
    k = rank(n, confidence)
    low, high = (
        (ordered[k - 1], ordered[n - k])
        if k
        else (min(ordered, default=0.0), max(ordered, default=0.0))
    )
    return Estimate(
        center=median(ordered), low=low, high=high, n=n, confidence=coverage(n, k) if k else 0.0
    )


def half_width(value: Estimate) -> float:
    """Half of the interval as a share of the centre; 0 for an exact value, infinite around 0."""
    width = (value.high - value.low) / 2
    if width == 0:
        return 0.0
    return width / abs(value.center) if value.center else float("inf")


WIDER = 0.99
RATIO = NormalDist().inv_cdf((1 + WIDER) / 2) / NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def width(own: float, wide: float | None) -> float:
    """The half-width that is held against a target, from those of the 95 % interval and, where it
    is known, of the 99 % one.
    """
    return own if wide is None else max(own, wide / RATIO)


MOST = 0.9


def serial_median_interval(values: Mapping[int, float], confidence: float = CONFIDENCE) -> Estimate:
    """Median and interval of {block: value}. `confidence` is the coverage of the ranks taken, were
    the values independent.
    """
    in_time = [values[block] for block in sorted(values)]
    exact = median_interval(in_time, confidence)
    k, n = rank(len(in_time), confidence), len(in_time)
    r = correlation(in_time) if k else 0.0
    if r * math.sqrt(n) < 0.5:
        return exact
    inflation = math.sqrt((1 + r) / (1 - r))
    middle = (n + 1) / 2
    wider = max(1, math.floor(middle - (middle - k) * inflation))
    ordered = sorted(in_time)
    return Estimate(
        center=exact.center,
        low=ordered[wider - 1],
        high=ordered[n - wider],
        n=n,
        confidence=coverage(n, wider),
    )


def correlation(in_time: Sequence[float]) -> float:
    """Lag-1 correlation of the ranks between 0 and 0.9, corrected for its bias of -1/n; 0 for
    values that are all equal.
    """
    n = len(in_time)
    ordered = sorted(in_time)
    ranks = [
        (bisect_left(ordered, value) + bisect_right(ordered, value)) / 2 - n / 2
        for value in in_time
    ]
    square = sum(rank * rank for rank in ranks)
    if square == 0:
        return 0.0
    product = sum(a * b for a, b in pairwise(ranks))
    return min(MOST, max(0.0, product / square + 1 / n))


NOT_LINEAR = 0.10


class Line(NamedTuple):
    """`slope` in units of y a unit of x, `intercept` in units of y."""

    slope: float
    intercept: float

    def residuals(self, points: Mapping[float, float]) -> dict[float, float]:
        """y minus the line, for each x."""
        return {x: y - self.slope * x - self.intercept for x, y in points.items()}


def theil_sen(points: Mapping[float, float]) -> Line:
    """The line through {x: y}; ValueError for fewer than two points. Intercept: the median of y -
    slope x.
    """
    if len(points) < 2:
        raise ValueError("a slope needs two points or more")
    ordered = sorted(points.items())
    slope = median((y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in combinations(ordered, 2))
    return Line(slope, median(y - slope * x for x, y in ordered))


def disagreement(points: Mapping[float, float]) -> float | None:
    """How far the slope of the upper half of the ladder is from that of the lower half, as a share
    of the whole slope.

    Points in the middle belong to both halves. None where there are fewer than three points.
    """
    ordered = sorted(points.items())
    if len(ordered) < 3:
        return None
    half = len(ordered) // 2 + 1
    lower, upper = theil_sen(dict(ordered[:half])).slope, theil_sen(dict(ordered[-half:])).slope
    whole = theil_sen(points).slope
    if upper == lower:
        return 0.0
    return abs(upper - lower) / abs(whole) if whole else float("inf")


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


def paired_ratio(logs: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """The median ratio (1 = no difference) with the interval that the sign test gives; see
    is_finite.
    """
    found = median_interval(logs, confidence)
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
    return tail(len(logs), above_or_on)


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
    before: Sequence[float], after: Sequence[float], confidence: float = CONFIDENCE
) -> Estimate:
    """exp(median(after) - median(before)) for two samples of logs, with its interval; confidence 0
    where one is too small.
    """
    first, second = (
        median_interval(before, confidence),
        median_interval(after, confidence),
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
    levels = {coverage(size, k) for size in n for k in range(1, size // 2 + 1)}
    for level in sorted(levels):
        if all(rank(size, level) for size in n):
            low, high = _combine(median_interval(before, level), median_interval(after, level))
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
