"""Select: one task waits on k queues at once, another sends through them in an order that the first does not know."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable

from asyncio_support import run
from harness import Program
from tracing import Tracing
from visits import visits

Queues = list[asyncio.Queue[int]]


async def ready(queues: Queues) -> AsyncGenerator[tuple[int, int]]:
    """The messages of all queues, each with the number of its queue. A getter is kept until it has its message."""
    getters = {asyncio.create_task(queue.get()): channel for channel, queue in enumerate(queues)}
    try:
        while True:
            done, _ = await asyncio.wait(getters, return_when=asyncio.FIRST_COMPLETED)
            for getter in done:
                channel = getters.pop(getter)
                getters[asyncio.create_task(queues[channel].get())] = channel
                yield channel, getter.result()
    finally:
        for getter in getters:
            getter.cancel()


async def selector(
    receive: Callable[[], Awaitable[tuple[int, int]]], answer: Callable[[int], Awaitable[None]], k: int, w: int, m: int
) -> tuple[list[int], int]:
    """Messages received through each channel, and the sum of all."""
    counts, checksum = [0] * k, 0
    for received in range(1, k * m + 1):
        channel, message = await receive()
        counts[channel] += 1
        checksum += message
        if received % w == 0:
            await answer(received)
    return counts, checksum


async def sender(queues: Queues, order: Iterable[int], answered: Callable[[], Awaitable[int]], w: int, first: int) -> None:
    for sent, channel in enumerate(order):
        await queues[channel].put(first + sent)
        if (sent + 1) % w == 0:
            await answered()


async def select(k: int, w: int, m: int, nonce: int, trace: Tracing) -> tuple[int, list[int], int]:
    """Tasks that ended, messages received through each channel, and their sum."""
    queues, answers = [asyncio.Queue[int](1) for _ in range(k)], asyncio.Queue[int](1)
    start, messages = trace.starts(asyncio.create_task), ready(queues)
    selecting = start(trace.ends(0, selector)(trace.receives(0, messages.__anext__), answers.put, k, w, m))
    sending = start(trace.ends(1, sender)(queues, visits(k, m, nonce), trace.receives(1, answers.get), w, nonce))
    # gather, so that the failure of one task does not leave the root waiting for the other.
    finished = len(await asyncio.gather(selecting, sending))
    await messages.aclose()
    return finished, *selecting.result()


async def main(program: Program, trace: Tracing) -> None:
    k, w, m = program["k"], program["w"], program["m"]
    for lap in program.laps():
        with lap:
            finished, counts, checksum = await select(k, w, m, lap.nonce, trace)
        messages = sum(counts)
        lap.record(ops=messages, finished=finished, messages=messages, least=min(counts), most=max(counts), checksum=checksum)


if __name__ == "__main__":
    run(Program("select", "k", "w", "m"), main)
