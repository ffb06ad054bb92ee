"""Spawn: start n tasks in a nursery, each of which leaves its result behind, then add these up."""

from collections.abc import Awaitable, Callable

import trio

import trio_support
from harness import Program
from tracing import Tracing

Spawn = Callable[[range, Tracing], Awaitable[tuple[int, int, int]]]


async def task(i: int, results: dict[int, int]) -> None:
    results[i] = i


async def spawn(numbers: range, trace: Tracing) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    results: dict[int, int] = {}
    async with trio.open_nursery() as nursery:
        start, body = trace.starts(nursery.start_soon, numbers.start), trace.body(task)
        for i in numbers:
            start(body, i, results)
        created = len(nursery.child_tasks)
    return created, *collect(results, numbers, trace)


def collect(results: dict[int, int], numbers: range, trace: Tracing) -> tuple[int, int]:
    """Results received, and their sum."""
    finished = checksum = 0
    for i in trace.collects(list(results), numbers.start):
        checksum += results[i]
        finished += 1
    return finished, checksum


async def main(program: Program, trace: Tracing, spawn: Spawn = spawn) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            created, finished, checksum = await spawn(lap.numbers(n), trace)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


if __name__ == "__main__":
    trio_support.run(Program("spawn", "n"), main)
