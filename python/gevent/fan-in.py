"""Fan-in: p producers send m messages each to one consumer through one bounded queue."""

import runtime
from harness import Program
from launch import run
from tracing import Tracing
from waiting import Queue

ROOM = 128


def producer(_i: int, queue: Queue, value: int, m: int) -> None:
    for _ in range(m):
        queue.put(value)


def consumer(_i: int, queue: Queue, messages: int) -> tuple[int, int]:
    """Messages received and their sum."""
    received = checksum = 0
    for _ in range(messages):
        checksum += queue.get()
        received += 1
    return received, checksum


def fan_in(p: int, m: int, nonce: int, trace: Tracing) -> tuple[int, int, int]:
    """Tasks that ended, messages received, their sum."""
    queue = Queue(ROOM)
    start, produce, consume = trace.starts(runtime.spawn), trace.body(producer), trace.body(consumer)
    producers = [start(produce, i, queue, nonce + i + 1, m) for i in range(p)]
    consuming = start(consume, p, queue, p * m)
    ended = [runtime.join(running) for running in (*producers, consuming)]
    received, checksum = ended[-1]
    return len(ended), received, checksum


def main(program: Program, trace: Tracing) -> None:
    p, m = program["p"], program["m"]
    for lap in program.laps():
        with lap:
            finished, messages, checksum = fan_in(p, m, lap.nonce, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=checksum)


if __name__ == "__main__":
    run(Program("fan-in", "p", "m"), main)
