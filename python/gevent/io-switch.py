"""I/O switch: two tasks send a byte to and fro over a socket pair."""

import runtime
from harness import Program
from launch import run
from tracing import Tracing
from waiting import socket, socketpair


def ask(_i: int, end: socket, m: int) -> int:
    """How many bytes came back."""
    received = 0
    for _ in range(m):
        end.sendall(b"x")
        received += len(end.recv(1))
    return received


def answer(_i: int, end: socket, m: int) -> int:
    """How many bytes came, and were sent back."""
    received = 0
    for _ in range(m):
        byte = end.recv(1)
        received += len(byte)
        end.sendall(byte)
    return received


def io_switch(left: socket, right: socket, m: int, trace: Tracing) -> list[int]:
    """What each task received."""
    start = trace.starts(runtime.spawn)
    tasks = [start(trace.body(ask), 0, left, m), start(trace.body(answer), 1, right, m)]
    return [runtime.join(running) for running in tasks]


def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    left, right = socketpair()
    with left, right:
        for lap in program.laps():
            with lap:
                received = io_switch(left, right, m, trace)
            lap.record(ops=received[0], finished=len(received), messages=sum(received))


if __name__ == "__main__":
    run(Program("io-switch", "m"), main)
