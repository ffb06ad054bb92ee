"""The A/A control, the verdicts of a family of paired comparisons, and groups of runtimes that are
tied.

Assumption: nothing tells the two apart but chance, so that their interval shows what this run can't
see. Layout alone moves identical code by about 1 % (Curtsinger & Berger 2013, STABILIZER), which is
therefore the least difference that is ever called one. A control of so few pairs that it has no 95
% interval shows nothing: its width would be that of luck.

A difference is claimed where two things hold: the sign test, held to 5 % over the family by Holm,
puts the median ratio beyond the 1 % that layout alone moves identical code, and the median itself
is beyond delta, what the A/A control of this run can't see. Asking for the whole interval to clear
delta would count the same noise twice, since delta already is such an interval's half-width: a true
10 % difference at a paired standard deviation of 6.5 % was then found with 25 blocks in 75 % of
cases, and in 97 % by this rule, while identical runtimes get a false verdict in under 1 % of
families by either (bench/simulate_verdicts.py). "Equal" claims that the ratio lies within +-delta
(two one-sided tests, Schuirmann 1987), again with Holm. Where delta is over 10 %, "equal" would say
nothing that anybody wants to hear, and is not said. The family is one column of the matrix: a
workload at a point on a track.

FIGURE carries the verdicts: the typical time. That is a choice by meaning. In the simulation the
floor finds more, and CPU time more still, but there CPU time is half of the log of a slowdown by
assumption; in real A/A pairs it was less noisy than wall time under load, and as noisy without
(docs/instrument.md). The typical time reaches the bounds too, and the others answer other
questions: a floor escapes collector pauses, and is the smallest of more iterations where a runtime
is faster; CPU time knows nothing of waiting.

A runtime opens a new group only if its paired interval clears the group's best by more than delta.
The best is chosen by the data, which favours the luckiest of equals; the margin of delta and an
error rate divided over all comparisons of the column hold that in check (bench/simulate_verdicts.py
shows how well).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from corobench.statistics import estimates
from corobench.statistics.estimates import median
from corobench.statistics.types import Estimate, Verdict

LEAST_DELTA = 0.01
LEAST_DELTA_ACROSS = 0.02  # between two runs: layout may have moved the case and its reference
CONTROL_OFF = 0.02
NO_CONTROL_DELTA = 0.05
# What is wider than this is told from others only by more than this: blocks that resemble each
# other, and that a quieter neighbour does not share, make a sign test err in 7 % of families.
NOISY_DELTA = 0.25


def usable_control(control: Estimate | None) -> Estimate | None:
    """The control where it has a 95 % interval with two ends, otherwise None."""
    known = (
        control is not None
        and control.confidence >= estimates.CONFIDENCE
        and estimates.is_finite(control)
    )
    return control if known else None


def noise_delta(control: Estimate | None) -> float:
    """The zone that counts as equal, as a ratio: max(1 %, half-width of the A/A interval); 5 %
    without a usable control.
    """
    known = usable_control(control)
    return max(LEAST_DELTA, estimates.ratio_half_width(known)) if known else NO_CONTROL_DELTA


def noise_failed(control: Estimate) -> bool:
    """More than 2 % off with an interval that excludes 1 (one that is no 95 % interval proves
    nothing).
    """
    off = abs(control.center - 1) > CONTROL_OFF
    return off and usable_control(control) is not None and not control.low <= 1 <= control.high


def run_noise_failed(logs: Mapping[str, list[float]], alpha: float = 0.05) -> list[str]:
    """The controls that fail when all of a run's are judged as one family: they mark the whole run.

    With some 30 controls a run, one in 25 excludes 1 by chance, so that sound runs would be marked.
    An alarm (estimates.py): by Holm's adjustment 13 controls of nine blocks, whose least p value is
    1 in 256, could not mark a run if all of them failed.
    """
    names = [name for name, values in logs.items() if values]
    adjusted = estimates.benjamini_hochberg([estimates.sign_test(logs[name]) for name in names])
    return [
        name
        for name, p in zip(names, adjusted, strict=True)
        if p <= alpha and noise_failed(estimates.paired_ratio(logs[name]))
    ]


def noise_floor(controls: Iterable[Estimate]) -> float | None:
    """The noise floor of a run: the median half-width of its usable A/A controls, at least 1 %,
    which is the layout's.

    None where there is none: that floor was not measured.
    """
    widths = [
        estimates.ratio_half_width(control) for control in controls if usable_control(control)
    ]
    return max(LEAST_DELTA, estimates.median(widths)) if widths else None


ALPHA = 0.05
MOST_EQUAL = 0.10
FIGURE = "median"


class Decision(NamedTuple):
    """`confidence`: 1 - the Holm-adjusted p value of the claim (of the nearest one where the
    verdict is inconclusive).
    """

    verdict: Verdict
    confidence: float


def decide(family: Mapping[str, list[float]], delta: float) -> dict[str, Decision]:
    """The verdicts of a family {name: log ratios by block}; `delta` as a ratio (0.01 is 1 %)."""
    names = list(family)
    differs = estimates.holm([p_differs(family[name]) for name in names])
    equal = estimates.holm([p_within(family[name], math.log1p(delta)) for name in names])
    return {
        name: judge(median(family[name]), delta, *pair)
        for name, *pair in zip(names, differs, equal, strict=True)
    }


def p_differs(logs: Sequence[float], least: float = LEAST_DELTA) -> float:
    """Two-sided p value of "the median ratio is within `least` of 1": 1 % in a run, and what layout
    may move between two.
    """
    bound = math.log1p(least)
    return min(1.0, 2 * min(estimates.p_below(logs, -bound), estimates.p_above(logs, bound)))


def p_within(logs: Sequence[float], bound: float) -> float:
    """p value of "the median log ratio is outside of +-bound"."""
    return max(estimates.p_above(logs, -bound), estimates.p_below(logs, bound))


def judge(center: float, delta: float, differs: float, equal: float) -> Decision:
    """The verdict of a median log ratio from the Holm-adjusted p values of its two possible
    claims.
    """
    if differs <= ALPHA and abs(center) > math.log1p(delta):
        return Decision("lower" if center < 0 else "higher", 1 - differs)
    if equal <= ALPHA and delta <= MOST_EQUAL:
        return Decision("equal", 1 - equal)
    return Decision("inconclusive", 1 - min(differs, equal))


def groups(
    samples: Mapping[str, Mapping[int, float]], delta: float, alpha: float = ALPHA
) -> dict[str, int]:
    """The group (1 is the lowest) of each runtime, from its values by block, where lower is
    better.
    """
    ordered = sorted(samples, key=lambda name: (median(samples[name].values()), name))
    bound = math.log1p(delta)
    level = alpha / max(1, len(ordered) - 1)
    found: dict[str, int] = {}
    best, group = "", 0
    for name in ordered:
        if not best or _clears(samples[name], samples[best], bound, level):
            best, group = name, group + 1
        found[name] = group
    return found


def with_noisy(
    found: Mapping[str, int],
    samples: Mapping[str, Mapping[int, float]],
    noisy: Mapping[str, Mapping[int, float]],
    delta: float,
    margins: Mapping[str, float] | None = None,
    alpha: float = ALPHA,
) -> dict[str, int]:
    """The groups `found` of `samples`, and those of the noisy numbers that have a place.

    `margins`: by how much each of these may be off, as a share, where that is more than 25 %. A
    ratio has to clear it, and that of the number it is compared with.

    A noisy number is the best of none, so that it blurs nothing between others. It has a place
    where its ratio to the best of every group tells on which side of it it stands, but for one
    group at most: in that one, or between two. Of several that stand between the same two, each is
    told from the others in the same way.
    """
    ordered: list[list[str]] = [[] for _ in range(max(found.values(), default=0))]
    for name in sorted(found, key=lambda name: (median(samples[name].values()), name)):
        ordered[found[name] - 1].append(name)
    values = {**samples, **noisy}
    bounds = {
        name: math.log1p(max(delta, NOISY_DELTA, (margins or {}).get(name, 0.0))) for name in noisy
    }
    level = alpha / max(1, len(found) + len(noisy) - 1)
    for name in sorted(noisy, key=lambda name: (median(noisy[name].values()), name)):
        bests = [
            (values[group[0]], max(bounds[name], bounds.get(group[0], 0.0))) for group in ordered
        ]
        place = _place(noisy[name], bests, level)
        match place:
            case (index, True):
                ordered[index].append(name)
            case (index, False):
                ordered.insert(index, [name])
    if len(ordered) == 1 and not found:
        return {}  # none is told from any other
    return {name: number for number, group in enumerate(ordered, 1) for name in group}


def _place(
    this: Mapping[int, float], bests: Sequence[tuple[Mapping[int, float], float]], level: float
) -> tuple[int, bool] | None:
    """Where a number stands among the bests of groups, each with the log ratio to be cleared: in
    which it is, or before which it stands (False). None where its ratios don't tell.
    """
    sides = [
        1 if _clears(this, best, bound, level) else -1 if _clears(best, this, bound, level) else 0
        for best, bound in bests
    ]
    if sides.count(0) > 1 or sides != sorted(sides, reverse=True):
        return None
    return (sides.index(0), True) if 0 in sides else (sides.count(1), False)


def group_blocks_needed(runtimes: int) -> int:
    """The fewest blocks that can tell two of so many runtimes apart. Fewer put all into one group,
    whatever they cost.
    """
    return estimates.holm_blocks_needed(max(1, runtimes - 1), ALPHA)


def _clears(
    this: Mapping[int, float], best: Mapping[int, float], bound: float, level: float
) -> bool:
    logs = estimates.log_ratios(this, best)
    return 2 * estimates.p_above(logs, bound) <= level


def sole_fastest(found: Mapping[str, int]) -> str | None:
    """The runtime that is alone in the first group, if one is."""
    first = [name for name, group in found.items() if group == 1]
    return first[0] if len(first) == 1 and len(found) > 1 else None
