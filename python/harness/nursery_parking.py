"""Memory's course for trio: n tasks park at one event; the process holds still before, while and after they do."""

from collections.abc import Callable, Coroutine
from typing import Any

import trio
from trio.testing import wait_all_tasks_blocked

from harness import Program
from parking import Lot
from tracing import Tracing

NurseryLot = Lot[trio.Event]
Results = dict[int, int]
Task = Callable[[int, NurseryLot, Results], Coroutine[Any, Any, None]]


async def measure(program: Program, trace: Tracing, task: Task) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = await _park(program, trace, task)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


async def _park(program: Program, trace: Tracing, task: Task) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    lot, results = Lot(program, trace, trio.Event()), Results()
    lot.hold("base")
    async with trio.open_nursery() as nursery:
        start, body = trace.starts(nursery.start_soon), trace.body(task)
        for i in range(program["n"]):
            start(body, i, lot, results)
        created = len(nursery.child_tasks)
        await wait_all_tasks_blocked()
        lot.hold_twice("live")
        lot.gate.set()
    finished, checksum = len(results), sum(results.values())
    results.clear()
    lot.hold_twice("released")
    return created, finished, checksum
