"""Fan-in: p producers send m messages each to one consumer through one bounded queue."""

import loop
from harness import Program
from loop_run import run
from tracing import Tracing

ROOM = 128


async def producer(_i: int, queue: loop.Queue[int], value: int, m: int) -> None:
    for _ in range(m):
        await queue.put(value)


async def consumer(_i: int, queue: loop.Queue[int], messages: int) -> tuple[int, int]:
    """Messages received and their sum."""
    received = checksum = 0
    for _ in range(messages):
        checksum += await queue.get()
        received += 1
    return received, checksum


async def fan_in(p: int, m: int, nonce: int, trace: Tracing) -> tuple[int, int, int]:
    """Tasks that ended, messages received, their sum."""
    queue = loop.Queue[int](ROOM)
    start, produce, consume = trace.starts(loop.create_task), trace.body(producer), trace.body(consumer)
    producers = [start(produce(i, queue, nonce + i + 1, m)) for i in range(p)]
    consuming = start(consume(p, queue, p * m))
    # gather, so that the failure of one task does not leave the root waiting for another.
    finished = len(await loop.gather(*producers, consuming))
    return finished, *consuming.result()


async def main(program: Program, trace: Tracing) -> None:
    p, m = program["p"], program["m"]
    for lap in program.laps():
        with lap:
            finished, messages, checksum = await fan_in(p, m, lap.nonce, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=checksum)


if __name__ == "__main__":
    run(Program("fan-in", "p", "m"), main)
