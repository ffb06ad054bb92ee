"""Fan-in: p producers send m messages each to one consumer through one bounded queue."""

import curio

import curio_support
from harness import Program
from tracing import Tracing

ROOM = 128


async def producer(_i: int, queue: curio.Queue, value: int, m: int) -> None:
    for _ in range(m):
        await queue.put(value)


async def consumer(_i: int, queue: curio.Queue, messages: int) -> tuple[int, int]:
    """Messages received and their sum."""
    received = checksum = 0
    for _ in range(messages):
        checksum += await queue.get()
        received += 1
    return received, checksum


async def fan_in(p: int, m: int, nonce: int, trace: Tracing) -> tuple[int, int, int]:
    """Tasks that ended, messages received, their sum."""
    queue = curio.Queue(ROOM)
    # A group, as it cancels the other tasks if one fails.
    async with curio.TaskGroup() as group:
        start, produce, consume = trace.starts(group.spawn), trace.body(producer), trace.body(consumer)
        for i in range(p):
            await start(produce, i, queue, nonce + i + 1, m)
        consuming = await start(consume, p, queue, p * m)
    return len(group.results), *consuming.result


async def main(program: Program, trace: Tracing) -> None:
    p, m = program["p"], program["m"]
    for lap in program.laps():
        with lap:
            finished, messages, checksum = await fan_in(p, m, lap.nonce, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=checksum)


if __name__ == "__main__":
    curio_support.run(Program("fan-in", "p", "m"), main)
