"""I/O switch: two tasks send a byte to and fro through the streams of a socket pair."""

import trio
from trio import SocketStream
from trio.socket import socketpair

import trio_support
from harness import Program
from tracing import Tracing


async def ask(i: int, stream: SocketStream, m: int, received_by: dict[int, int]) -> None:
    """Leaves how many bytes came back."""
    received = 0
    for _ in range(m):
        await stream.send_all(b"x")
        received += len(await stream.receive_some(1))
    received_by[i] = received


async def answer(i: int, stream: SocketStream, m: int, received_by: dict[int, int]) -> None:
    """Leaves how many bytes came, and were sent back."""
    received = 0
    for _ in range(m):
        byte = await stream.receive_some(1)
        received += len(byte)
        await stream.send_all(byte)
    received_by[i] = received


async def io_switch(left: SocketStream, right: SocketStream, m: int, trace: Tracing) -> dict[int, int]:
    """What each task received."""
    received_by: dict[int, int] = {}
    async with trio.open_nursery() as nursery:
        start = trace.starts(nursery.start_soon)
        start(trace.body(ask), 0, left, m, received_by)
        start(trace.body(answer), 1, right, m, received_by)
    return received_by


async def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    left, right = (SocketStream(end) for end in socketpair())
    async with left, right:
        for lap in program.laps():
            with lap:
                received = await io_switch(left, right, m, trace)
            lap.record(ops=received[0], finished=len(received), messages=sum(received.values()))


if __name__ == "__main__":
    trio_support.run(Program("io-switch", "m"), main)
