"""Ticker: one task wakes on an absolute schedule while k others yield."""

import runtime
from harness import Program
from launch import run
from ticks import PARAMETERS, Ticks
from tracing import Tracing


def load(_i: int, ticks: Ticks) -> int:
    """Its yields."""
    count = 0
    ticks.running += 1
    while not ticks.ended:
        runtime.pause()
        count += 1
    return count


def ticker(_i: int, ticks: Ticks) -> int:
    """Its ticks."""
    ticks.start()
    count = 0
    for tick in range(ticks.count):
        if (left := ticks.left(tick)) > 0:
            runtime.sleep(left)
        ticks.take(tick)
        count += 1
    return count


def main(program: Program, trace: Tracing) -> None:
    k, start = program["k"], trace.starts(runtime.spawn)
    for lap in program.laps(most=1):
        ticks = Ticks(program)
        with lap:
            tasks = [start(trace.body(load), i, ticks) for i in range(k)]
            while ticks.running < k:
                runtime.pause()
            ticked = runtime.join(start(trace.body(ticker), k, ticks))
            ticks.ended = True
            counts = [runtime.join(task) for task in tasks]
        ticks.record(program, lap, ticked, counts)


if __name__ == "__main__":
    run(Program("ticker", *PARAMETERS), main)
