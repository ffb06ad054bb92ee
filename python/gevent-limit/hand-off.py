"""Hand-off by way of the hub, as the library's own locks wait: who waits leaves word of how to resume him, and the hub does."""

from functools import partial
from pathlib import Path

import hub
import runtime
from harness import Lap, Program
from launch import run
from parking import Place
from programs import load
from tracing import Tracing
from waiting import settle

idiom = load(Path(__file__).parents[1] / "gevent", "hand-off")


def player(i: int, mine: Place, other: Place, m: int, trace: Tracing) -> int:
    """How many tokens it received."""
    call_soon, own, leave = hub.calls()
    received = 0
    for _ in trace.turns(i, m):
        if mine.token is None:
            mine.waiting = own
            leave()
        token, mine.token = mine.token, None
        received += 1
        other.token = token + 1
        if other.waiting is not None:
            call_soon(other.waiting)
            other.waiting = None
    return received


def hand_off(m: int, lap: Lap, trace: Tracing) -> tuple[int, int, int | None]:
    """Players that ended, tokens received, and the last token."""
    call_soon, _, _ = hub.calls()
    left, right = Place(), Place()
    start = trace.starts(runtime.spawn)
    players = [start(player, 0, left, right, m, trace), start(player, 1, right, left, m, trace)]
    settle()  # back here, both wait
    with lap:
        left.leave(lap.nonce, call_soon)
        received = [runtime.join(running) for running in players]
    return len(received), sum(received), left.token


if __name__ == "__main__":
    run(Program("hand-off", "m"), partial(idiom.main, hand_off=hand_off))
