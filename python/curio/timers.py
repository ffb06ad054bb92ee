"""Timers: n tasks sleep once, each until a deadline of its own."""

import curio

import curio_support
from harness import Program
from timer_tasks import Deadlines
from tracing import Tracing


async def task(i: int, deadlines: Deadlines) -> int:
    await curio.sleep(deadlines.left(i))
    deadlines.wake(i)
    return i


async def main(program: Program, trace: Tracing) -> None:
    n, start, body = program["n"], trace.starts(curio.spawn), trace.body(task)
    for lap in program.laps(most=1):
        with lap:
            deadlines = Deadlines(program)
            tasks = [await start(body, i, deadlines) for i in range(n)]
            created = len(tasks)
            finished = checksum = 0
            for running in tasks:
                checksum += await running.join()
                finished += 1
        deadlines.record(program, lap, created, finished, checksum)


if __name__ == "__main__":
    curio_support.run(Program("timers", "n", "lead"), main)
