"""Hand-off: two tasks pass a token through two queues of one."""

from collections.abc import Awaitable, Callable

import loop
from harness import Lap, Program
from loop_run import run
from tracing import Tracing

HandOff = Callable[[int, Lap, Tracing], Awaitable[tuple[int, int, int]]]


async def player(receive: Callable[[], Awaitable[int]], send: Callable[[int], Awaitable[None]], m: int) -> int:
    """How many tokens it received and sent on."""
    received = 0
    for _ in range(m):
        token = await receive()
        received += 1
        await send(token + 1)
    return received


async def hand_off(m: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    left, right = loop.Queue[int](1), loop.Queue[int](1)
    start = trace.starts(loop.create_task)
    players = [
        start(trace.ends(0, player)(trace.receives(0, left.get), right.put, m)),
        start(trace.ends(1, player)(trace.receives(1, right.get), left.put, m)),
    ]
    await loop.sleep(0)  # back here, both wait
    with lap:
        await left.put(lap.nonce)
        # gather, so that the failure of one player does not leave the root waiting for the other.
        received = await loop.gather(*players)
        token = left.get_nowait()
    return len(received), sum(received), token


async def main(program: Program, trace: Tracing, hand_off: HandOff = hand_off) -> None:
    """`hand_off` starts the lap when both wait, and tells of players that ended, tokens received, and the last token."""
    m = program["m"]
    for lap in program.laps():
        finished, messages, token = await hand_off(m, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    run(Program("hand-off", "m"), main)
