"""Channel: p producers send m messages each to c consumers, which share one bounded queue."""

from collections.abc import Awaitable, Callable

import loop
from harness import Program
from loop_run import run
from tracing import Tracing

Queue = loop.Queue[int | None]  # None: no more will come


async def producer(_i: int, put: Callable[[int], Awaitable[None]], messages: range) -> None:
    for message in messages:
        await put(message)


async def consumer(_i: int, get: Callable[[], Awaitable[int | None]]) -> tuple[int, int]:
    """Messages received and their sum."""
    received = checksum = 0
    while (message := await get()) is not None:
        received += 1
        checksum += message
    return received, checksum


async def close(queue: Queue, producers: list[loop.Task[None]], consumers: int) -> int:
    """Tells each consumer when all producers have ended, and returns how many have: queues close only since CPython 3.13."""
    ended = len(await loop.gather(*producers))
    for _ in range(consumers):
        await queue.put(None)
    return ended


async def channel(program: Program, nonce: int, trace: Tracing) -> tuple[int, list[tuple[int, int]]]:
    """Producers that ended; of each consumer the messages that it received, and their sum."""
    p, c, b, m = program["p"], program["c"], program["b"], program["m"]
    queue = Queue(b)
    start, produce, consume = trace.starts(loop.create_task), trace.body(producer), trace.body(consumer)
    numbered = ((i, range(nonce + i * m, nonce + (i + 1) * m)) for i in range(p))
    producers = [start(produce(i, trace.sends(i, queue.put), messages)) for i, messages in numbered]
    consumers = [start(consume(i, trace.receives(i, queue.get))) for i in range(p, p + c)]
    closing = loop.create_task(close(queue, producers, c))
    # gather, so that the failure of one task does not leave the root waiting for another.
    await loop.gather(closing, *consumers)
    return closing.result(), [consuming.result() for consuming in consumers]


async def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps():
        with lap:
            ended, received = await channel(program, lap.nonce, trace)
        counts, sums = zip(*received, strict=True)
        lap.record(ops=sum(counts), finished=ended + len(counts), messages=sum(counts), most=max(counts), checksum=sum(sums))


if __name__ == "__main__":
    run(Program("channel", "p", "c", "b", "m"), main)
