"""Fizzbuzz, sleeping: n tasks take m steps each and sleep after every one; the process holds still when all sleep."""

import runtime
from fizzbuzz_steps import Sleepers, Tally, step
from harness import Lap, Program
from launch import run
from tracing import Tracing
from waiting import Event


def task(i: int, m: int, sleepers: Sleepers) -> tuple[int, int]:
    done = worth = 0
    try:
        for number in range(i, i + m):
            worth += step(number)
            done += 1
            sleepers.lie_down(i)
            runtime.sleep(sleepers.seconds)
            sleepers.wake(i)
    finally:
        sleepers.leave()
    return done, worth


def sleep_all(program: Program, lap: Lap, gate: Event, sleepers: Sleepers, trace: Tracing) -> Tally:
    m, start, body = program["m"], trace.starts(runtime.spawn), trace.body(task)
    tasks = [start(body, i, m, sleepers) for i in range(program["n"])]
    gate.wait()
    with lap.standing_still():
        program.hold("live", sleepers.alive)
    tally = Tally()
    for running in trace.collects(tasks):
        tally.add(runtime.join(running))
    return tally


def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps(most=1):
        gate = Event()
        sleepers = Sleepers(program, gate.set)
        program.hold("base", sleepers.alive)
        with lap:
            tally = sleep_all(program, lap, gate, sleepers, trace)
        sleepers.record(program, lap, tally)


if __name__ == "__main__":
    run(Program("fizzbuzz-sleep", "n", "m", "sleep_ms"), main)
