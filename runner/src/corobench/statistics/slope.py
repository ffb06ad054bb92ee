"""The cost of one more task: the Theil-Sen slope over a ladder of N.

Assumption: the cost is linear in N, and fewer than 29 % of the points are spoilt. The slope is the median of the slopes
between all pairs of points (Theil 1950; Sen 1968, JASA 63); least squares is 5 % biased by 10 % outliers. Linearity is
checked, not assumed: where the halves of the ladder disagree, the slope is no summary.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from corobench.statistics.order import median

NOT_LINEAR = 0.10


class Line(NamedTuple):
    """`slope` in units of y a unit of x, `intercept` in units of y."""

    slope: float
    intercept: float

    def residuals(self, points: Mapping[float, float]) -> dict[float, float]:
        """y minus the line, for each x."""
        return {x: y - self.slope * x - self.intercept for x, y in points.items()}


def theil_sen(points: Mapping[float, float]) -> Line:
    """The line through {x: y}; ValueError for fewer than two points. Intercept: the median of y - slope x."""
    if len(points) < 2:
        raise ValueError("a slope needs two points or more")
    ordered = sorted(points.items())
    slope = median((y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in combinations(ordered, 2))
    return Line(slope, median(y - slope * x for x, y in ordered))


def disagreement(points: Mapping[float, float]) -> float | None:
    """How far the slope of the upper half of the ladder is from that of the lower half, as a share of the whole slope.

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
