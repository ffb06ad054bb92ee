"""Hand-off: two greenlets pass a token through two queues of one."""

from collections.abc import Callable

import gevent
from gevent.queue import Queue

import green
from harness import Program
from tracing import Tracing


def player(receive: Callable[[], int], send: Callable[[int], None], m: int) -> int:
    """How many tokens it received."""
    received = 0
    for _ in range(m):
        token = receive()
        received += 1
        send(token + 1)
    return received


def hand_off(m: int, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    left, right = Queue(1), Queue(1)
    start = trace.starts(gevent.spawn)
    players = [
        start(trace.ends(0, player), trace.receives(0, left.get), right.put, m),
        start(trace.ends(1, player), trace.receives(1, right.get), left.put, m),
    ]
    left.put(0)
    received = [running.get() for running in players]
    return len(received), sum(received), left.get_nowait()


def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    for lap in program.laps():
        with lap:
            finished, messages, token = hand_off(m, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    green.run(Program("hand-off", "m"), main)
