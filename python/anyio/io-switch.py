"""I/O switch: two tasks send a byte to and fro through the streams of a socket pair."""

from socket import socketpair

import anyio
from anyio.abc import UNIXSocketStream

import anyio_support
from harness import Program
from tracing import Tracing


async def ask(i: int, stream: UNIXSocketStream, m: int, received_by: dict[int, int]) -> None:
    """Leaves how many bytes came back."""
    received = 0
    for _ in range(m):
        await stream.send(b"x")
        received += len(await stream.receive(1))
    received_by[i] = received


async def answer(i: int, stream: UNIXSocketStream, m: int, received_by: dict[int, int]) -> None:
    """Leaves how many bytes came, and were sent back."""
    received = 0
    for _ in range(m):
        byte = await stream.receive(1)
        received += len(byte)
        await stream.send(byte)
    received_by[i] = received


async def io_switch(left: UNIXSocketStream, right: UNIXSocketStream, m: int, trace: Tracing) -> dict[int, int]:
    """What each task received."""
    received_by: dict[int, int] = {}
    async with anyio.create_task_group() as group:
        start = trace.starts(group.start_soon)
        start(trace.body(ask), 0, left, m, received_by)
        start(trace.body(answer), 1, right, m, received_by)
    return received_by


async def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    left, right = [await UNIXSocketStream.from_socket(end) for end in socketpair()]
    async with left, right:
        for lap in program.laps():
            with lap:
                received = await io_switch(left, right, m, trace)
            lap.record(ops=received[0], finished=len(received), messages=sum(received.values()))


if __name__ == "__main__":
    anyio_support.run(Program("io-switch", "m"), main)
