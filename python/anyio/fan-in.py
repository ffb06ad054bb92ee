"""Fan-in: p producers send m messages each to one consumer through one memory object stream of limited room."""

import anyio
from anyio import create_memory_object_stream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

import anyio_support
from harness import Program
from tracing import Tracing

ROOM = 128


class Result:
    """What the consumer received: messages and their sum; and how many tasks ended."""

    def __init__(self) -> None:
        self.finished = self.received = self.checksum = 0


async def producer(_i: int, sender: MemoryObjectSendStream[int], value: int, m: int, result: Result) -> None:
    for _ in range(m):
        await sender.send(value)
    result.finished += 1


async def consumer(_i: int, receiver: MemoryObjectReceiveStream[int], messages: int, result: Result) -> None:
    received = checksum = 0
    for _ in range(messages):
        checksum += await receiver.receive()
        received += 1
    result.received, result.checksum = received, checksum
    result.finished += 1


async def fan_in(p: int, m: int, nonce: int, trace: Tracing) -> Result:
    sender, receiver = create_memory_object_stream[int](ROOM)
    result = Result()
    with sender, receiver:
        async with anyio.create_task_group() as group:
            start, produce, consume = trace.starts(group.start_soon), trace.body(producer), trace.body(consumer)
            for i in range(p):
                start(produce, i, sender, nonce + i + 1, m, result)
            start(consume, p, receiver, p * m, result)
    return result


async def main(program: Program, trace: Tracing) -> None:
    p, m = program["p"], program["m"]
    for lap in program.laps():
        with lap:
            result = await fan_in(p, m, lap.nonce, trace)
        lap.record(ops=result.received, finished=result.finished, messages=result.received, checksum=result.checksum)


if __name__ == "__main__":
    anyio_support.run(Program("fan-in", "p", "m"), main)
