"""Switch: k greenlets yield m times each through the hub's callback queue."""

from collections.abc import Iterable

import gevent

import green
from harness import Program
from tracing import SwitchCounter, Tracing, Turns


def task(turns: Iterable[int]) -> int:
    """How often it was resumed."""
    resumes = 0
    for _ in turns:
        gevent.sleep(0)
        resumes += 1
    return resumes


def switch(k: int, m: int, trace: Tracing, turns: Turns) -> tuple[int, int]:
    """Greenlets that ended, and their resumes."""
    start = trace.starts(gevent.spawn)
    tasks = [start(task, turns(i, m)) for i in range(k)]
    finished = resumes = 0
    for running in trace.collects(tasks):
        resumes += running.get()
        finished += 1
    return finished, resumes


def main(program: Program, trace: Tracing) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        counter = SwitchCounter()
        turns = counter.over(trace.turns) if program["count"] else trace.turns
        with lap:
            finished, resumes = switch(k, m, trace, turns)
        counted = {"true_switches": counter.true_switches} if program["count"] else {}
        lap.record(ops=resumes, finished=finished, resumes=resumes, **counted)


if __name__ == "__main__":
    green.run(Program("switch", "k", "m", flags=["count"]), main)
