"""Burst: a root that has slept starts n tasks at once; each tells when it first ran."""

import asyncio

import asyncio_support
from harness import Program
from start_times import PARAMETERS, Bursts
from tracing import Tracing


async def task(i: int, bursts: Bursts) -> int:
    bursts.run(i)
    return i


async def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps(most=1):
        start, body = trace.starts(asyncio.create_task, lap.nonce), trace.body(task)
        bursts = Bursts(program, lap)
        created = finished = checksum = 0
        with lap:
            for numbers in bursts:
                await asyncio.sleep(bursts.idle)
                bursts.begin()
                tasks = [start(body(i, bursts)) for i in numbers]
                created += len(tasks)
                for running in trace.collects(tasks, numbers.start):
                    checksum += await running
                    finished += 1
        bursts.record(program, lap, created, finished, checksum)


if __name__ == "__main__":
    asyncio_support.run(Program("burst", *PARAMETERS), main)
