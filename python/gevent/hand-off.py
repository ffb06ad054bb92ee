"""Hand-off: two tasks pass a token through two queues of one."""

from collections.abc import Callable

import runtime
from harness import Lap, Program
from launch import run
from tracing import Tracing
from waiting import Queue, settle

HandOff = Callable[[int, Lap, Tracing], tuple[int, int, int]]


def player(receive: Callable[[], int], send: Callable[[int], None], m: int) -> int:
    """How many tokens it received and sent on."""
    received = 0
    for _ in range(m):
        token = receive()
        received += 1
        send(token + 1)
    return received


def hand_off(m: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    left, right = Queue(1), Queue(1)
    start = trace.starts(runtime.spawn)
    players = [
        start(trace.ends(0, player), trace.receives(0, left.get), right.put, m),
        start(trace.ends(1, player), trace.receives(1, right.get), left.put, m),
    ]
    settle()  # back here, both wait
    with lap:
        left.put(lap.nonce)
        received = [runtime.join(running) for running in players]
        token = left.get_nowait()
    return len(received), sum(received), token


def main(program: Program, trace: Tracing, hand_off: HandOff = hand_off) -> None:
    """`hand_off` starts the lap when both wait, and tells of players that ended, tokens received, and the last token."""
    m = program["m"]
    for lap in program.laps():
        finished, messages, token = hand_off(m, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    run(Program("hand-off", "m"), main)
