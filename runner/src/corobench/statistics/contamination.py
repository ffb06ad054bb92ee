"""What the witness of each invocation says about the neighbours: other programs on the CPUs, and the hypervisor.

Other-CPU is (busy time of the box - own CPU time) / wall, in cores. /proc/stat counts in ticks, so that a short invocation
can show a whole tick of nobody's work: one tick is forgiven. Load biases ratios too (MEASUREMENT, "Contamination"), so that
neither pairing nor the floor makes up for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from corobench.store import Invocation

OTHER_CORES = 0.1
OTHER_SHARE = 0.20
STEAL_SHARE = 0.01
TICK_NS = 10_000_000


def other_cores(invocation: Invocation, forgiven_ns: int = 0) -> float | None:
    """Cores that others used while this program ran; None where the box doesn't tell."""
    witness = invocation.witness
    if witness.busy_ns is None or witness.wall_ns <= 0:
        return None
    own = witness.user_ns + witness.system_ns + witness.helpers_ns
    return max(0.0, (witness.busy_ns - own - forgiven_ns) / witness.wall_ns)


def disturbed_share(invocations: Iterable[Invocation]) -> float | None:
    """The share of invocations in which others used more than 0.1 cores, beyond one tick."""
    cores = [other_cores(invocation, TICK_NS) for invocation in invocations]
    known = [value for value in cores if value is not None]
    return sum(value > OTHER_CORES for value in known) / len(known) if known else None


def steal_share(invocations: Iterable[Invocation]) -> float | None:
    """CPU time that the hypervisor gave to others, as a share of the wall time of all invocations together.

    Summed before dividing: a tick of steal is 10 % of a short invocation and would be an accident.
    """
    known = [i.witness for i in invocations if i.witness.steal_ns is not None]
    wall = sum(witness.wall_ns for witness in known)
    return sum(witness.steal_ns or 0 for witness in known) / wall if wall else None
