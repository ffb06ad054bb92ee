"""Spawn: start n tasks, then collect every result."""

import loop
from harness import Program
from loop_run import run
from tracing import Tracing


async def task(i: int) -> int:
    return i


async def spawn(n: int, trace: Tracing) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    start, body = trace.starts(loop.create_task), trace.body(task)
    tasks = [start(body(i)) for i in range(n)]
    created = len(tasks)
    finished = checksum = 0
    for running in trace.collects(tasks):
        checksum += await running
        finished += 1
    return created, finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            created, finished, checksum = await spawn(n, trace)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


if __name__ == "__main__":
    run(Program("spawn", "n"), main)
