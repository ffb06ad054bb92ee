"""Cancel: the scopes of n parked tasks are cancelled; they clean up, and the nursery waits for their ends."""

from contextlib import ExitStack

import trio
from trio.testing import wait_all_tasks_blocked

import trio_support
from harness import Lap, Program
from tracing import Tracing


async def cancel(n: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Tasks that waited, clean-ups that ran, tasks whose scopes caught their cancellation."""
    gate, scopes = trio.Event(), [trio.CancelScope() for _ in range(n)]
    cleaned = 0

    async def task(i: int) -> None:
        nonlocal cleaned
        trace.note("park", i)
        with scopes[i]:
            try:
                await gate.wait()
            finally:
                cleaned += 1

    with ExitStack() as timed:  # the clock starts within the nursery and stops when it has closed
        async with trio.open_nursery() as nursery:
            start, body = trace.starts(nursery.start_soon), trace.body(task)
            for i in range(n):
                start(body, i)
            await wait_all_tasks_blocked()
            waiting = len(nursery.child_tasks)
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
    trio_support.run(Program("cancel", "n"), main)
