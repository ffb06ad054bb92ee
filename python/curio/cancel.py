"""Cancel: n parked tasks are cancelled, clean up and are joined."""

import curio

import curio_support
from harness import Lap, Program
from tracing import Tracing


async def cancel(n: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Tasks that waited, clean-ups that ran, tasks that ended as cancelled."""
    gate = curio.Event()
    cleaned = finished = 0

    async def task(i: int) -> None:
        nonlocal cleaned
        trace.note("park", i)
        try:
            await gate.wait()
        finally:
            cleaned += 1

    start, body = trace.starts(curio.spawn), trace.body(task)
    tasks = [await start(body, i) for i in range(n)]
    await curio.sleep(0)  # back here, all of them wait
    await curio.sleep(0)  # in another turn those that only gave way go on
    waiting = len(tasks) - cleaned
    with lap:
        for running in tasks:
            await running.cancel(blocking=False)
        for running in tasks:
            try:
                await running.join()
            except curio.TaskError as error:
                if not isinstance(error.__cause__, curio.TaskCancelled):
                    raise
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
    curio_support.run(Program("cancel", "n"), main)
