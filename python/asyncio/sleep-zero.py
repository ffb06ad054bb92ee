"""Sleep-zero: k tasks sleep m times each for no time at all."""

import asyncio
from collections.abc import Iterable

import asyncio_support
from harness import Program
from tracing import Tracing


async def task(turns: Iterable[int], nonce: int) -> int:
    """How often it woke, counted from the nonce on."""
    count = nonce
    for _ in turns:
        await asyncio.sleep(0)
        count += 1
    return count


async def sleep_zero(k: int, m: int, nonce: int, trace: Tracing) -> tuple[int, int]:
    """Tasks that ended, and the sum of their counts."""
    start = trace.starts(asyncio.create_task)
    tasks = [start(task(trace.turns(i, m), nonce)) for i in range(k)]
    finished = checksum = 0
    for running in trace.collects(tasks):
        checksum += await running
        finished += 1
    return finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        with lap:
            finished, checksum = await sleep_zero(k, m, lap.nonce, trace)
        lap.record(ops=checksum - k * lap.nonce, finished=finished, checksum=checksum)


if __name__ == "__main__":
    asyncio_support.run(Program("sleep-zero", "k", "m"), main)
