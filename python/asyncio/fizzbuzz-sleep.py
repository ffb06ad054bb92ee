"""Fizzbuzz, sleeping: n tasks take m steps each and sleep after every one; the process holds still when all sleep."""

import asyncio

import asyncio_support
from fizzbuzz_steps import Sleepers, Tally, step
from harness import Lap, Program
from tracing import Tracing


async def task(i: int, m: int, sleepers: Sleepers) -> tuple[int, int]:
    done = worth = 0
    try:
        for number in range(i, i + m):
            worth += step(number)
            done += 1
            sleepers.lie_down(i)
            await asyncio.sleep(sleepers.seconds)
            sleepers.wake(i)
    finally:
        sleepers.leave()
    return done, worth


async def sleep_all(program: Program, lap: Lap, gate: asyncio.Event, sleepers: Sleepers, trace: Tracing) -> Tally:
    m, start, body = program["m"], trace.starts(asyncio.create_task), trace.body(task)
    tasks = [start(body(i, m, sleepers)) for i in range(program["n"])]
    await gate.wait()
    with lap.standing_still():
        program.hold("live", sleepers.alive)
    tally = Tally()
    for running in trace.collects(tasks):
        tally.add(await running)
    return tally


async def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps(most=1):
        gate = asyncio.Event()
        sleepers = Sleepers(program, gate.set)
        program.hold("base", sleepers.alive)
        with lap:
            tally = await sleep_all(program, lap, gate, sleepers, trace)
        sleepers.record(program, lap, tally)


if __name__ == "__main__":
    asyncio_support.run(Program("fizzbuzz-sleep", "n", "m", "sleep_ms"), main)
