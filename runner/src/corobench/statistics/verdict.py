"""Lower, higher, equal or inconclusive, for a family of paired comparisons that are shown together.

A difference is claimed where two things hold: the sign test, held to 5 % over the family by Holm, puts the median ratio
beyond the 1 % that layout alone moves identical code, and the median itself is beyond delta, what the A/A control of this
run can't see. Asking for the whole interval to clear delta would count the same noise twice, since delta already is such an
interval's half-width: a true 10 % difference at a paired standard deviation of 6.5 % was then found with 25 blocks in 75 %
of cases, and in 97 % by this rule, while identical runtimes get a false verdict in under 1 % of families by either
(bench/simulate_verdicts.py). "Equal" claims that the ratio lies within +-delta (two one-sided tests, Schuirmann 1987), again
with Holm. Where delta is over 10 %, "equal" would say nothing that anybody wants to hear, and is not said. The family is one
column of the matrix: a workload at a point on a track.

FIGURE carries the verdicts: the typical time. That is a choice by meaning. In the simulation the floor finds more, and CPU
time more still, but there CPU time is half of the log of a slowdown by assumption; in real A/A pairs it was less noisy than
wall time under load, and as noisy without (bench/README.md). The typical time reaches the bounds too, and the others answer
other questions: a floor escapes collector pauses, and is the smallest of more iterations where a runtime is faster; CPU time
knows nothing of waiting.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corobench.statistics import holm, paired
from corobench.statistics.noise import LEAST_DELTA
from corobench.statistics.order import median
from corobench.statistics.values import Verdict

ALPHA = 0.05
MOST_EQUAL = 0.10
FIGURE = "typical"


class Decision(NamedTuple):
    """`confidence`: 1 - the Holm-adjusted p value of the claim (of the nearest one where the verdict is inconclusive)."""

    verdict: Verdict
    confidence: float


def decide(family: Mapping[str, list[float]], delta: float) -> dict[str, Decision]:
    """The verdicts of a family {name: log ratios by block}; `delta` as a ratio (0.01 is 1 %)."""
    names = list(family)
    differs = holm.adjust([p_differs(family[name]) for name in names])
    equal = holm.adjust([p_within(family[name], math.log1p(delta)) for name in names])
    return {name: judge(median(family[name]), delta, *pair) for name, *pair in zip(names, differs, equal, strict=True)}


def p_differs(logs: Sequence[float], least: float = LEAST_DELTA) -> float:
    """Two-sided p value of "the median ratio is within `least` of 1": 1 % in a run, and what layout may move between two."""
    bound = math.log1p(least)
    return min(1.0, 2 * min(paired.p_below(logs, -bound), paired.p_above(logs, bound)))


def p_within(logs: Sequence[float], bound: float) -> float:
    """p value of "the median log ratio is outside of +-bound"."""
    return max(paired.p_above(logs, -bound), paired.p_below(logs, bound))


def judge(center: float, delta: float, differs: float, equal: float) -> Decision:
    """The verdict of a median log ratio from the Holm-adjusted p values of its two possible claims."""
    if differs <= ALPHA and abs(center) > math.log1p(delta):
        return Decision("lower" if center < 0 else "higher", 1 - differs)
    if equal <= ALPHA and delta <= MOST_EQUAL:
        return Decision("equal", 1 - equal)
    return Decision("inconclusive", 1 - min(differs, equal))
