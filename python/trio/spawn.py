"""Spawn: start n tasks in a nursery, each of which leaves its result behind, then add these up."""

import trio

import nurseries
from harness import Program
from tracing import Tracing


async def task(i: int, results: dict[int, int]) -> None:
    results[i] = i


async def spawn(n: int, trace: Tracing) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    results: dict[int, int] = {}
    async with trio.open_nursery() as nursery:
        start, body = trace.starts(nursery.start_soon), trace.body(task)
        for i in range(n):
            start(body, i, results)
        created = len(nursery.child_tasks)
    finished = checksum = 0
    for i in trace.collects(list(results)):
        checksum += results[i]
        finished += 1
    return created, finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            created, finished, checksum = await spawn(n, trace)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)


if __name__ == "__main__":
    nurseries.run(Program("spawn", "n"), main)
