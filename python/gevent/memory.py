"""Memory: n tasks wait for one event."""

from harness import Program
from launch import run
from stackful_support import StackfulLot, measure
from tracing import Tracing


def task(i: int, lot: StackfulLot) -> int:
    lot.park(i)
    lot.gate.wait()
    lot.leave()
    return i


def main(program: Program, trace: Tracing) -> None:
    measure(program, trace, task)


if __name__ == "__main__":
    run(Program("memory", "n"), main)
