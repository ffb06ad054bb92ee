"""Estimates with exact intervals: median, serial correlation, Theil-Sen slope.

Assumption: the values are independent draws from one continuous distribution, of any shape. Then
the median lies between the k-th smallest and the k-th largest value with a probability that only n
and k decide (binomial at 1/2; David & Nagaraja, Order Statistics, 3rd ed., section 7.1). Mean and t
would assume a shape that timings don't have.

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

Assumption: the cost is linear in N, and fewer than 29 % of the points are spoilt. The slope is the
median of the slopes between all pairs of points (Theil 1950; Sen 1968, JASA 63); least squares is 5
% biased by 10 % outliers. Linearity is checked, not assumed: where the halves of the ladder
disagree, the slope is no summary.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
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
