"""Switch by what a shielded checkpoint hands to trio, without the coroutine around it and the look at what comes back."""

from collections.abc import Generator, Iterable
from functools import partial
from pathlib import Path
from types import coroutine

from trio.lowlevel import cancel_shielded_checkpoint

import trio_support
from harness import Program
from programs import load

idiom = load(Path(__file__).parents[1] / "trio", "switch")

checkpoint = cancel_shielded_checkpoint()
MESSAGE = checkpoint.send(None)
checkpoint.close()


@coroutine
def turn() -> Generator[object, None, None]:
    """Lets others run; a shielded checkpoint is never cancelled, so that nothing can come back but None."""
    yield MESSAGE


async def task(turns: Iterable[int], nonce: int, results: list[int]) -> None:
    """Adds how often it was resumed, counted from the nonce on."""
    count = nonce
    for _ in turns:
        await turn()
        count += 1
    results.append(count)


if __name__ == "__main__":
    trio_support.run(Program("switch", "k", "m", flags=["count"]), partial(idiom.main, task=task))
