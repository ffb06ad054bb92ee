"""Spawn: start n tasks in a task group, each of which leaves its result behind, then add these up."""

import anyio

import anyio_support
from harness import Program
from tracing import Tracing


async def task(i: int, results: dict[int, int]) -> None:
    results[i] = i


async def spawn(numbers: range, trace: Tracing) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    results: dict[int, int] = {}
    created = finished = checksum = 0
    async with anyio.create_task_group() as group:
        start, body = trace.starts(group.start_soon, numbers.start), trace.body(task)
        for i in numbers:
            start(body, i, results)
            created += 1
    for i in trace.collects(list(results), numbers.start):
        checksum += results[i]
        finished += 1
    return created, finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            created, finished, checksum = await spawn(lap.numbers(n), trace)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


if __name__ == "__main__":
    anyio_support.run(Program("spawn", "n"), main)
