"""Spawn by tasks that are given a name, which trio makes up of their function's where it gets none."""

from functools import partial
from pathlib import Path

import trio

import trio_support
from harness import Program
from programs import load
from tracing import Tracing

idiom = load(Path(__file__).parents[1] / "trio", "spawn")


async def spawn(numbers: range, trace: Tracing) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    results: dict[int, int] = {}
    async with trio.open_nursery() as nursery:
        start, body = trace.starts(nursery.start_soon, numbers.start), trace.body(idiom.task)
        for i in numbers:
            start(body, i, results, name="task")
        created = len(nursery.child_tasks)
    return created, *idiom.collect(results, numbers, trace)


if __name__ == "__main__":
    trio_support.run(Program("spawn", "n"), partial(idiom.main, spawn=spawn))
