"""Bare yields and parking for tasks that are coroutines; the `loop` of each runtime knows the rest."""

from collections.abc import Callable, Coroutine, Generator, Sequence
from typing import Any, cast

import loop
from harness import Program
from parking import Lot
from tracing import Tracing


class Turn:
    """A bare yield: what awaits it hands None to whoever runs the task. It keeps nothing, so that one is enough for all."""

    __await__ = staticmethod(cast(Callable[[], Generator[None, None, None]], (None,).__iter__))


TURN = Turn()

StacklessLot = Lot[loop.Event]


async def measure(program: Program, trace: Tracing, task: Callable[[int, StacklessLot], Coroutine[Any, Any, int]]) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = await _park(program, lap.numbers(program["n"]), trace, task)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


async def _park(
    program: Program, numbers: range, trace: Tracing, task: Callable[[int, StacklessLot], Coroutine[Any, Any, int]]
) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    lot = Lot(program, trace, loop.Event())
    start, body = trace.starts(loop.create_task, numbers.start), trace.body(task)
    lot.hold("base")
    tasks = [start(body(i, lot)) for i in numbers]
    created = len(tasks)
    await loop.sleep(0)  # the ready queue is first in, first out: back here, all tasks have had their turn
    lot.hold_twice("live")
    lot.gate.set()
    finished, checksum = await _collect(tasks)
    tasks.clear()
    lot.hold_twice("released")
    return created, finished, checksum


async def _collect(tasks: Sequence[loop.Task[int]]) -> tuple[int, int]:
    """A function of its own, so that no variable keeps the last handle."""
    finished = checksum = 0
    for running in tasks:
        checksum += await running
        finished += 1
    return finished, checksum
