"""Hand-off: two tasks pass a token through two queues of one."""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack

import curio

import curio_support
from harness import Lap, Program
from tracing import Tracing


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
    left, right = curio.Queue(1), curio.Queue(1)
    with ExitStack() as timed:  # the clock starts within the task group and stops when it has been joined
        # A group, as it cancels the other player if one fails.
        async with curio.TaskGroup() as players:
            start = trace.starts(players.spawn)
            await start(trace.ends(0, player), trace.receives(0, left.get), right.put, m)
            await start(trace.ends(1, player), trace.receives(1, right.get), left.put, m)
            await curio.sleep(0)  # back here, both wait
            timed.enter_context(lap)
            await left.put(lap.nonce)
    received = players.results
    return len(received), sum(received), await left.get()


async def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    for lap in program.laps():
        finished, messages, token = await hand_off(m, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    curio_support.run(Program("hand-off", "m"), main)
