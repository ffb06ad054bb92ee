"""Cancel: the scopes of n parked tasks are cancelled; they clean up, and the task group waits for their ends."""

from contextlib import ExitStack

import anyio

import anyio_support
from harness import Lap, Program
from tracing import Tracing


async def cancel(n: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Tasks that waited, clean-ups that ran, tasks whose scopes caught their cancellation."""
    gate, scopes = anyio.Event(), [anyio.CancelScope() for _ in range(n)]
    cleaned = 0

    async def task(i: int) -> None:
        nonlocal cleaned
        trace.note("park", i)
        with scopes[i]:
            try:
                await gate.wait()
            finally:
                cleaned += 1

    with ExitStack() as timed:  # the clock starts within the task group and stops when it has closed
        async with anyio.create_task_group() as group:
            start, body = trace.starts(group.start_soon), trace.body(task)
            for i in range(n):
                start(body, i)
            await anyio_support.all_others_wait()
            waiting = gate.statistics().tasks_waiting
            timed.enter_context(lap)
            for scope in scopes:
                scope.cancel()
        finished = sum(scope.cancelled_caught for scope in scopes)
    return waiting, cleaned, finished


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    program.hold("base", 0)
    for lap in program.laps():
        created, cancelled, finished = await cancel(n, lap, trace)
        lap.record(ops=finished, created=created, cancelled=cancelled, finished=finished)
    program.hold("released", 0)


if __name__ == "__main__":
    anyio_support.run(Program("cancel", "n"), main)
