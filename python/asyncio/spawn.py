"""Spawn: start n tasks, then collect every result."""

from collections.abc import Callable
from typing import Any

import loop
from harness import Program
from loop_run import run
from tracing import Tracing


async def task(i: int) -> int:
    return i


async def spawn(numbers: range, trace: Tracing, create_task: Callable[..., Any] = loop.create_task) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    start, body = trace.starts(create_task, numbers.start), trace.body(task)
    tasks = [start(body(i)) for i in numbers]
    created = len(tasks)
    finished = checksum = 0
    for running in trace.collects(tasks, numbers.start):
        checksum += await running
        finished += 1
    return created, finished, checksum


async def main(program: Program, trace: Tracing, create_task: Callable[..., Any] = loop.create_task) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            created, finished, checksum = await spawn(lap.numbers(n), trace, create_task)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


if __name__ == "__main__":
    run(Program("spawn", "n"), main)
