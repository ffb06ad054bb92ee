"""Generator: one greenlet is resumed n times by switch, which hands a value in and gets one out."""

from collections.abc import Iterable

from greenlet import getcurrent, greenlet

from harness import Program
from launch import run
from tracing import Tracing


def adder(value: int, turns: Iterable[int]) -> int:
    """Hands out one more than it was sent last."""
    switch = getcurrent().parent.switch
    for _ in turns:
        value = switch(value)
        value += 1
    return value


def resume(n: int, nonce: int, trace: Tracing) -> tuple[int, int]:
    """Greenlets that ended, and what the last one returned."""
    coroutine = trace.starts(greenlet)(adder)
    switch = coroutine.switch
    value = switch(nonce, trace.turns(0, n))
    for _ in range(n):
        value = switch(value)
    return int(coroutine.dead), value


def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps():
        with lap:
            finished, checksum = resume(program["n"], lap.nonce, trace)
        lap.record(ops=checksum - lap.nonce, finished=finished, checksum=checksum)


if __name__ == "__main__":
    run(Program("generator", "n"), main)
