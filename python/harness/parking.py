"""Where the tasks of memory and memory-state wait, and the holds at which the process stands still, for every Python runtime."""

import gc
from threading import Lock
from typing import Generic, TypeVar

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
