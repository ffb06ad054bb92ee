"""Timers: n tasks sleep once, each until a deadline of its own."""

import runtime
from harness import Program
from launch import run
from timer_tasks import Deadlines
from tracing import Tracing


def task(i: int, deadlines: Deadlines) -> int:
    runtime.sleep(deadlines.left(i))
    deadlines.wake(i)
    return i


def main(program: Program, trace: Tracing) -> None:
    n, start, body = program["n"], trace.starts(runtime.spawn), trace.body(task)
    for lap in program.laps(most=1):
        with lap:
            deadlines = Deadlines(program)
            tasks = [start(body, i, deadlines) for i in range(n)]
            created = len(tasks)
            finished = checksum = 0
            for running in tasks:
                checksum += runtime.join(running)
                finished += 1
        deadlines.record(program, lap, created, finished, checksum)


if __name__ == "__main__":
    run(Program("timers", "n", "lead"), main)
