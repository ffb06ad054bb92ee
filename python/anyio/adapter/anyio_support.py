"""Runs programs under AnyIO on the backend that the manifest's variant names, traces their tasks, and holds them."""

import asyncio
import gc
import importlib.metadata
import os
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

import anyio
from anyio.lowlevel import checkpoint

from arguments import usage
from harness import Program
from parking import Lot
from tracing import Coroutines, Identities, Tracing

Main = Callable[[Program, Tracing], Coroutine[Any, Any, None]]


def backend() -> str:
    """The one that the variant names."""
    name = os.environ.get("COROBENCH_BACKEND", "")
    if name not in anyio.get_all_backends():
        usage(f"the environment variable COROBENCH_BACKEND is {name!r}, no backend of AnyIO")
    return name


def version() -> str:
    """AnyIO says its own only as a package."""
    return importlib.metadata.version("anyio")


async def settings() -> dict[str, object]:
    """What runs underneath, as it says itself: an event loop of asyncio, or trio and its poller."""
    try:
        kind = type(asyncio.get_running_loop())
    except RuntimeError:
        # Imported here alone: asyncio's side holds nothing of trio's.
        statistics = import_module("trio").lowlevel.current_statistics()
        return {"backend": "trio", "io": statistics.io_statistics.backend, "gc": gc.isenabled()}
    return {"backend": "asyncio", "loop": f"{kind.__module__}.{kind.__qualname__}", "gc": gc.isenabled()}


def run(program: Program, main: Main) -> None:
    """The whole process: backend, hello, `main`, iterations, end; any task that failed raises here."""
    # The coroutine, as AnyIO describes a task anew each time it is asked, by a number that may come again.
    trace = Coroutines(Identities(lambda: anyio.get_current_task().coro)) if program.traced else Tracing()

    async def root() -> None:
        program.hello(version(), await settings())
        await main(program, trace)

    anyio.run(root, backend=backend())
    program.end(trace.events)


async def all_others_wait() -> None:
    """Returns when every other task waits.

    On asyncio AnyIO looks whether they do, and if not, looks again after 0.1 s: so they get their turns first, one to start and
    one for the checkpoint with which a receive begins.
    """
    await checkpoint()
    await checkpoint()
    await anyio.wait_all_tasks_blocked()


GroupLot = Lot[anyio.Event]
Results = dict[int, int]
Task = Callable[[int, GroupLot, Results], Coroutine[Any, Any, None]]


async def measure(program: Program, trace: Tracing, task: Task) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = await _park(program, lap.numbers(program["n"]), trace, task)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


async def _park(program: Program, numbers: range, trace: Tracing, task: Task) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    lot, results = Lot(program, trace, anyio.Event()), Results()
    lot.hold("base")
    async with anyio.create_task_group() as group:
        start, body = trace.starts(group.start_soon, numbers.start), trace.body(task)
        for i in numbers:
            start(body, i, lot, results)
        await all_others_wait()
        created = lot.gate.statistics().tasks_waiting
        lot.hold_twice("live")
        lot.gate.set()
    finished, checksum = len(results), sum(results.values())
    results.clear()
    lot.hold_twice("released")
    return created, finished, checksum
