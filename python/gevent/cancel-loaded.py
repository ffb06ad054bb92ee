"""Cancel-loaded: n parked tasks are cancelled, clean up and are joined while k others yield."""

import runtime
import waiting
from harness import Lap, Program
from launch import run
from tracing import Tracing


def cancel(n: int, k: int, lap: Lap, trace: Tracing) -> tuple[int, int, int, int]:
    """Tasks that waited, clean-ups that ran, tasks that ended as cancelled, others that still yield."""
    gates = [waiting.Event() for _ in range(n)]
    # Threads run this too: an append is one step for them, where `+=` is several.
    parked: list[int] = []
    cleaned: list[int] = []
    yielding: list[int] = []
    left: list[int] = []
    finished = 0
    ended = False

    def task(i: int) -> object:
        trace.note("park", i)
        parked.append(i)
        try:
            return gates[i - k].wait()
        finally:
            cleaned.append(i)

    def load(i: int) -> None:
        runtime.pause()
        yielding.append(i)
        while not ended:
            runtime.pause()
        left.append(i)

    start = trace.starts(runtime.spawn)
    parking, loading = trace.body(task), trace.body(load)
    others = [start(loading, i) for i in range(k)]
    tasks = [start(parking, i) for i in range(k, k + n)]
    while len(parked) < n or len(yielding) < k:
        waiting.settle()
    waiting.settle()  # in another turn those that only gave way go on
    waited = n - len(cleaned)
    with lap:
        waiting.cancel(tasks, gates)
        for running in tasks:
            finished += waiting.was_cancelled(running)
    active, ended = len(yielding) - len(left), True
    for other in others:
        runtime.join(other)
    return waited, len(cleaned), finished, active


def main(program: Program, trace: Tracing) -> None:
    n, k = program["n"], program["k"]
    for lap in program.laps():
        created, cancelled, finished, active = cancel(n, k, lap, trace)
        lap.record(ops=finished, created=created, cancelled=cancelled, finished=finished, active=active)


if __name__ == "__main__":
    run(Program("cancel-loaded", "n", "k"), main)
