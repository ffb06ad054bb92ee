"""Cancel-loaded: n parked tasks are cancelled, clean up and are awaited while k others yield."""

import loop
from harness import Lap, Program
from loop_run import run
from tracing import Tracing


async def cancel(n: int, k: int, lap: Lap, trace: Tracing) -> tuple[int, int, int, int]:
    """Tasks that waited, clean-ups that ran, tasks that ended as cancelled, others that still yield."""
    gate = loop.Event()
    cleaned = finished = active = 0
    ended = False

    async def task(i: int) -> None:
        trace.note("park", i)
        nonlocal cleaned
        try:
            await gate.wait()
        finally:
            cleaned += 1

    async def load(_i: int) -> None:
        nonlocal active
        await loop.sleep(0)
        active += 1
        while not ended:
            await loop.sleep(0)
        active -= 1

    start = trace.starts(loop.create_task)
    parking, loading = trace.body(task), trace.body(load)
    others = [start(loading(i)) for i in range(k)]
    tasks = [start(parking(i)) for i in range(k, k + n)]
    await loop.sleep(0)  # back here, all of them wait
    while active < k:  # in another turn those that only gave way go on
        await loop.sleep(0)
    waiting = len(tasks) - cleaned
    with lap:
        for parked in tasks:
            parked.cancel()
        for parked in tasks:
            try:
                await parked
            except loop.CancelledError:
                finished += 1
    yielding, ended = active, True
    for other in others:
        await other
    return waiting, cleaned, finished, yielding


async def main(program: Program, trace: Tracing) -> None:
    n, k = program["n"], program["k"]
    for lap in program.laps():
        created, cancelled, finished, active = await cancel(n, k, lap, trace)
        lap.record(ops=finished, created=created, cancelled=cancelled, finished=finished, active=active)


if __name__ == "__main__":
    run(Program("cancel-loaded", "n", "k"), main)
