"""What the witness of each invocation says about the neighbours: other programs on the CPUs, and the hypervisor.

Other-CPU is (busy time - own CPU time) / wall, in cores, for each core: of those that the program could use, or of the whole
box, whichever is more, so that one busy core of 64 that is not the program's says little and one of two says much. In runs of
before it was the whole box's, undivided. /proc/stat counts in ticks, so that a short invocation can show a whole tick of
nobody's work: one tick is forgiven. Load biases ratios too (Method, What keeps a number out of the groups), so that
neither pairing nor the floor makes up for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from corobench.store import Invocation, Witness

OTHER_CORES = 0.1
OTHER_SHARE = 0.20
STEAL_SHARE = 0.01
TICK_NS = 10_000_000


def other_cores(invocation: Invocation, forgiven_ns: int = 0) -> float | None:
    """Cores that others used while this program ran, for each core; None where the box doesn't tell."""
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
    """What was seen of others while some invocations ran: in how many they used CPUs, of how many; stolen ns, and of how many."""

    disturbed: int
    known: int
    stolen_ns: int
    time_ns: int


def seen(invocations: Iterable[Invocation]) -> Neighbours:
    """Of these, once for all of the numbers that are made from them."""
    listed = list(invocations)
    cores = [used for invocation in listed if (used := other_cores(invocation, TICK_NS)) is not None]
    stolen = [_stolen(invocation.witness) for invocation in listed if invocation.witness.steal_ns is not None]
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
    """Whether there are any and the box tells of none what others did: no flag then means nothing."""
    seen = [invocation.witness.busy_ns is not None for invocation in invocations]
    return bool(seen) and not any(seen)


def steal_share(neighbours: Iterable[Neighbours]) -> float | None:
    """CPU time that the hypervisor gave to others, as a share of the time of the program's CPUs, in all invocations together.

    In runs of before it is that of the whole box as a share of the wall time. Summed before dividing: a tick of steal is 10 %
    of a short invocation and would be an accident.
    """
    found = list(neighbours)
    time = sum(one.time_ns for one in found)
    return sum(one.stolen_ns for one in found) / time if time else None


def _stolen(witness: Witness) -> tuple[int, int]:
    """Stolen ns, and the ns of which they were stolen."""
    if witness.here_steal_ns is None or not witness.here_cpus:
        return witness.steal_ns or 0, witness.wall_ns
    return witness.here_steal_ns, witness.wall_ns * witness.here_cpus
