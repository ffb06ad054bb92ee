"""Memory: n tasks wait for one event; the process holds still before, while and after they do."""

import asyncio
import gc
from collections.abc import Sequence

import aio
from harness import Program
from tracing import Tracing


async def memory(program: Program, trace: Tracing) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    gate = asyncio.Event()
    parked = 0

    async def task(i: int) -> int:
        nonlocal parked
        parked += 1
        trace.note("park", i)
        await gate.wait()
        parked -= 1
        return i

    def hold(point: str) -> None:
        trace.note("hold", -1)
        program.hold(point, parked)

    start, body = trace.starts(asyncio.create_task), trace.body(task)
    hold("base")
    tasks = [start(body(i)) for i in range(program["n"])]
    created = len(tasks)
    await asyncio.sleep(0)  # the ready queue is first in, first out: back here, all tasks have had their turn
    hold("live")
    gc.collect()
    hold("live-collected")
    gate.set()
    finished, checksum = await collect(tasks)
    tasks.clear()
    hold("released")
    gc.collect()
    hold("released-collected")
    return created, finished, checksum


async def collect(tasks: Sequence[asyncio.Task[int]]) -> tuple[int, int]:
    """A function of its own, so that no variable keeps the last handle."""
    finished = checksum = 0
    for running in tasks:
        checksum += await running
        finished += 1
    return finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps(most=1):
        with lap:
            created, finished, checksum = await memory(program, trace)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


if __name__ == "__main__":
    aio.run(Program("memory", "n"), main)
