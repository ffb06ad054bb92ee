"""Hand-off through two queues without a bound, which the standard library has in C."""

from functools import partial
from pathlib import Path
from queue import SimpleQueue

import runtime
from harness import Lap, Program
from launch import run
from programs import load
from tracing import Tracing
from waiting import settle

idiom = load(Path(__file__).parents[1] / "gevent", "hand-off")


def hand_off(m: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    left, right = SimpleQueue[int](), SimpleQueue[int]()
    start = trace.starts(runtime.spawn)
    players = [
        start(trace.ends(0, idiom.player), trace.receives(0, left.get), right.put, m),
        start(trace.ends(1, idiom.player), trace.receives(1, right.get), left.put, m),
    ]
    settle()  # back here, both wait
    with lap:
        left.put(lap.nonce)
        received = [runtime.join(running) for running in players]
        token = left.get_nowait()
    return len(received), sum(received), token


if __name__ == "__main__":
    run(Program("hand-off", "m"), partial(idiom.main, hand_off=hand_off))
