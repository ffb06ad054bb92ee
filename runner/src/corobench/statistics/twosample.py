"""The ratio between two independent samples of logs: the difference of their medians, from their two intervals.

Assumption: the samples are independent of each other, as two runs made one after the other are. The limits are combined as
by MOVER (Zou & Donner 2008, Statistics in Medicine 27): each side's distance is the root of the sum of squares of the two
distances, which keeps the confidence of the single intervals about; their plain difference would be too wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from corobench.statistics import order
from corobench.statistics.values import Estimate


def ratio(before: Sequence[float], after: Sequence[float], confidence: float = order.CONFIDENCE) -> Estimate:
    """exp(median(after) - median(before)) for two samples of logs, with its interval; confidence 0 where one is too small."""
    first, second = order.estimate(before, confidence), order.estimate(after, confidence)
    low, high = _combine(first, second)
    known = min(first.confidence, second.confidence)
    return Estimate(
        center=math.exp(second.center - first.center),
        low=math.exp(low),
        high=math.exp(high),
        n=min(first.n, second.n),
        confidence=known,
    )


def p_differs(before: Sequence[float], after: Sequence[float], bound: float) -> float:
    """Two-sided p value of "the medians differ by at most `bound`": 1 - the highest confidence whose interval is beyond it."""
    beyond = [c for c, low, high in _intervals(before, after) if low > bound or high < -bound]
    return 1 - max(beyond, default=0.0)


def p_within(before: Sequence[float], after: Sequence[float], bound: float) -> float:
    """p value of "the medians differ by `bound` or more": half of 1 - the highest confidence whose interval is within."""
    within = [c for c, low, high in _intervals(before, after) if -bound < low and high < bound]
    return (1 - max(within)) / 2 if within else 1.0


def _intervals(before: Sequence[float], after: Sequence[float]) -> Iterator[tuple[float, float, float]]:
    """(confidence, low, high) of the difference at every confidence that the ranks of both samples can give."""
    n = len(before), len(after)
    levels = {order.coverage(size, k) for size in n for k in range(1, size // 2 + 1)}
    for level in sorted(levels):
        if all(order.rank(size, level) for size in n):
            low, high = _combine(order.estimate(before, level), order.estimate(after, level))
            yield level, low, high


def _combine(before: Estimate, after: Estimate) -> tuple[float, float]:
    center = after.center - before.center
    down = math.hypot(after.center - after.low, before.high - before.center)
    up = math.hypot(after.high - after.center, before.center - before.low)
    return center - down, center + up
