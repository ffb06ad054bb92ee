"""A ring of tasks on stacks of their own that pass a token through queues of one; two of them hand it to each other."""

from collections.abc import Callable
from functools import partial
from typing import Any

import runtime
from harness import Lap
from players import plain_player
from tracing import Tracing
from waiting import Queue, settle

queue_of_one = partial(Queue, 1)


def ring(k: int, rounds: int, lap: Lap, trace: Tracing, queue: Callable[[], Any] = queue_of_one) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token; the lap starts when all k wait."""
    queues = [queue() for _ in range(k)]
    start = trace.starts(runtime.spawn)
    players = [
        start(trace.ends(i, plain_player), trace.receives(i, queues[i].get), queues[(i + 1) % k].put, rounds) for i in range(k)
    ]
    settle()  # back here, all of them wait
    with lap:
        queues[0].put(0)
        received = [runtime.join(running) for running in players]
        token = queues[0].get_nowait()
    return len(received), sum(received), token
