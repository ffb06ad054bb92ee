"""Switch by a bare yield: a task that is handed None goes to the end of the loop's ready queue."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from harness import Program
from loop_run import run
from programs import load
from stackless_support import TURN

idiom = load(Path(__file__).parents[1] / "asyncio", "switch")


async def task(turns: Iterable[int], nonce: int) -> int:
    """How often it was resumed, counted from the nonce on."""
    count = nonce
    for _ in turns:
        await TURN
        count += 1
    return count


if __name__ == "__main__":
    run(Program("switch", "k", "m", flags=["count"]), partial(idiom.main, task=task))
