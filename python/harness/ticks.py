"""A ticker on an absolute schedule, and the load beside it."""

from array import array
from collections.abc import Sequence
from time import monotonic_ns

from harness import Lap, Program

PARAMETERS = ("k", "ticks", "period_us")
SECOND_NS = 1_000_000_000


class Ticks:
    """When each tick is due, and how late it came; times in nanoseconds of the monotonic clock."""

    def __init__(self, program: Program) -> None:
        self.count = program["ticks"]
        self._period_ns = program["period_us"] * 1000
        self._late_ns = array("q", bytes(8 * self.count))  # below none where a tick came before it was due
        self._start_ns = 0
        self.running = 0  # tasks of the load that have begun
        self.ended = False  # which the load looks at before each of its yields

    def start(self) -> None:
        self._start_ns = monotonic_ns()

    def left(self, tick: int) -> float:
        """Seconds until a tick is due; below none where it is overdue."""
        return (self._due_ns(tick) - monotonic_ns()) / SECOND_NS

    def take(self, tick: int) -> None:
        self._late_ns[tick] = monotonic_ns() - self._due_ns(tick)

    def _due_ns(self, tick: int) -> int:
        return self._start_ns + (tick + 1) * self._period_ns

    def record(self, program: Program, lap: Lap, ticks: int, counts: Sequence[int]) -> None:
        """`counts`: the yields of each task of the load that has ended."""
        active = sum(count > 0 for count in counts)
        lap.record(ops=ticks, finished=len(counts) + 1, active=active, yields=sum(counts))
        program.series("lateness", array("q", (max(0, late_ns) for late_ns in self._late_ns)))
