"""Hand-off: two tasks pass a token through two memory object streams with room for one."""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack

import anyio
from anyio import create_memory_object_stream

import anyio_support
from harness import Lap, Program
from tracing import Tracing


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
    to_left, left = create_memory_object_stream[int](1)
    to_right, right = create_memory_object_stream[int](1)
    received: list[int] = []
    with to_left, left, to_right, right:
        with ExitStack() as timed:  # the clock starts within the task group and stops when it has closed
            async with anyio.create_task_group() as group:
                start = trace.starts(group.start_soon)
                start(trace.ends(0, player), received, trace.receives(0, left.receive), to_right.send, m)
                start(trace.ends(1, player), received, trace.receives(1, right.receive), to_left.send, m)
                await anyio_support.all_others_wait()
                timed.enter_context(lap)
                await to_left.send(lap.nonce)
        return len(received), sum(received), left.receive_nowait()


async def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    for lap in program.laps():
        finished, messages, token = await hand_off(m, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    anyio_support.run(Program("hand-off", "m"), main)
