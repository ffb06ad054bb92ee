"""Timers: n tasks sleep once, each until a deadline of its own."""

import anyio

import anyio_support
from harness import Program
from timer_tasks import Deadlines
from tracing import Tracing


async def task(i: int, deadlines: Deadlines, results: list[int]) -> None:
    await anyio.sleep(deadlines.left(i))
    deadlines.wake(i)
    results.append(i)


async def main(program: Program, trace: Tracing) -> None:
    n, body = program["n"], trace.body(task)
    for lap in program.laps(most=1):
        results: list[int] = []
        created = 0
        with lap:
            deadlines = Deadlines(program)
            async with anyio.create_task_group() as group:
                start = trace.starts(group.start_soon)
                for i in range(n):
                    start(body, i, deadlines, results)
                    created += 1
        deadlines.record(program, lap, created, len(results), sum(results))


if __name__ == "__main__":
    anyio_support.run(Program("timers", "n", "lead"), main)
