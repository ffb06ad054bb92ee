"""Burst: a root that has slept starts n tasks at once; each tells when it first ran."""

import anyio

import anyio_support
from harness import Program
from start_times import PARAMETERS, Bursts
from tracing import Tracing


async def task(i: int, bursts: Bursts, results: list[int]) -> None:
    bursts.run(i)
    results.append(i)


async def main(program: Program, trace: Tracing) -> None:
    body = trace.body(task)
    for lap in program.laps(most=1):
        bursts = Bursts(program, lap)
        created = finished = checksum = 0
        with lap:
            for numbers in bursts:
                results: list[int] = []
                await anyio.sleep(bursts.idle)
                bursts.begin()
                async with anyio.create_task_group() as group:
                    start = trace.starts(group.start_soon, lap.nonce)
                    for i in numbers:
                        start(body, i, bursts, results)
                        created += 1
                for i in trace.collects(results, numbers.start):
                    checksum += i
                    finished += 1
        bursts.record(program, lap, created, finished, checksum)


if __name__ == "__main__":
    anyio_support.run(Program("burst", *PARAMETERS), main)
