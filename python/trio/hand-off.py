"""Hand-off: two tasks pass a token through two memory channels with room for one."""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack

import trio
from trio.testing import wait_all_tasks_blocked

import trio_support
from harness import Lap, Program
from tracing import Tracing

HandOff = Callable[[int, Lap, Tracing], Awaitable[tuple[int, int, int]]]


async def player(
    received: list[int], receive: Callable[[], Awaitable[int]], send: Callable[[int], Awaitable[None]], m: int
) -> None:
    """Adds how many tokens it received and sent on."""
    count = 0
    for _ in range(m):
        token = await receive()
        count += 1
        await send(token + 1)
    received.append(count)


async def hand_off(m: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    to_left, left = trio.open_memory_channel[int](1)
    to_right, right = trio.open_memory_channel[int](1)
    received: list[int] = []
    with ExitStack() as timed:  # the clock starts within the nursery and stops when it has closed
        async with trio.open_nursery() as nursery:
            start = trace.starts(nursery.start_soon)
            start(trace.ends(0, player), received, trace.receives(0, left.receive), to_right.send, m)
            start(trace.ends(1, player), received, trace.receives(1, right.receive), to_left.send, m)
            await wait_all_tasks_blocked()
            timed.enter_context(lap)
            await to_left.send(lap.nonce)
    return len(received), sum(received), left.receive_nowait()


async def main(program: Program, trace: Tracing, hand_off: HandOff = hand_off) -> None:
    """`hand_off` starts the lap when both wait, and tells of players that ended, tokens received, and the last token."""
    m = program["m"]
    for lap in program.laps():
        finished, messages, token = await hand_off(m, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    trio_support.run(Program("hand-off", "m"), main)
