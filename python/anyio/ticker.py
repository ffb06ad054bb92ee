"""Ticker: one task wakes on an absolute schedule while k others yield."""

import anyio

import anyio_support
from harness import Program
from ticks import PARAMETERS, Ticks
from tracing import Tracing


async def load(_i: int, ticks: Ticks, counts: list[int]) -> None:
    """Adds its yields."""
    count = 0
    ticks.running += 1
    while not ticks.ended:
        await anyio.sleep(0)
        count += 1
    counts.append(count)


async def ticker(_i: int, ticks: Ticks, ticked: list[int]) -> None:
    """Adds its ticks, and ends the load."""
    ticks.start()
    count = 0
    for tick in range(ticks.count):
        if (left := ticks.left(tick)) > 0:
            await anyio.sleep(left)
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
            async with anyio.create_task_group() as group:
                start = trace.starts(group.start_soon)
                for i in range(k):
                    start(trace.body(load), i, ticks, counts)
                while ticks.running < k:
                    await anyio.sleep(0)
                start(trace.body(ticker), k, ticks, ticked)
        ticks.record(program, lap, sum(ticked), counts)


if __name__ == "__main__":
    anyio_support.run(Program("ticker", *PARAMETERS), main)
