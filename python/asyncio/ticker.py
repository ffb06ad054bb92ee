"""Ticker: one task wakes on an absolute schedule while k others yield."""

import asyncio

import asyncio_support
from harness import Program
from ticks import PARAMETERS, Ticks
from tracing import Tracing


async def load(_i: int, ticks: Ticks) -> int:
    """Its yields."""
    count = 0
    ticks.running += 1
    while not ticks.ended:
        await asyncio.sleep(0)
        count += 1
    return count


async def ticker(_i: int, ticks: Ticks) -> int:
    """Its ticks."""
    ticks.start()
    count = 0
    for tick in range(ticks.count):
        if (left := ticks.left(tick)) > 0:
            await asyncio.sleep(left)
        ticks.take(tick)
        count += 1
    return count


async def main(program: Program, trace: Tracing) -> None:
    k, start = program["k"], trace.starts(asyncio.create_task)
    for lap in program.laps(most=1):
        ticks = Ticks(program)
        with lap:
            tasks = [start(trace.body(load)(i, ticks)) for i in range(k)]
            while ticks.running < k:
                await asyncio.sleep(0)
            ticked = await start(trace.body(ticker)(k, ticks))
            ticks.ended = True
            counts = [await task for task in tasks]
        ticks.record(program, lap, ticked, counts)


if __name__ == "__main__":
    asyncio_support.run(Program("ticker", *PARAMETERS), main)
