"""Ring: k tasks, each waiting at a queue of one, pass a token round."""

from collections.abc import Callable

import runtime
from harness import Lap, Program
from launch import run
from tracing import Tracing
from waiting import Queue, settle


def player(receive: Callable[[], int], send: Callable[[int], None], rounds: int) -> int:
    """How many tokens it received and sent on."""
    received = 0
    for _ in range(rounds):
        token = receive()
        received += 1
        send(token + 1)
    return received


def ring(k: int, rounds: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token; the lap starts when all k wait."""
    queues = [Queue(1) for _ in range(k)]
    start = trace.starts(runtime.spawn)
    players = [start(trace.ends(i, player), trace.receives(i, queues[i].get), queues[(i + 1) % k].put, rounds) for i in range(k)]
    settle()  # back here, all of them wait
    with lap:
        queues[0].put(lap.nonce)
        received = [runtime.join(running) for running in players]
        token = queues[0].get_nowait()
    return len(received), sum(received), token


def main(program: Program, trace: Tracing) -> None:
    k, rounds = program["k"], program["rounds"]
    for lap in program.laps():
        finished, messages, token = ring(k, rounds, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    run(Program("ring", "k", "rounds"), main)
