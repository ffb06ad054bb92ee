"""Memory: n greenlets wait for one event."""

import green
from green_parking import GreenLot, measure
from harness import Program
from tracing import Tracing


def task(i: int, lot: GreenLot) -> int:
    lot.park(i)
    lot.gate.wait()
    lot.leave()
    return i


def main(program: Program, trace: Tracing) -> None:
    measure(program, trace, task)


if __name__ == "__main__":
    green.run(Program("memory", "n"), main)
