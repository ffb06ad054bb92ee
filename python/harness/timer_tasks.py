"""Tasks that wait for a time: the deadlines of timers, and the bare timers of memory-timer."""

import os
from array import array
from collections.abc import Callable
from time import monotonic_ns
from typing import Generic, NoReturn, TypeVar

from harness import Lap, Program
from parking import Lot
from tracing import Tracing

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


HOUR = 3600.0  # seconds

Handle = TypeVar("Handle")


def fired() -> NoReturn:
    """What every timer would call."""
    raise RuntimeError("a timer of an hour has fired")


class Timers(Generic[Handle]):
    """The timers of one iteration; between `cancel` and `released` the runtime may take a turn to forget them."""

    def __init__(self, program: Program, trace: Tracing) -> None:
        self._n = program["n"]
        self._lot = Lot(program, trace, None)
        self._handles: list[Handle] = []
        self._created = self._cancelled = 0

    def live(self, arm: Callable[[], Handle]) -> None:
        self._lot.hold("base")
        for i in range(self._n):
            self._handles.append(arm())
            self._lot.park(i)
        self._created = len(self._handles)
        self._lot.hold_twice("live")

    def cancel(self, disarm: Callable[[Handle], bool]) -> None:
        """`disarm` says whether the timer was pending and no longer is."""
        while self._handles:
            self._cancelled += disarm(self._handles.pop())
            self._lot.leave()

    def released(self) -> None:
        self._lot.hold_twice("released")

    def record(self, lap: Lap) -> None:
        lap.record(ops=self._created, created=self._created, finished=self._cancelled)
