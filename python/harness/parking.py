"""Where tasks wait: at the gate of memory and memory-state, with the holds at which the process stands still, and for a token."""

import gc
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

from harness import Program
from tracing import Tracing

Gate = TypeVar("Gate")


class Lot(Generic[Gate]):
    """One gate and the number of tasks that wait at it, as they say themselves."""

    def __init__(self, program: Program, trace: Tracing, gate: Gate) -> None:
        self.gate = gate
        self.parked = 0
        self._counting = Lock()  # tasks may be threads, for which `+=` is no single step
        self._program = program
        self._trace = trace

    def park(self, i: int) -> None:
        self._trace.note("park", i)
        with self._counting:
            self.parked += 1

    def leave(self) -> None:
        with self._counting:
            self.parked -= 1

    def hold(self, point: str) -> None:
        self._trace.note("hold", -1)
        self._program.hold(point, self.parked)

    def hold_twice(self, point: str) -> None:
        """As it comes, and after a collection."""
        self.hold(point)
        gc.collect()
        self.hold(f"{point}-collected")


class Place:
    """Room for one token, and for what makes the task go on that waits for it."""

    __slots__ = ("token", "waiting")

    def __init__(self) -> None:
        self.token: Any = None
        self.waiting: Any = None

    def leave(self, token: int, make_ready: Callable[[Any], object]) -> None:
        """Leaves the first token, for which a task waits already."""
        self.token = token
        make_ready(self.waiting)
        self.waiting = None
