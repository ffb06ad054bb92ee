"""Hand-off as trio's channels wait: who waits leaves his task where the token will be, and is rescheduled."""

from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import trio
from trio.lowlevel import Abort, current_task, reschedule, wait_task_rescheduled
from trio.testing import wait_all_tasks_blocked

import trio_support
from harness import Lap, Program
from parking import Place
from programs import load
from tracing import Tracing

idiom = load(Path(__file__).parents[1] / "trio", "hand-off")


class Room(Place):
    """A place that a task may be cancelled at."""

    __slots__ = ()

    def give_up(self, _: object) -> Abort:
        """The wait ends without a token, as the task was cancelled."""
        self.waiting = None
        return Abort.SUCCEEDED


async def player(turns: Iterable[int], mine: Room, other: Room, kept: list[int]) -> None:
    """Keeps how many tokens it received."""
    own, give_up = current_task(), mine.give_up
    received = 0
    for _ in turns:
        if mine.token is None:
            mine.waiting = own
            await wait_task_rescheduled(give_up)
        token, mine.token = mine.token, None
        received += 1
        other.token = token + 1
        if other.waiting is not None:
            reschedule(other.waiting)
            other.waiting = None
    kept.append(received)


async def hand_off(m: int, lap: Lap, trace: Tracing) -> tuple[int, int, int | None]:
    """Players that ended, tokens received, and the last token."""
    left, right = Room(), Room()
    kept: list[int] = []
    with ExitStack() as timed:  # the clock starts within the nursery and stops when it has closed
        async with trio.open_nursery() as nursery:
            start = trace.starts(nursery.start_soon)
            start(player, trace.turns(0, m), left, right, kept)
            start(player, trace.turns(1, m), right, left, kept)
            await wait_all_tasks_blocked()
            timed.enter_context(lap)
            left.leave(lap.nonce, reschedule)
    return len(kept), sum(kept), left.token


if __name__ == "__main__":
    trio_support.run(Program("hand-off", "m"), partial(idiom.main, hand_off=hand_off))
