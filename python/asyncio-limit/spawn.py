"""Spawn by the class of asyncio's tasks itself, which create_task comes down to."""

from asyncio import Task, get_running_loop
from functools import partial
from pathlib import Path

from harness import Program
from loop_run import run
from programs import load
from tracing import Tracing

idiom = load(Path(__file__).parents[1] / "asyncio", "spawn")


async def main(program: Program, trace: Tracing) -> None:
    await idiom.main(program, trace, partial(Task, loop=get_running_loop()))


if __name__ == "__main__":
    run(Program("spawn", "n"), main)
