"""Cancel: n parked tasks are cancelled, clean up and are awaited."""

import loop
from harness import Lap, Program
from loop_run import run
from tracing import Tracing


async def cancel(n: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Tasks that waited, clean-ups that ran, tasks that ended as cancelled."""
    gate = loop.Event()
    cleaned = finished = 0

    async def task(i: int) -> None:
        nonlocal cleaned
        trace.note("park", i)
        try:
            await gate.wait()
        finally:
            cleaned += 1

    start, body = trace.starts(loop.create_task), trace.body(task)
    tasks = [start(body(i)) for i in range(n)]
    await loop.sleep(0)  # back here, all of them wait
    await loop.sleep(0)  # in another turn those that only gave way go on
    waiting = len(tasks) - cleaned
    with lap:
        for running in tasks:
            running.cancel()
        for running in tasks:
            try:
                await running
            except loop.CancelledError:
                finished += 1
    return waiting, cleaned, finished


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    program.hold("base", 0)
    for lap in program.laps():
        created, cancelled, finished = await cancel(n, lap, trace)
        lap.record(ops=finished, created=created, cancelled=cancelled, finished=finished)
    program.hold("released", 0)


if __name__ == "__main__":
    run(Program("cancel", "n"), main)
