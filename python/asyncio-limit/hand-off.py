"""Hand-off by futures, made afresh for each token: the two tasks set each other's."""

from asyncio import Future, create_task, gather, sleep
from functools import partial
from pathlib import Path

from futures import maker
from harness import Lap, Program
from loop_run import run
from programs import load
from tracing import Tracing

idiom = load(Path(__file__).parents[1] / "asyncio", "hand-off")


class Place:
    """Where a task waits for its next token."""

    __slots__ = ("next",)

    def __init__(self, following: Future[int]) -> None:
        self.next = following


async def player(i: int, mine: Place, other: Place, m: int, trace: Tracing) -> int:
    """How many tokens it received."""
    create_future = maker()
    received = 0
    for _ in trace.turns(i, m):
        token = await mine.next
        mine.next = create_future()
        received += 1
        other.next.set_result(token + 1)
    return received


async def hand_off(m: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    create_future = maker()
    left, right = Place(create_future()), Place(create_future())
    start = trace.starts(create_task)
    players = [start(player(0, left, right, m, trace)), start(player(1, right, left, m, trace))]
    await sleep(0)  # back here, both wait
    with lap:
        left.next.set_result(lap.nonce)
        # gather, so that the failure of one player does not leave the root waiting for the other.
        received = await gather(*players)
    return len(received), sum(received), left.next.result()


if __name__ == "__main__":
    run(Program("hand-off", "m"), partial(idiom.main, hand_off=hand_off))
