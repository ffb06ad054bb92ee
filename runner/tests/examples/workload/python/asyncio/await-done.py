"""Await a finished task: n tasks run to their end, then every result is collected."""

import asyncio

import asyncio_support
from harness import Program
from tracing import Tracing


async def task(i: int) -> int:
    return i


async def collect(tasks: list[asyncio.Task[int]], trace: Tracing) -> tuple[int, int]:
    """Results received, their sum."""
    finished = checksum = 0
    for done in trace.collects(tasks):
        checksum += await done
        finished += 1
    return finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    start, body = trace.starts(asyncio.create_task), trace.body(task)
    for lap in program.laps():
        tasks = [start(body(i)) for i in range(program["n"])]
        await asyncio.wait(tasks)
        with lap:
            finished, checksum = await collect(tasks, trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    asyncio_support.run(Program("await-done", "n"), main)
