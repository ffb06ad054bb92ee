"""Runs programs whose tasks have stacks of their own, and traces them; the `launch` of each runtime knows the rest."""

from collections.abc import Callable, Sequence
from typing import Any

import runtime
import waiting
from harness import Program
from parking import Lot
from tracing import Recorder, Tracing

Main = Callable[[Program, Tracing], None]


def run(program: Program, main: Main, version: str, settings: dict[str, object], recorder: Recorder) -> None:
    """The whole process: hello, `main`, iterations, end; any task that failed raises or exits in there."""
    trace = recorder if program.traced else Tracing()
    program.hello(version, settings)
    main(program, trace)
    program.end(trace.events)


StackfulLot = Lot[waiting.Event]


def measure(program: Program, trace: Tracing, task: Callable[[int, StackfulLot], int]) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = _park(program, lap.numbers(program["n"]), trace, task)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


def _park(program: Program, numbers: range, trace: Tracing, task: Callable[[int, StackfulLot], int]) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    lot = Lot(program, trace, waiting.Event())
    start, body = trace.starts(runtime.spawn, numbers.start), trace.body(task)
    lot.hold("base")
    tasks = [start(body, i, lot) for i in numbers]
    created = len(tasks)
    while lot.parked < created:  # threads may still be on their way where the CPU was taken from them
        waiting.settle()
    lot.hold_twice("live")
    lot.gate.set()
    finished, checksum = _collect(tasks)
    tasks.clear()
    lot.hold_twice("released")
    return created, finished, checksum


def _collect(tasks: Sequence[Any]) -> tuple[int, int]:
    """A function of its own, so that no variable keeps the last handle."""
    finished = checksum = 0
    for running in tasks:
        checksum += runtime.join(running)
        finished += 1
    return finished, checksum
