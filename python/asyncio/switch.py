"""Switch: k tasks yield m times each through the loop's ready queue."""

from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import loop
from harness import Program
from loop_run import run
from tracing import SwitchCounter, Tracing, Turns

Task = Callable[[Iterable[int], int], Coroutine[Any, Any, int]]


async def task(turns: Iterable[int], nonce: int) -> int:
    """How often it was resumed, counted from the nonce on."""
    count = nonce
    for _ in turns:
        await loop.sleep(0)
        count += 1
    return count


async def switch(k: int, m: int, nonce: int, trace: Tracing, turns: Turns, *, task: Task = task) -> tuple[int, int]:
    """Tasks that ended, and the sum of their counts."""
    start = trace.starts(loop.create_task)
    tasks = [start(task(turns(i, m), nonce)) for i in range(k)]
    finished = checksum = 0
    for running in trace.collects(tasks):
        checksum += await running
        finished += 1
    return finished, checksum


async def main(program: Program, trace: Tracing, task: Task = task) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        counter = SwitchCounter()
        turns = counter.over(trace.turns) if program["count"] else trace.turns
        with lap:
            finished, checksum = await switch(k, m, lap.nonce, trace, turns, task=task)
        resumes = checksum - k * lap.nonce
        counted = {"true_switches": counter.true_switches} if program["count"] else {}
        lap.record(ops=resumes, finished=finished, resumes=resumes, checksum=checksum, **counted)


if __name__ == "__main__":
    run(Program("switch", "k", "m", flags=["count"]), main)
