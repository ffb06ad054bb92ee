"""Switch by half a checkpoint: the one that lets others run, without the look at whether this task was cancelled."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from trio.lowlevel import cancel_shielded_checkpoint

import nurseries
from harness import Program
from programs import load

idiom = load(Path(__file__).parents[1] / "trio", "switch")


async def task(turns: Iterable[int], results: list[int]) -> None:
    """Adds how often it was resumed."""
    resumes = 0
    for _ in turns:
        await cancel_shielded_checkpoint()
        resumes += 1
    results.append(resumes)


if __name__ == "__main__":
    nurseries.run(Program("switch", "k", "m", flags=["count"]), partial(idiom.main, task=task))
