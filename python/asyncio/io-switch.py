"""I/O switch: two tasks send a byte to and fro through the streams of a socket pair."""

import asyncio
from asyncio import StreamReader, StreamWriter
from socket import socketpair

import asyncio_support
from harness import Program
from tracing import Tracing

Stream = tuple[StreamReader, StreamWriter]


async def ask(_i: int, stream: Stream, m: int) -> int:
    """How many bytes came back."""
    reader, writer = stream
    received = 0
    for _ in range(m):
        writer.write(b"x")
        await writer.drain()
        received += len(await reader.readexactly(1))
    return received


async def answer(_i: int, stream: Stream, m: int) -> int:
    """How many bytes came, and were sent back."""
    reader, writer = stream
    received = 0
    for _ in range(m):
        byte = await reader.readexactly(1)
        received += len(byte)
        writer.write(byte)
        await writer.drain()
    return received


async def io_switch(left: Stream, right: Stream, m: int, trace: Tracing) -> list[int]:
    """What each task received."""
    start = trace.starts(asyncio.create_task)
    tasks = [start(trace.body(ask)(0, left, m)), start(trace.body(answer)(1, right, m))]
    # gather, so that the failure of one task does not leave the root waiting for the other.
    return await asyncio.gather(*tasks)


async def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    left, right = [await asyncio.open_unix_connection(sock=end) for end in socketpair()]
    for lap in program.laps():
        with lap:
            received = await io_switch(left, right, m, trace)
        lap.record(ops=received[0], finished=len(received), messages=sum(received))
    for _, writer in (left, right):
        writer.close()
        await writer.wait_closed()


if __name__ == "__main__":
    asyncio_support.run(Program("io-switch", "m"), main)
