"""Memory's course for gevent: n greenlets park at one event; the process holds still before, while and after they do."""

from collections.abc import Callable, Sequence

import gevent
from gevent.event import Event

from harness import Program
from parking import Lot
from tracing import Tracing

GreenLot = Lot[Event]


def measure(program: Program, trace: Tracing, task: Callable[[int, GreenLot], int]) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = _park(program, trace, task)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


def _park(program: Program, trace: Tracing, task: Callable[[int, GreenLot], int]) -> tuple[int, int, int]:
    """Greenlets created, results received, their sum."""
    lot = Lot(program, trace, Event())
    start, body = trace.starts(gevent.spawn), trace.body(task)
    lot.hold("base")
    tasks = [start(body, i, lot) for i in range(program["n"])]
    created = len(tasks)
    gevent.sleep(0)  # the hub's queue is first in, first out: back here, all greenlets have had their turn
    lot.hold_twice("live")
    lot.gate.set()
    finished, checksum = _collect(tasks)
    tasks.clear()
    lot.hold_twice("released")
    return created, finished, checksum


def _collect(tasks: Sequence[gevent.Greenlet]) -> tuple[int, int]:
    """A function of its own, so that no variable keeps the last handle."""
    finished = checksum = 0
    for running in tasks:
        checksum += running.get()
        finished += 1
    return finished, checksum
