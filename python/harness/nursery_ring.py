"""A ring of trio's tasks that pass a token through memory channels with room for one; two of them hand it to each other."""

from contextlib import ExitStack

import trio
from trio.testing import wait_all_tasks_blocked

from harness import Lap
from players import keeping_player
from tracing import Tracing


async def ring(k: int, rounds: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token; the lap starts when all k wait."""
    channels = [trio.open_memory_channel[int](1) for _ in range(k)]
    received: list[int] = []
    with ExitStack() as timed:  # the clock starts within the nursery and stops when it has closed
        async with trio.open_nursery() as nursery:
            start = trace.starts(nursery.start_soon)
            for i in range(k):
                receive, send = channels[i][1].receive, channels[(i + 1) % k][0].send
                start(trace.ends(i, keeping_player), received, trace.receives(i, receive), send, rounds)
            await wait_all_tasks_blocked()
            timed.enter_context(lap)
            await channels[0][0].send(0)
    return len(received), sum(received), channels[0][1].receive_nowait()
