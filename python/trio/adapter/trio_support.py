"""Runs programs under trio, traces their tasks, and holds them."""

import gc
from collections.abc import Callable, Coroutine
from typing import Any

import trio
from trio.testing import wait_all_tasks_blocked

from harness import Program
from parking import Lot
from tracing import Coroutines, Identities, Tracing

Main = Callable[[Program, Tracing], Coroutine[Any, Any, None]]


async def settings() -> dict[str, object]:
    backend = trio.lowlevel.current_statistics().io_statistics.backend
    return {"io": backend, "gc": gc.isenabled()}


def run(program: Program, main: Main) -> None:
    """The whole process: run loop, hello, `main`, iterations, end; any task that failed raises here."""
    trace = Coroutines(Identities(trio.lowlevel.current_task)) if program.traced else Tracing()

    async def root() -> None:
        program.hello(trio.__version__, await settings())
        await main(program, trace)

    trio.run(root)
    program.end(trace.events)


NurseryLot = Lot[trio.Event]
Results = dict[int, int]
Task = Callable[[int, NurseryLot, Results], Coroutine[Any, Any, None]]


async def measure(program: Program, trace: Tracing, task: Task) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = await _park(program, lap.numbers(program["n"]), trace, task)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


async def _park(program: Program, numbers: range, trace: Tracing, task: Task) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    lot, results = Lot(program, trace, trio.Event()), Results()
    lot.hold("base")
    async with trio.open_nursery() as nursery:
        start, body = trace.starts(nursery.start_soon, numbers.start), trace.body(task)
        for i in numbers:
            start(body, i, lot, results)
        created = len(nursery.child_tasks)
        await wait_all_tasks_blocked()
        lot.hold_twice("live")
        lot.gate.set()
    finished, checksum = len(results), sum(results.values())
    results.clear()
    lot.hold_twice("released")
    return created, finished, checksum
