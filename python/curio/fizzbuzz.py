"""Fizzbuzz: n tasks take m steps each, without waiting or with a yield after each step; or plain calls."""

import curio

import curio_support
from fizzbuzz_steps import PHASES, Tally, base, step, steps
from harness import Program
from tracing import Tracing


async def stepping(i: int, m: int) -> tuple[int, int]:
    return steps(i, m)


async def yielding(i: int, m: int) -> tuple[int, int]:
    done = worth = 0
    for number in range(i, i + m):
        worth += step(number)
        done += 1
        await curio.sleep(0)
    return done, worth


async def in_tasks(phase: str, n: int, m: int, trace: Tracing) -> Tally:
    start, body = trace.starts(curio.spawn), trace.body(stepping if phase == "spawn" else yielding)
    tasks = [await start(body, i, m) for i in range(n)]
    tally = Tally()
    for running in trace.collects(tasks):
        tally.add(await running.join())
    return tally


async def main(program: Program, trace: Tracing) -> None:
    phase, n, m = program.word("phase"), program["n"], program["m"]
    for lap in program.laps():
        with lap:
            tally = base(n, m) if phase == "base" else await in_tasks(phase, n, m, trace)
        tally.record(lap)


if __name__ == "__main__":
    curio_support.run(Program("fizzbuzz", "n", "m", choices={"phase": PHASES}), main)
