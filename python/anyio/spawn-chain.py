"""Spawn chain: each task starts the next one in the task group and ends; the root waits for the group."""

import anyio

import anyio_support
from harness import Program
from tracing import Tracing


async def chain(numbers: range, trace: Tracing) -> tuple[int, int]:
    """Tasks that ran, and the sum of their numbers."""
    finished = checksum = 0
    stop = numbers.stop

    async def link(i: int) -> None:
        nonlocal finished, checksum
        checksum += i
        finished += 1
        if i + 1 < stop:
            start(body, i + 1)

    async with anyio.create_task_group() as group:
        start, body = trace.starts(group.start_soon, numbers.start), trace.body(link)
        start(body, numbers.start)
    return finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = await chain(lap.numbers(n), trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    anyio_support.run(Program("spawn-chain", "n"), main)
