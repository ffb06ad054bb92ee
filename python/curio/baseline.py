"""Baseline: plain calls. The kernel exists, for hello, and has nothing to do with them."""

import curio_support
from harness import Program
from tracing import Tracing


def body(i: int) -> int:
    return i


def call(numbers: range) -> tuple[int, int]:
    """Results received and their sum."""
    finished = checksum = 0
    for i in numbers:
        checksum += body(i)
        finished += 1
    return finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = call(lap.numbers(n))
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    curio_support.run(Program("baseline", "n"), main)
