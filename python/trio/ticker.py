"""Ticker: one task wakes on an absolute schedule while k others yield."""

import trio

import trio_support
from harness import Program
from ticks import PARAMETERS, Ticks
from tracing import Tracing


async def load(_i: int, ticks: Ticks, counts: list[int]) -> None:
    """Adds its yields."""
    count = 0
    ticks.running += 1
    while not ticks.ended:
        await trio.sleep(0)
        count += 1
    counts.append(count)


async def ticker(_i: int, ticks: Ticks, ticked: list[int]) -> None:
    """Adds its ticks, and ends the load."""
    ticks.start()
    count = 0
    for tick in range(ticks.count):
        if (left := ticks.left(tick)) > 0:
            await trio.sleep(left)
        ticks.take(tick)
        count += 1
    ticked.append(count)
    ticks.ended = True


async def main(program: Program, trace: Tracing) -> None:
    k = program["k"]
    for lap in program.laps(most=1):
        ticks = Ticks(program)
        ticked: list[int] = []
        counts: list[int] = []
        with lap:
            async with trio.open_nursery() as nursery:
                start = trace.starts(nursery.start_soon)
                for i in range(k):
                    start(trace.body(load), i, ticks, counts)
                while ticks.running < k:
                    await trio.sleep(0)
                start(trace.body(ticker), k, ticks, ticked)
        ticks.record(program, lap, sum(ticked), counts)


if __name__ == "__main__":
    trio_support.run(Program("ticker", *PARAMETERS), main)
