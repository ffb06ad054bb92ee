"""Switch: k tasks yield m times each through the scheduler's own queue."""

from collections.abc import Callable, Iterable

import runtime
from harness import Program
from launch import run
from tracing import SwitchCounter, Tracing, Turns

Task = Callable[[Iterable[int]], int]


def task(turns: Iterable[int]) -> int:
    """How often it was resumed."""
    resumes = 0
    for _ in turns:
        runtime.pause()
        resumes += 1
    return resumes


def switch(k: int, m: int, trace: Tracing, turns: Turns, task: Task = task) -> tuple[int, int]:
    """Tasks that ended, and their resumes."""
    start = trace.starts(runtime.spawn)
    tasks = [start(task, turns(i, m)) for i in range(k)]
    finished = resumes = 0
    for running in trace.collects(tasks):
        resumes += runtime.join(running)
        finished += 1
    return finished, resumes


def main(program: Program, trace: Tracing, task: Task = task) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        counter = SwitchCounter()
        turns = counter.over(trace.turns) if program["count"] else trace.turns
        with lap:
            finished, resumes = switch(k, m, trace, turns, task)
        counted = {"true_switches": counter.true_switches} if program["count"] else {}
        lap.record(ops=resumes, finished=finished, resumes=resumes, **counted)


if __name__ == "__main__":
    run(Program("switch", "k", "m", flags=["count"]), main)
