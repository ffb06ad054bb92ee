"""Runs programs under curio, traces their tasks, and holds them."""

import gc
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import curio
from curio.kernel import Activation
from curio.traps import _get_kernel

from harness import Program
from parking import Lot
from tracing import AwaitedSpawns, Tracing

Main = Callable[[Program, Tracing], Coroutine[Any, Any, None]]


async def settings() -> dict[str, object]:
    kernel = await _get_kernel()
    return {"selector": type(kernel._selector).__name__, "gc": gc.isenabled()}


class Running(Activation):  # type: ignore[misc]
    """The number of the task that runs: the kernel tells it to activations; a task would have to await it."""

    _task: Any

    def running(self, task: Any) -> None:
        self._task = task

    def __call__(self) -> str:
        return f"Task-{self._task.id}"


def run(program: Program, main: Main) -> None:
    """The whole process: kernel, hello, `main`, iterations, end; any task that failed and was joined raises here."""
    running = Running()
    trace = AwaitedSpawns(running) if program.traced else Tracing()

    async def root() -> None:
        program.hello(curio.__version__, await settings())
        await main(program, trace)

    curio.run(root, activations=[running] if program.traced else None)
    program.end(trace.events)


KernelLot = Lot[curio.Event]
Task = Callable[[int, KernelLot], Coroutine[Any, Any, int]]


async def measure(program: Program, trace: Tracing, task: Task) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = await _park(program, lap.numbers(program["n"]), trace, task)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


async def _park(program: Program, numbers: range, trace: Tracing, task: Task) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    lot = Lot(program, trace, curio.Event())
    start, body = trace.starts(curio.spawn, numbers.start), trace.body(task)
    lot.hold("base")
    tasks = [await start(body, i, lot) for i in numbers]
    created = len(tasks)
    await curio.sleep(0)  # the ready queue is first in, first out: back here, all tasks have had their turn
    lot.hold_twice("live")
    await lot.gate.set()
    finished, checksum = await _collect(tasks)
    tasks.clear()
    lot.hold_twice("released")
    return created, finished, checksum


async def _collect(tasks: Sequence[Any]) -> tuple[int, int]:
    """A function of its own, so that no variable keeps the last handle."""
    finished = checksum = 0
    for running in tasks:
        checksum += await running.join()
        finished += 1
    return finished, checksum
