"""Select: one task waits on k queues at once, another sends through them in an order that the first does not know."""

from collections.abc import Callable, Generator, Iterable

import gevent
from gevent.queue import Queue

from harness import Program
from launch import run
from tracing import Tracing
from visits import visits


def ready(queues: list[Queue]) -> Generator[tuple[int, int]]:
    """The messages of all queues, each with the number of its queue. A getter is kept until it has its message."""
    getters = {gevent.spawn(queue.get): channel for channel, queue in enumerate(queues)}
    try:
        while True:
            for getter in gevent.wait(list(getters), count=1):
                channel = getters.pop(getter)
                getters[gevent.spawn(queues[channel].get)] = channel
                yield channel, getter.get()
    finally:
        gevent.killall(list(getters))


def selector(
    receive: Callable[[], tuple[int, int]], answer: Callable[[int], None], k: int, w: int, m: int
) -> tuple[list[int], int]:
    """Messages received through each channel, and the sum of all."""
    counts, checksum = [0] * k, 0
    for received in range(1, k * m + 1):
        channel, message = receive()
        counts[channel] += 1
        checksum += message
        if received % w == 0:
            answer(received)
    return counts, checksum


def sender(queues: list[Queue], order: Iterable[int], answered: Callable[[], int], w: int, first: int) -> int:
    """How many messages it sent."""
    sent = 0
    for channel in order:
        queues[channel].put(first + sent)
        sent += 1
        if sent % w == 0:
            answered()
    return sent


def select(k: int, w: int, m: int, nonce: int, trace: Tracing) -> tuple[int, list[int], int]:
    """Tasks that ended, messages received through each channel, and their sum."""
    queues, answers = [Queue(1) for _ in range(k)], Queue(1)
    start, messages = trace.starts(gevent.spawn), ready(queues)
    selecting = start(trace.ends(0, selector), trace.receives(0, messages.__next__), answers.put, k, w, m)
    sending = start(trace.ends(1, sender), queues, visits(k, m, nonce), trace.receives(1, answers.get), w, nonce)
    results = [running.get() for running in (selecting, sending)]
    messages.close()
    counts, checksum = results[0]
    return len(results), counts, checksum


def main(program: Program, trace: Tracing) -> None:
    k, w, m = program["k"], program["w"], program["m"]
    for lap in program.laps():
        with lap:
            finished, counts, checksum = select(k, w, m, lap.nonce, trace)
        messages = sum(counts)
        lap.record(ops=messages, finished=finished, messages=messages, least=min(counts), most=max(counts), checksum=checksum)


if __name__ == "__main__":
    run(Program("select", "k", "w", "m"), main)
