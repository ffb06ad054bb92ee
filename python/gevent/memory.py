"""Memory: n greenlets wait for one event; the process holds still before, while and after they do."""

import gc
from collections.abc import Sequence

import gevent
from gevent.event import Event

import green
from harness import Program
from tracing import Tracing


def memory(program: Program, trace: Tracing) -> tuple[int, int, int]:
    """Greenlets created, results received, their sum."""
    gate = Event()
    parked = 0

    def task(i: int) -> int:
        nonlocal parked
        parked += 1
        trace.note("park", i)
        gate.wait()
        parked -= 1
        return i

    def hold(point: str) -> None:
        trace.note("hold", -1)
        program.hold(point, parked)

    start, body = trace.starts(gevent.spawn), trace.body(task)
    hold("base")
    tasks = [start(body, i) for i in range(program["n"])]
    created = len(tasks)
    gevent.sleep(0)  # the hub's queue is first in, first out: back here, all greenlets have had their turn
    hold("live")
    gc.collect()
    hold("live-collected")
    gate.set()
    finished, checksum = collect(tasks)
    tasks.clear()
    hold("released")
    gc.collect()
    hold("released-collected")
    return created, finished, checksum


def collect(tasks: Sequence[gevent.Greenlet]) -> tuple[int, int]:
    """A function of its own, so that no variable keeps the last handle."""
    finished = checksum = 0
    for running in tasks:
        checksum += running.get()
        finished += 1
    return finished, checksum


def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = memory(program, trace)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


if __name__ == "__main__":
    green.run(Program("memory", "n"), main)
