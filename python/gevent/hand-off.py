"""Hand-off: two tasks pass a token through two queues of one."""

from collections.abc import Callable
from functools import partial
from typing import Any

import runtime
from harness import Program
from launch import run
from players import plain_player
from tracing import Tracing
from waiting import Queue

HandOff = Callable[[int, Tracing], tuple[int, int, int]]

queue_of_one = partial(Queue, 1)


def hand_off(m: int, trace: Tracing, queue: Callable[[], Any] = queue_of_one) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    left, right = queue(), queue()
    start = trace.starts(runtime.spawn)
    players = [
        start(trace.ends(0, plain_player), trace.receives(0, left.get), right.put, m),
        start(trace.ends(1, plain_player), trace.receives(1, right.get), left.put, m),
    ]
    left.put(0)
    received = [runtime.join(running) for running in players]
    return len(received), sum(received), left.get_nowait()


def main(program: Program, trace: Tracing, hand_off: HandOff = hand_off) -> None:
    m = program["m"]
    for lap in program.laps():
        with lap:
            finished, messages, token = hand_off(m, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    run(Program("hand-off", "m"), main)
