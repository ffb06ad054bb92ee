"""Fizzbuzz: n tasks take m steps each, without waiting or with a yield after each step; or plain calls."""

import runtime
from fizzbuzz_steps import PHASES, Tally, base, step, steps
from harness import Program
from launch import run
from tracing import Tracing


def yielding(i: int, m: int) -> tuple[int, int]:
    done = worth = 0
    for number in range(i, i + m):
        worth += step(number)
        done += 1
        runtime.pause()
    return done, worth


def in_tasks(phase: str, n: int, m: int, trace: Tracing) -> Tally:
    start, body = trace.starts(runtime.spawn), trace.body(steps if phase == "spawn" else yielding)
    tasks = [start(body, i, m) for i in range(n)]
    tally = Tally()
    for running in trace.collects(tasks):
        tally.add(runtime.join(running))
    return tally


def main(program: Program, trace: Tracing) -> None:
    phase, n, m = program.word("phase"), program["n"], program["m"]
    for lap in program.laps():
        with lap:
            tally = base(n, m) if phase == "base" else in_tasks(phase, n, m, trace)
        tally.record(lap)


if __name__ == "__main__":
    run(Program("fizzbuzz", "n", "m", choices={"phase": PHASES}), main)
