"""Fizzbuzz, sleeping: n tasks take m steps each and sleep after every one; the process holds still when all sleep."""

import anyio

import anyio_support
from fizzbuzz_steps import Sleepers, Tally, step
from harness import Lap, Program
from tracing import Tracing

Results = list[tuple[int, int]]


async def task(i: int, m: int, sleepers: Sleepers, results: Results) -> None:
    done = worth = 0
    try:
        for number in range(i, i + m):
            worth += step(number)
            done += 1
            sleepers.lie_down(i)
            await anyio.sleep(sleepers.seconds)
            sleepers.wake(i)
    finally:
        sleepers.leave()
    results.append((done, worth))


async def sleep_all(program: Program, lap: Lap, gate: anyio.Event, sleepers: Sleepers, trace: Tracing) -> Tally:
    m, body = program["m"], trace.body(task)
    results: Results = []
    async with anyio.create_task_group() as group:
        start = trace.starts(group.start_soon)
        for i in range(program["n"]):
            start(body, i, m, sleepers, results)
        await gate.wait()
        with lap.standing_still():
            program.hold("live", sleepers.alive)
    tally = Tally()
    for result in trace.collects(results):
        tally.add(result)
    return tally


async def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps(most=1):
        gate = anyio.Event()
        sleepers = Sleepers(program, gate.set)
        program.hold("base", sleepers.alive)
        with lap:
            tally = await sleep_all(program, lap, gate, sleepers, trace)
        sleepers.record(program, lap, tally)


if __name__ == "__main__":
    anyio_support.run(Program("fizzbuzz-sleep", "n", "m", "sleep_ms"), main)
