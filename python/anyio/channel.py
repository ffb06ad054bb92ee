"""Channel: p producers send m messages each to c consumers, which share one memory object stream of limited room."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from anyio import EndOfStream, create_memory_object_stream, create_task_group
from anyio.streams.memory import MemoryObjectSendStream

import anyio_support
from harness import Program
from tracing import Tracing


class Result:
    """How many tasks ended; of each consumer the messages that it received, and their sum."""

    def __init__(self) -> None:
        self.finished = 0
        self.counts: list[int] = []
        self.checksum = 0


async def producer(
    _i: int, sender: MemoryObjectSendStream[int], send: Callable[[int], Awaitable[None]], messages: range, result: Result
) -> None:
    async with sender:  # the stream is closed with its last sender
        for message in messages:
            await send(message)
    result.finished += 1


async def consumer(_i: int, receive: Callable[[], Awaitable[int]], result: Result) -> None:
    received = checksum = 0
    with suppress(EndOfStream):
        while True:
            checksum += await receive()
            received += 1
    result.counts.append(received)
    result.checksum += checksum
    result.finished += 1


async def channel(program: Program, nonce: int, trace: Tracing) -> Result:
    p, c, b, m = program["p"], program["c"], program["b"], program["m"]
    sender, receiver = create_memory_object_stream[int](b)
    result = Result()
    async with receiver, create_task_group() as group, sender:
        start, produce, consume = trace.starts(group.start_soon), trace.body(producer), trace.body(consumer)
        for i in range(p):
            own = sender.clone()
            start(produce, i, own, trace.sends(i, own.send), range(nonce + i * m, nonce + (i + 1) * m), result)
        for i in range(p, p + c):
            start(consume, i, trace.receives(i, receiver.receive), result)
    return result


async def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps():
        with lap:
            result = await channel(program, lap.nonce, trace)
        messages = sum(result.counts)
        lap.record(ops=messages, finished=result.finished, messages=messages, most=max(result.counts), checksum=result.checksum)


if __name__ == "__main__":
    anyio_support.run(Program("channel", "p", "c", "b", "m"), main)
