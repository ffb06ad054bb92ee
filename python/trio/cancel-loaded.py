"""Cancel-loaded: the scopes of n parked tasks are cancelled while k others yield; they clean up, and their nursery waits."""

from contextlib import ExitStack

import trio

import trio_support
from harness import Lap, Program
from tracing import Tracing


async def cancel(n: int, k: int, lap: Lap, trace: Tracing) -> tuple[int, int, int, int]:
    """Tasks that waited, clean-ups that ran, tasks whose scopes caught their cancellation, others that still yield."""
    gate, scopes = trio.Event(), {i: trio.CancelScope() for i in range(k, k + n)}
    parked = cleaned = active = 0
    ended = False

    async def task(i: int) -> None:
        nonlocal parked, cleaned
        trace.note("park", i)
        parked += 1
        with scopes[i]:
            try:
                await gate.wait()
            finally:
                cleaned += 1

    async def load(_i: int) -> None:
        nonlocal active
        await trio.sleep(0)
        active += 1
        while not ended:
            await trio.sleep(0)
        active -= 1

    async with trio.open_nursery() as others:
        start, loading = trace.starts(others.start_soon), trace.body(load)
        for i in range(k):
            start(loading, i)
        with ExitStack() as timed:  # the clock starts within the nursery and stops when it has closed
            async with trio.open_nursery() as nursery:
                start, body = trace.starts(nursery.start_soon), trace.body(task)
                for i in scopes:
                    start(body, i)
                while parked < n or active < k:
                    await trio.sleep(0)
                await trio.sleep(0)  # in another turn those that only gave way go on
                waiting = parked - cleaned
                timed.enter_context(lap)
                for scope in scopes.values():
                    scope.cancel()
        yielding, ended = active, True
    finished = sum(scope.cancelled_caught for scope in scopes.values())
    return waiting, cleaned, finished, yielding


async def main(program: Program, trace: Tracing) -> None:
    n, k = program["n"], program["k"]
    for lap in program.laps():
        created, cancelled, finished, active = await cancel(n, k, lap, trace)
        lap.record(ops=finished, created=created, cancelled=cancelled, finished=finished, active=active)


if __name__ == "__main__":
    trio_support.run(Program("cancel-loaded", "n", "k"), main)
