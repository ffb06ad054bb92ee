"""I/O switch: two tasks send a byte to and fro through the sockets of a pair."""

import curio
from curio.io import Socket
from curio.socket import socketpair

import curio_support
from harness import Program
from tracing import Tracing


async def ask(_i: int, sock: Socket, m: int) -> int:
    """How many bytes came back."""
    received = 0
    for _ in range(m):
        await sock.sendall(b"x")
        received += len(await sock.recv(1))
    return received


async def answer(_i: int, sock: Socket, m: int) -> int:
    """How many bytes came, and were sent back."""
    received = 0
    for _ in range(m):
        byte = await sock.recv(1)
        received += len(byte)
        await sock.sendall(byte)
    return received


async def io_switch(left: Socket, right: Socket, m: int, trace: Tracing) -> list[int]:
    """What each task received."""
    # A group, as it cancels the other task if one fails.
    async with curio.TaskGroup() as group:
        start = trace.starts(group.spawn)
        await start(trace.body(ask), 0, left, m)
        await start(trace.body(answer), 1, right, m)
    received: list[int] = group.results
    return received


async def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    left, right = socketpair()
    async with left, right:
        for lap in program.laps():
            with lap:
                received = await io_switch(left, right, m, trace)
            lap.record(ops=received[0], finished=len(received), messages=sum(received))


if __name__ == "__main__":
    curio_support.run(Program("io-switch", "m"), main)
