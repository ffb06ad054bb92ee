"""Switch by way of the hub, as the library's own locks wait: it is told to come back here, and switched to."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import hub
from harness import Program
from launch import run
from programs import load

idiom = load(Path(__file__).parents[1] / "gevent", "switch")


def task(turns: Iterable[int], nonce: int) -> int:
    """How often it was resumed, counted from the nonce on."""
    call_soon, back, leave = hub.calls()
    count = nonce
    for _ in turns:
        call_soon(back)
        leave()
        count += 1
    return count


if __name__ == "__main__":
    run(Program("switch", "k", "m", flags=["count"]), partial(idiom.main, task=task))
