"""Bursts of tasks: when each was started, and when its tasks first ran."""

from array import array
from collections.abc import Iterator
from time import monotonic_ns

from harness import Lap, Program

PARAMETERS = ("n", "bursts", "idle_ms")


class Bursts:
    """The bursts of one iteration, whose tasks are numbered on; times in nanoseconds of the monotonic clock."""

    def __init__(self, program: Program, lap: Lap) -> None:
        self.idle = program["idle_ms"] / 1000  # seconds
        self._n = program["n"]
        self._numbers = lap.numbers(self._n * program["bursts"])
        self._start_ns = array("q", bytes(8 * len(self._numbers)))
        self._began_ns = 0

    def __iter__(self) -> Iterator[range]:
        """The numbers of the tasks of each."""
        for first in range(0, len(self._numbers), self._n):
            yield self._numbers[first : first + self._n]

    def begin(self) -> None:
        self._began_ns = monotonic_ns()

    def run(self, i: int) -> None:
        """Task i runs for the first time."""
        self._start_ns[i - self._numbers.start] = monotonic_ns() - self._began_ns

    def record(self, program: Program, lap: Lap, created: int, finished: int, checksum: int) -> None:
        lasts = (max(self._start_ns[first : first + self._n]) for first in range(0, len(self._start_ns), self._n))
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum, last_ns=sum(lasts))
        program.series("start", self._start_ns)
