"""Switch: k tasks yield m times each through the scheduler's own queue."""

from collections.abc import Callable, Iterable

import runtime
from harness import Program
from launch import run
from tracing import SwitchCounter, Tracing, Turns

Task = Callable[[Iterable[int], int], int]


def task(turns: Iterable[int], nonce: int) -> int:
    """How often it was resumed, counted from the nonce on."""
    count = nonce
    for _ in turns:
        runtime.pause()
        count += 1
    return count


def switch(k: int, m: int, nonce: int, trace: Tracing, turns: Turns, *, task: Task = task) -> tuple[int, int]:
    """Tasks that ended, and the sum of their counts."""
    start = trace.starts(runtime.spawn)
    tasks = [start(task, turns(i, m), nonce) for i in range(k)]
    finished = checksum = 0
    for running in trace.collects(tasks):
        checksum += runtime.join(running)
        finished += 1
    return finished, checksum


def main(program: Program, trace: Tracing, task: Task = task) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        counter = SwitchCounter()
        turns = counter.over(trace.turns) if program["count"] else trace.turns
        with lap:
            finished, checksum = switch(k, m, lap.nonce, trace, turns, task=task)
        resumes = checksum - k * lap.nonce
        counted = {"true_switches": counter.true_switches} if program["count"] else {}
        lap.record(ops=resumes, finished=finished, resumes=resumes, checksum=checksum, **counted)


if __name__ == "__main__":
    run(Program("switch", "k", "m", flags=["count"]), main)
