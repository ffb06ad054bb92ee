"""Hand-off by way of the hub, as gevent's own locks do it: who waits leaves word of how to resume him, and the hub is told to."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from gevent import get_hub, getcurrent, spawn

from harness import Program
from launch import run
from programs import load
from tracing import Tracing

idiom = load(Path(__file__).parents[1] / "gevent", "hand-off")


class Place:
    """Where a task waits for its next token, or the token for it."""

    __slots__ = ("resume", "token")

    def __init__(self, token: int | None) -> None:
        self.token = token
        self.resume: Callable[[int], object] | None = None


def player(i: int, mine: Place, other: Place, m: int, trace: Tracing) -> int:
    """How many tokens it received."""
    hub = get_hub()
    call_soon, own, leave = hub.loop.run_callback, getcurrent().switch, hub.switch
    received = 0
    for _ in trace.turns(i, m):
        if mine.token is None:
            mine.resume = own
            token = leave()
        else:
            token, mine.token = mine.token, None
        received += 1
        if other.resume is None:
            other.token = token + 1
        else:
            call_soon(other.resume, token + 1)
            other.resume = None
    return received


def hand_off(m: int, trace: Tracing) -> tuple[int, int, int | None]:
    """Players that ended, tokens received, and the last token."""
    left, right = Place(0), Place(None)
    start = trace.starts(spawn)
    players = [start(player, 0, left, right, m, trace), start(player, 1, right, left, m, trace)]
    received = [running.get() for running in players]
    return len(received), sum(received), left.token


if __name__ == "__main__":
    run(Program("hand-off", "m"), partial(idiom.main, hand_off=hand_off))
