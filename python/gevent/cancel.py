"""Cancel: n parked tasks are cancelled, clean up and are joined."""

import runtime
import waiting
from harness import Lap, Program
from launch import run
from tracing import Tracing


def cancel(n: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Tasks that waited, clean-ups that ran, tasks that ended as cancelled."""
    gate = waiting.Event()
    parked = cleaned = finished = 0

    def task(i: int) -> None:
        nonlocal parked, cleaned
        trace.note("park", i)
        parked += 1
        try:
            gate.wait()
        finally:
            cleaned += 1

    start, body = trace.starts(runtime.spawn), trace.body(task)
    tasks = [start(body, i) for i in range(n)]
    while parked < n:  # threads may still be on their way where the CPU was taken from them
        waiting.settle()  # back here, all that have parked wait
    waiting.settle()  # in another turn those that only gave way go on
    waited = parked - cleaned
    with lap:
        waiting.cancel(tasks, gate)
        for running in tasks:
            finished += waiting.was_cancelled(running)
    return waited, cleaned, finished


def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    program.hold("base", 0)
    for lap in program.laps():
        created, cancelled, finished = cancel(n, lap, trace)
        lap.record(ops=finished, created=created, cancelled=cancelled, finished=finished)
    program.hold("released", 0)


if __name__ == "__main__":
    run(Program("cancel", "n"), main)
