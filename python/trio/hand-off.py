"""Hand-off: two tasks pass a token through two memory channels with room for one."""

from collections.abc import Awaitable, Callable

import trio

import nurseries
from harness import Program
from players import keeping_player
from tracing import Tracing

HandOff = Callable[[int, Tracing], Awaitable[tuple[int, int, int]]]


async def hand_off(m: int, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    to_left, at_left = trio.open_memory_channel[int](1)
    to_right, at_right = trio.open_memory_channel[int](1)
    received: list[int] = []
    async with trio.open_nursery() as nursery:
        start = trace.starts(nursery.start_soon)
        start(trace.ends(0, keeping_player), received, trace.receives(0, at_left.receive), to_right.send, m)
        start(trace.ends(1, keeping_player), received, trace.receives(1, at_right.receive), to_left.send, m)
        await to_left.send(0)
    return len(received), sum(received), at_left.receive_nowait()


async def main(program: Program, trace: Tracing, hand_off: HandOff = hand_off) -> None:
    m = program["m"]
    for lap in program.laps():
        with lap:
            finished, messages, token = await hand_off(m, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    nurseries.run(Program("hand-off", "m"), main)
