"""When the tasks of timers are to wake: spread over a second after a lead, and how late each was."""

import os
from array import array
from time import monotonic_ns

from harness import Lap, Program

SECOND_NS = 1_000_000_000
EARLY_NS = int(os.environ.get("COROBENCH_EARLY_US", "1000")) * 1000
"""A task that woke earlier than this before its deadline woke too early; the manifest says where a loop's timers are coarser."""


class Deadlines:
    """Absolute deadlines of n tasks, counted from when this was made; times in nanoseconds of the monotonic clock."""

    def __init__(self, program: Program) -> None:
        self._n = program["n"]
        self._lead_ns = program["lead"] * 1_000_000
        self._late_ns = array("q", bytes(8 * self._n))  # below none where a task woke before its deadline
        self._start_ns = monotonic_ns()

    def left(self, i: int) -> float:
        """Seconds until task i is to wake, never less than none."""
        return max(0, self._deadline_ns(i) - monotonic_ns()) / SECOND_NS

    def wake(self, i: int) -> None:
        self._late_ns[i] = monotonic_ns() - self._deadline_ns(i)

    def _deadline_ns(self, i: int) -> int:
        return self._start_ns + self._lead_ns + i * SECOND_NS // self._n

    def record(self, program: Program, lap: Lap, created: int, finished: int, checksum: int) -> None:
        early = sum(late_ns < -EARLY_NS for late_ns in self._late_ns)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum, early=early)
        program.series("lateness", array("q", (max(0, late_ns) for late_ns in self._late_ns)))
