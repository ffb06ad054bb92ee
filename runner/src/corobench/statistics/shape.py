"""Whether a sample of invocations, or the iterations within one, has the shape that a median can stand for.

Drift: Kendall's tau of value against block (Mann 1945; normal approximation with ties) together with a Theil-Sen change
over the run that matters. Modes: a gap in the sorted logs that is wide for the spread on its two sides. Steadiness: the
last third of the warm iterations against the first third.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import NormalDist

from corobench.statistics.order import median
from corobench.statistics.slope import theil_sen

DRIFT_SHARE = 0.05
DRIFT_P = 0.01
MODES_SHARE = 0.05
MODES_GAP = 60.0
MODES_SIDE = 0.20
STEADY_SHARE = 0.10
LEAST_BLOCKS = 9
LEAST_WARM = 6


def kendall_p(values: Sequence[float]) -> float:
    """Two-sided p value of "no trend" for values in time order (Kendall & Gibbons 1990, with continuity correction)."""
    n = len(values)
    score = sum((b > a) - (b < a) for a, b in combinations(values, 2))
    ties = [values.count(value) for value in set(values)]
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)) / 18
    if variance <= 0:
        return 1.0
    return 2 * (1 - NormalDist().cdf(max(0, abs(score) - 1) / math.sqrt(variance)))


def drift(values: Mapping[int, float]) -> float | None:
    """The relative change from the first to the last block, where it is a trend and over 5 %; otherwise None."""
    ordered = [values[block] for block in sorted(values)]
    if len(ordered) < LEAST_BLOCKS or kendall_p(ordered) > DRIFT_P:
        return None
    line = theil_sen({float(block): value for block, value in values.items()})
    middle = median(ordered)
    change = line.slope * (max(values) - min(values)) / abs(middle) if middle else 0.0
    return change if abs(change) > DRIFT_SHARE else None


def modes(values: Sequence[float]) -> float | None:
    """The ratio of the upper mode to the lower one, where there are two; otherwise None.

    Each side must hold a fifth of the values (and three). The gap is judged in mean absolute deviations within the sides,
    against 60 / n: spacings shrink as samples grow, and by simulation this calls 1 % of one-mode samples (normal, gamma,
    lognormal, 9 to 51 values) two modes, and finds 3 of 4 pairs of modes 7 standard deviations apart.
    """
    if len(values) < LEAST_BLOCKS or min(values) <= 0:
        return None
    logs = sorted(math.log(value) for value in values)
    side = max(3, math.ceil(MODES_SIDE * len(logs)))
    for split in range(side, len(logs) - side + 1):
        lower, upper = logs[:split], logs[split:]
        centers = median(lower), median(upper)
        spread = (sum(abs(x - centers[0]) for x in lower) + sum(abs(x - centers[1]) for x in upper)) / len(logs)
        gap = upper[0] - lower[-1]
        if gap > MODES_GAP / len(logs) * spread and centers[1] - centers[0] > math.log1p(MODES_SHARE):
            return math.exp(centers[1] - centers[0])
    return None


def unsteady(warm: Sequence[float]) -> int | None:
    """-1 where the last third of the warm iterations is over 10 % faster than the first, 1 where slower, otherwise 0.

    None where they are too few to tell.
    """
    if len(warm) < LEAST_WARM:
        return None
    third = len(warm) // 3
    change = math.log(median(warm[-third:]) / median(warm[:third]))
    return (change > math.log1p(STEADY_SHARE)) - (change < -math.log1p(STEADY_SHARE))
