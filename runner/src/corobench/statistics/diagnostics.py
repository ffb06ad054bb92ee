"""Drift, modes and steadiness of a sample, and other load on the box during an invocation.

Other-CPU is (busy time - own CPU time) / wall, in cores, for each core: of those that the program
could use, or of the whole box, whichever is more, so that one busy core of 64 that is not the
program's says little and one of two says much. In runs of before it was the whole box's, undivided.
/proc/stat counts in ticks, so that a short invocation can show a whole tick of nobody's work: one
tick is forgiven. Load biases ratios too (Method, What keeps a number out of the groups), so that
neither pairing nor the floor makes up for it.

Drift: Kendall's tau of value against block (Mann 1945; normal approximation with ties) together
with a Theil-Sen change over the run that matters. Modes: a gap in the sorted logs that is wide for
the spread on its two sides. Steadiness: the last third of the warm iterations against the first
third.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import NamedTuple

from corobench.results.log import Invocation, Witness
from corobench.statistics.estimates import median, theil_sen

OTHER_CORES = 0.1
OTHER_SHARE = 0.20
STEAL_SHARE = 0.01
TICK_NS = 10_000_000


def other_cores(invocation: Invocation, forgiven_ns: int = 0) -> float | None:
    """Cores that others used while this program ran, for each core; None where the box doesn't
    tell.
    """
    witness = invocation.witness
    if witness.busy_ns is None or witness.wall_ns <= 0:
        return None
    own = witness.user_ns + witness.system_ns + forgiven_ns
    everywhere = max(0, witness.busy_ns - own - witness.helpers_ns) / witness.wall_ns
    if witness.here_busy_ns is None or not witness.here_cpus or not witness.box_cpus:
        return everywhere
    here = max(0, witness.here_busy_ns - own - witness.here_helpers_ns) / witness.wall_ns
    return max(here / witness.here_cpus, everywhere / witness.box_cpus)


class Neighbours(NamedTuple):
    """What was seen of others while some invocations ran: in how many they used CPUs, of how many;
    stolen ns, and of how many.
    """

    disturbed: int
    known: int
    stolen_ns: int
    time_ns: int


def neighbours_seen(invocations: Iterable[Invocation]) -> Neighbours:
    """Of these, once for all of the numbers that are made from them."""
    listed = list(invocations)
    cores = [
        used for invocation in listed if (used := other_cores(invocation, TICK_NS)) is not None
    ]
    stolen = [
        _stolen(invocation.witness)
        for invocation in listed
        if invocation.witness.steal_ns is not None
    ]
    return Neighbours(
        disturbed=sum(used > OTHER_CORES for used in cores),
        known=len(cores),
        stolen_ns=sum(ns for ns, _ in stolen),
        time_ns=sum(of for _, of in stolen),
    )


def disturbed_share(neighbours: Iterable[Neighbours]) -> float | None:
    """The share of invocations in which others used more than 0.1 cores, beyond one tick."""
    found = list(neighbours)
    known = sum(one.known for one in found)
    return sum(one.disturbed for one in found) / known if known else None


def is_unseen(invocations: Iterable[Invocation]) -> bool:
    """Whether there are any and the box tells of none what others did: no flag then means
    nothing.
    """
    seen = [invocation.witness.busy_ns is not None for invocation in invocations]
    return bool(seen) and not any(seen)


def steal_share(neighbours: Iterable[Neighbours]) -> float | None:
    """CPU time that the hypervisor gave to others, as a share of the time of the program's CPUs, in
    all invocations together.

    In runs of before it is that of the whole box as a share of the wall time. Summed before
    dividing: a tick of steal is 10 % of a short invocation and would be an accident.
    """
    found = list(neighbours)
    time = sum(one.time_ns for one in found)
    return sum(one.stolen_ns for one in found) / time if time else None


def _stolen(witness: Witness) -> tuple[int, int]:
    """Stolen ns, and the ns of which they were stolen."""
    if witness.here_steal_ns is None or not witness.here_cpus:
        return witness.steal_ns or 0, witness.wall_ns
    return witness.here_steal_ns, witness.wall_ns * witness.here_cpus


DRIFT_SHARE = 0.05
DRIFT_P = 0.01
MODES_SHARE = 0.05
MODES_GAP = 60.0
MODES_SIDE = 0.20
STEADY_SHARE = 0.10
LEAST_BLOCKS = 9
LEAST_WARM = 6


def kendall_p(values: Sequence[float]) -> float:
    """Two-sided p value of "no trend" for values in time order (Kendall & Gibbons 1990, with
    continuity correction).
    """
    n = len(values)
    score = sum((b > a) - (b < a) for a, b in combinations(values, 2))
    ties = [values.count(value) for value in set(values)]
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)) / 18
    if variance <= 0:
        return 1.0
    return 2 * (1 - NormalDist().cdf(max(0, abs(score) - 1) / math.sqrt(variance)))


def drift(values: Mapping[int, float]) -> float | None:
    """The relative change from the first to the last block, where it is a trend and over 5 %;
    otherwise None.
    """
    ordered = [values[block] for block in sorted(values)]
    if len(ordered) < LEAST_BLOCKS or kendall_p(ordered) > DRIFT_P:
        return None
    line = theil_sen({float(block): value for block, value in values.items()})
    middle = median(ordered)
    change = line.slope * (max(values) - min(values)) / abs(middle) if middle else 0.0
    return change if abs(change) > DRIFT_SHARE else None


def modes(values: Sequence[float]) -> float | None:
    """The ratio of the upper mode to the lower one, where there are two; otherwise None.

    Each side must hold a fifth of the values (and three). The gap is judged in mean absolute
    deviations within the sides, against 60 / n: spacings shrink as samples grow, and by simulation
    this calls 1 % of one-mode samples (normal, gamma, lognormal, 9 to 51 values) two modes, and
    finds 3 of 4 pairs of modes 7 standard deviations apart.
    """
    if len(values) < LEAST_BLOCKS or min(values) <= 0:
        return None
    logs = sorted(math.log(value) for value in values)
    side = max(3, math.ceil(MODES_SIDE * len(logs)))
    for split in range(side, len(logs) - side + 1):
        lower, upper = logs[:split], logs[split:]
        centers = median(lower), median(upper)
        spread = (
            sum(abs(x - centers[0]) for x in lower) + sum(abs(x - centers[1]) for x in upper)
        ) / len(logs)
        gap = upper[0] - lower[-1]
        if gap > MODES_GAP / len(logs) * spread and centers[1] - centers[0] > math.log1p(
            MODES_SHARE
        ):
            return math.exp(centers[1] - centers[0])
    return None


def trend(warm: Sequence[float]) -> float | None:
    """The last third of the warm iterations against the first, as the log of their ratio; 0 where
    that is under 10 %. None where they are too few to tell.
    """
    if len(warm) < LEAST_WARM:
        return None
    third = len(warm) // 3
    change = math.log(median(warm[-third:]) / median(warm[:third]))
    return change if abs(change) > math.log1p(STEADY_SHARE) else 0.0
