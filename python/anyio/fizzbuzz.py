"""Fizzbuzz: n tasks take m steps each, without waiting or with a checkpoint after each step; or plain calls."""

import anyio
from anyio.lowlevel import checkpoint

import anyio_support
from fizzbuzz_steps import PHASES, Tally, base, step, steps
from harness import Program
from tracing import Tracing

Results = list[tuple[int, int]]


async def stepping(i: int, m: int, results: Results) -> None:
    results.append(steps(i, m))


async def yielding(i: int, m: int, results: Results) -> None:
    done = worth = 0
    for number in range(i, i + m):
        worth += step(number)
        done += 1
        await checkpoint()
    results.append((done, worth))


async def in_tasks(phase: str, n: int, m: int, trace: Tracing) -> Tally:
    results: Results = []
    async with anyio.create_task_group() as group:
        start, body = trace.starts(group.start_soon), trace.body(stepping if phase == "spawn" else yielding)
        for i in range(n):
            start(body, i, m, results)
    tally = Tally()
    for result in trace.collects(results):
        tally.add(result)
    return tally


async def main(program: Program, trace: Tracing) -> None:
    phase, n, m = program.word("phase"), program["n"], program["m"]
    for lap in program.laps():
        with lap:
            tally = base(n, m) if phase == "base" else await in_tasks(phase, n, m, trace)
        tally.record(lap)


if __name__ == "__main__":
    anyio_support.run(Program("fizzbuzz", "n", "m", choices={"phase": PHASES}), main)
