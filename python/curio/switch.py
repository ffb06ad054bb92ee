"""Switch: k tasks yield m times each through the kernel's ready queue."""

from collections.abc import Iterable

import curio

import curio_support
from harness import Program
from tracing import SwitchCounter, Tracing, Turns


async def task(turns: Iterable[int], nonce: int) -> int:
    """How often it was resumed, counted from the nonce on."""
    count = nonce
    for _ in turns:
        await curio.sleep(0)
        count += 1
    return count


async def switch(k: int, m: int, nonce: int, trace: Tracing, turns: Turns) -> tuple[int, int]:
    """Tasks that ended, and the sum of their counts."""
    start = trace.starts(curio.spawn)
    tasks = [await start(task, turns(i, m), nonce) for i in range(k)]
    finished = checksum = 0
    for running in trace.collects(tasks):
        checksum += await running.join()
        finished += 1
    return finished, checksum


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
    curio_support.run(Program("switch", "k", "m", flags=["count"]), main)
