"""The course of memory-timer: n bare timers are armed for an hour and cancelled, with holds before, between and after."""

from collections.abc import Callable
from typing import Generic, NoReturn, TypeVar

from harness import Lap, Program
from parking import Lot
from tracing import Tracing

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
