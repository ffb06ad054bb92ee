"""Hand-off as the trampoline's own queue waits: who waits leaves his task in a place, to be made ready again."""

from functools import partial
from pathlib import Path

import loop
import trampoline
from harness import Lap, Program
from loop_run import run
from parking import Place
from programs import load
from stackless_support import TURN
from tracing import Tracing

idiom = load(Path(__file__).parents[1] / "asyncio", "hand-off")


async def player(i: int, mine: Place, other: Place, m: int, trace: Tracing) -> int:
    """How many tokens it received."""
    make_ready, own = trampoline.calls()
    received = 0
    for _ in trace.turns(i, m):
        if mine.token is None:
            mine.waiting = own
            await TURN
        token, mine.token = mine.token, None
        received += 1
        other.token = token + 1
        if other.waiting is not None:
            make_ready(other.waiting)
            other.waiting = None
    return received


async def hand_off(m: int, lap: Lap, trace: Tracing) -> tuple[int, int, int | None]:
    """Players that ended, tokens received, and the last token."""
    make_ready, _ = trampoline.calls()
    left, right = Place(), Place()
    start = trace.starts(loop.create_task)
    players = [start(player(0, left, right, m, trace)), start(player(1, right, left, m, trace))]
    await loop.sleep(0)  # back here, both wait
    with lap:
        left.leave(lap.nonce, make_ready)
        received = await loop.gather(*players)
    return len(received), sum(received), left.token


if __name__ == "__main__":
    run(Program("hand-off", "m"), partial(idiom.main, hand_off=hand_off))
