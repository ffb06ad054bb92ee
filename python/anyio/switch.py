"""Switch: k tasks pass m checkpoints each."""

from collections.abc import Iterable

import anyio
from anyio.lowlevel import checkpoint

import anyio_support
from harness import Program
from tracing import SwitchCounter, Tracing, Turns


async def task(turns: Iterable[int], nonce: int, results: list[int]) -> None:
    """Adds how often it was resumed, counted from the nonce on."""
    count = nonce
    for _ in turns:
        await checkpoint()
        count += 1
    results.append(count)


async def switch(k: int, m: int, nonce: int, trace: Tracing, turns: Turns) -> tuple[int, int]:
    """Tasks that ended, and the sum of their counts."""
    results: list[int] = []
    async with anyio.create_task_group() as group:
        start = trace.starts(group.start_soon)
        for i in range(k):
            start(task, turns(i, m), nonce, results)
    return len(results), sum(results)


async def main(program: Program, trace: Tracing) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        counter = SwitchCounter()
        turns = counter.over(trace.turns) if program["count"] else trace.turns
        with lap:
            finished, checksum = await switch(k, m, lap.nonce, trace, turns)
        resumes = checksum - k * lap.nonce
        counted = {"true_switches": counter.true_switches} if program["count"] else {}
        lap.record(ops=resumes, finished=finished, resumes=resumes, checksum=checksum, **counted)


if __name__ == "__main__":
    anyio_support.run(Program("switch", "k", "m", flags=["count"]), main)
