"""Sleep-zero: k tasks sleep m times each for no time at all."""

from collections.abc import Iterable

import anyio

import anyio_support
from harness import Program
from tracing import Tracing


async def task(turns: Iterable[int], nonce: int, results: list[int]) -> None:
    """Adds how often it woke, counted from the nonce on."""
    count = nonce
    for _ in turns:
        await anyio.sleep(0)
        count += 1
    results.append(count)


async def sleep_zero(k: int, m: int, nonce: int, trace: Tracing) -> tuple[int, int]:
    """Tasks that ended, and the sum of their counts."""
    results: list[int] = []
    async with anyio.create_task_group() as group:
        start = trace.starts(group.start_soon)
        for i in range(k):
            start(task, trace.turns(i, m), nonce, results)
    return len(results), sum(results)


async def main(program: Program, trace: Tracing) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        with lap:
            finished, checksum = await sleep_zero(k, m, lap.nonce, trace)
        lap.record(ops=checksum - k * lap.nonce, finished=finished, checksum=checksum)


if __name__ == "__main__":
    anyio_support.run(Program("sleep-zero", "k", "m"), main)
