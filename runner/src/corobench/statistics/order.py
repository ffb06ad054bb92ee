"""The median with its exact order-statistic interval.

Assumption: the values are independent draws from one continuous distribution, of any shape. Then the median lies
between the k-th smallest and the k-th largest value with a probability that only n and k decide (binomial at 1/2;
David & Nagaraja, Order Statistics, 3rd ed., section 7.1). Mean and t would assume a shape that timings don't have.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from math import comb

from corobench.statistics.values import Estimate

CONFIDENCE = 0.95


def median(values: Iterable[float]) -> float:
    """The middle value. ValueError for none."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no median of no values")
    return _middle(ordered)


def _middle(ordered: Sequence[float]) -> float:
    """As statistics.median says it, of numbers that are in order already: a summary asks for tens of thousands."""
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


@cache
def tail(n: int, k: int) -> float:
    """P(at most k of n fair coins show heads)."""
    return sum(comb(n, i) for i in range(k + 1)) / 2**n if k >= 0 else 0.0


def coverage(n: int, k: int) -> float:
    """The probability that [k-th smallest, k-th largest] of n values holds the median (k = 1, 2 ...)."""
    return 1 - 2 * tail(n, k - 1)


@cache
def rank(n: int, confidence: float = CONFIDENCE) -> int:
    """The largest k whose interval still covers with `confidence`; 0 where even the extremes don't."""
    return bisect_left(range(1, (n + 1) // 2 + 1), True, key=lambda k: coverage(n, k) < confidence)


def estimate(values: Iterable[float], confidence: float = CONFIDENCE) -> Estimate:
    """Median and interval, in the unit of the values; the extremes and confidence 0 where n is too small for it."""
    ordered = sorted(values)
    n = len(ordered)
    k = rank(n, confidence)
    low, high = (ordered[k - 1], ordered[n - k]) if k else (min(ordered, default=0.0), max(ordered, default=0.0))
    return Estimate(center=median(ordered), low=low, high=high, n=n, confidence=coverage(n, k) if k else 0.0)


def half_width(value: Estimate) -> float:
    """Half of the interval as a share of the centre; 0 for an exact value, infinite around 0."""
    width = (value.high - value.low) / 2
    if width == 0:
        return 0.0
    return width / abs(value.center) if value.center else float("inf")
