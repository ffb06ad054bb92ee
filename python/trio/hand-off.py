"""Hand-off: two tasks pass a token through two memory channels with room for one: a ring of two."""

from collections.abc import Awaitable, Callable
from functools import partial

import trio_support
from harness import Lap, Program
from tracing import Tracing
from trio_support import ring

HandOff = Callable[[int, Lap, Tracing], Awaitable[tuple[int, int, int]]]

ring_of_two: HandOff = partial(ring, 2)


async def main(program: Program, trace: Tracing, hand_off: HandOff = ring_of_two) -> None:
    """`hand_off` starts the lap when both wait, and tells of players that ended, tokens received, and the last token."""
    m = program["m"]
    for lap in program.laps():
        finished, messages, token = await hand_off(m, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    trio_support.run(Program("hand-off", "m"), main)
