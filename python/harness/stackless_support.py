"""Parking and passing tokens for tasks that are coroutines; the `loop` of each runtime knows the rest."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import loop
from harness import Lap, Program
from parking import Lot
from token_passing import async_player
from tracing import Tracing

StacklessLot = Lot[loop.Event]


async def measure(program: Program, trace: Tracing, task: Callable[[int, StacklessLot], Coroutine[Any, Any, int]]) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = await _park(program, trace, task)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


async def _park(
    program: Program, trace: Tracing, task: Callable[[int, StacklessLot], Coroutine[Any, Any, int]]
) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    lot = Lot(program, trace, loop.Event())
    start, body = trace.starts(loop.create_task), trace.body(task)
    lot.hold("base")
    tasks = [start(body(i, lot)) for i in range(program["n"])]
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


async def ring(k: int, rounds: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token; the lap starts when all k wait."""
    queues = [loop.Queue[int](1) for _ in range(k)]
    start = trace.starts(loop.create_task)
    players = [
        start(trace.ends(i, async_player)(trace.receives(i, queues[i].get), queues[(i + 1) % k].put, rounds)) for i in range(k)
    ]
    await loop.sleep(0)  # back here, all of them wait
    with lap:
        await queues[0].put(0)
        # gather, so that the failure of one player does not leave the root waiting for another.
        received = await loop.gather(*players)
        token = queues[0].get_nowait()
    return len(received), sum(received), token
