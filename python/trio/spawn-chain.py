"""Spawn chain: each task starts the next one in the nursery and ends; the root waits for the nursery."""

import trio

import trio_support
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

    async with trio.open_nursery() as nursery:
        start, body = trace.starts(nursery.start_soon, numbers.start), trace.body(link)
        start(body, numbers.start)
    return finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = await chain(lap.numbers(n), trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    trio_support.run(Program("spawn-chain", "n"), main)
