"""Spawn: start n tasks, then collect every result."""

from collections.abc import Callable

import runtime
from harness import Program
from launch import run
from tracing import Tracing

Spawn = Callable[[range, Tracing], tuple[int, int, int]]


def task(i: int) -> int:
    return i


def spawn(numbers: range, trace: Tracing) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    start, body = trace.starts(runtime.spawn, numbers.start), trace.body(task)
    tasks = [start(body, i) for i in numbers]
    created = len(tasks)
    finished = checksum = 0
    for running in trace.collects(tasks, numbers.start):
        checksum += runtime.join(running)
        finished += 1
    return created, finished, checksum


def main(program: Program, trace: Tracing, spawn: Spawn = spawn) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            created, finished, checksum = spawn(lap.numbers(n), trace)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


if __name__ == "__main__":
    run(Program("spawn", "n"), main)
