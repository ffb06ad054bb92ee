"""Spawn: start n tasks, then join every one and collect its result."""

import curio

import curio_support
from harness import Program
from tracing import Tracing


async def task(i: int) -> int:
    return i


async def spawn(numbers: range, trace: Tracing) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    start, body = trace.starts(curio.spawn, numbers.start), trace.body(task)
    tasks = [await start(body, i) for i in numbers]
    created = len(tasks)
    finished = checksum = 0
    for running in trace.collects(tasks, numbers.start):
        checksum += await running.join()
        finished += 1
    return created, finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            created, finished, checksum = await spawn(lap.numbers(n), trace)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


if __name__ == "__main__":
    curio_support.run(Program("spawn", "n"), main)
