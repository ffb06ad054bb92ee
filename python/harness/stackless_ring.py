"""A ring of tasks that pass a token through queues of one, in a loop's words; two of them hand it to each other."""

import loop
from harness import Lap
from players import async_player
from tracing import Tracing


async def ring(k: int, rounds: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token; the lap starts when all k wait."""
    queues = [loop.Queue[int](1) for _ in range(k)]
    start = trace.starts(loop.create_task)
    players = [
        start(trace.ends(i, async_player)(trace.receives(i, queues[i].get), queues[(i + 1) % k].put, rounds)) for i in range(k)
    ]
    await loop.sleep(0)  # back here, all of them wait
    with lap:
        await queues[0].put(0)
        # gather, so that the failure of one player does not leave the root waiting for another.
        received = await loop.gather(*players)
        token = queues[0].get_nowait()
    return len(received), sum(received), token
