"""Hand-off: two tasks pass a token through two queues of one."""

from collections.abc import Awaitable, Callable

import loop
from harness import Program
from loop_run import run
from players import async_player
from tracing import Tracing

HandOff = Callable[[int, Tracing], Awaitable[tuple[int, int, int]]]


async def hand_off(m: int, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    left, right = loop.Queue[int](1), loop.Queue[int](1)
    start = trace.starts(loop.create_task)
    players = [
        start(trace.ends(0, async_player)(trace.receives(0, left.get), right.put, m)),
        start(trace.ends(1, async_player)(trace.receives(1, right.get), left.put, m)),
    ]
    await left.put(0)
    # gather, so that the failure of one player does not leave the root waiting for the other.
    received = await loop.gather(*players)
    return len(received), sum(received), left.get_nowait()


async def main(program: Program, trace: Tracing, hand_off: HandOff = hand_off) -> None:
    m = program["m"]
    for lap in program.laps():
        with lap:
            finished, messages, token = await hand_off(m, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    run(Program("hand-off", "m"), main)
