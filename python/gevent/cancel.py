"""Cancel: n parked tasks are cancelled, clean up and are joined."""

import runtime
import waiting
from harness import Lap, Program
from launch import run
from tracing import Tracing


def cancel(n: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Tasks that waited, clean-ups that ran, tasks that ended as cancelled."""
    gates = [waiting.Event() for _ in range(n)]
    # Threads run this too: an append is one step for them, where `+=` is several.
    parked: list[int] = []
    cleaned: list[int] = []
    finished = 0

    def task(i: int) -> object:
        trace.note("park", i)
        parked.append(i)
        try:
            return gates[i].wait()
        finally:
            cleaned.append(i)

    start, body = trace.starts(runtime.spawn), trace.body(task)
    tasks = [start(body, i) for i in range(n)]
    while len(parked) < n:  # threads may still be on their way where the CPU was taken from them
        waiting.settle()  # back here, all that have parked wait
    waiting.settle()  # in another turn those that only gave way go on
    waited = len(parked) - len(cleaned)
    with lap:
        waiting.cancel(tasks, gates)
        for running in tasks:
            finished += waiting.was_cancelled(running)
    return waited, len(cleaned), finished


def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    program.hold("base", 0)
    for lap in program.laps():
        created, cancelled, finished = cancel(n, lap, trace)
        lap.record(ops=finished, created=created, cancelled=cancelled, finished=finished)
    program.hold("released", 0)


if __name__ == "__main__":
    run(Program("cancel", "n"), main)
