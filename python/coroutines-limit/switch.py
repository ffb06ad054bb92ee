"""Switch by a bare yield: a task puts itself back among those that are ready, and gives its turn away."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import trampoline
from harness import Program
from loop_run import run
from programs import load
from stackless_support import TURN

idiom = load(Path(__file__).parents[1] / "asyncio", "switch")


async def task(turns: Iterable[int]) -> int:
    """How often it was resumed."""
    make_ready, own = trampoline.calls()
    resumes = 0
    for _ in turns:
        make_ready(own)
        await TURN
        resumes += 1
    return resumes


if __name__ == "__main__":
    run(Program("switch", "k", "m", flags=["count"]), partial(idiom.main, task=task))
