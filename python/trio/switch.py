"""Switch: k tasks pass m checkpoints each."""

from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import trio

import trio_support
from harness import Program
from tracing import SwitchCounter, Tracing, Turns

Task = Callable[[Iterable[int], list[int]], Coroutine[Any, Any, None]]


async def task(turns: Iterable[int], results: list[int]) -> None:
    """Adds how often it was resumed."""
    resumes = 0
    for _ in turns:
        await trio.lowlevel.checkpoint()
        resumes += 1
    results.append(resumes)


async def switch(k: int, m: int, trace: Tracing, turns: Turns, task: Task = task) -> tuple[int, int]:
    """Tasks that ended, and their resumes."""
    results: list[int] = []
    async with trio.open_nursery() as nursery:
        start = trace.starts(nursery.start_soon)
        for i in range(k):
            start(task, turns(i, m), results)
    return len(results), sum(results)


async def main(program: Program, trace: Tracing, task: Task = task) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        counter = SwitchCounter()
        turns = counter.over(trace.turns) if program["count"] else trace.turns
        with lap:
            finished, resumes = await switch(k, m, trace, turns, task)
        counted = {"true_switches": counter.true_switches} if program["count"] else {}
        lap.record(ops=resumes, finished=finished, resumes=resumes, **counted)


if __name__ == "__main__":
    trio_support.run(Program("switch", "k", "m", flags=["count"]), main)
