"""Channel: p producers send m messages each to c consumers, which share one bounded queue."""

from collections.abc import Callable

import runtime
from harness import Program
from launch import run
from tracing import Tracing
from waiting import Queue


def producer(_i: int, put: Callable[[int], None], messages: range) -> None:
    for message in messages:
        put(message)


def consumer(_i: int, get: Callable[[], int | None]) -> tuple[int, int]:
    """Messages received and their sum."""
    received = checksum = 0
    while (message := get()) is not None:
        received += 1
        checksum += message
    return received, checksum


def channel(program: Program, nonce: int, trace: Tracing) -> tuple[int, list[tuple[int, int]]]:
    """Producers that ended; of each consumer the messages that it received, and their sum."""
    p, c, b, m = program["p"], program["c"], program["b"], program["m"]
    queue = Queue(b)
    start, produce, consume = trace.starts(runtime.spawn), trace.body(producer), trace.body(consumer)
    numbered = ((i, range(nonce + i * m, nonce + (i + 1) * m)) for i in range(p))
    producers = [start(produce, i, trace.sends(i, queue.put), messages) for i, messages in numbered]
    consumers = [start(consume, i, trace.receives(i, queue.get)) for i in range(p, p + c)]
    ended = len([runtime.join(running) for running in producers])
    for _ in consumers:
        queue.put(None)  # no more will come
    return ended, [runtime.join(running) for running in consumers]


def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps():
        with lap:
            ended, received = channel(program, lap.nonce, trace)
        counts, sums = zip(*received, strict=True)
        lap.record(ops=sum(counts), finished=ended + len(counts), messages=sum(counts), most=max(counts), checksum=sum(sums))


if __name__ == "__main__":
    run(Program("channel", "p", "c", "b", "m"), main)
