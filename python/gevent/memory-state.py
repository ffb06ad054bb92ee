"""Memory with state: n tasks wait for one event, each eight calls deep with 1 KiB of its own."""

from harness import Program
from launch import run
from stackful_support import StackfulLot, measure
from tracing import Tracing

DEPTH = 8
SIZE = 1024


def descend(i: int, lot: StackfulLot, level: int) -> int:
    if level < DEPTH:
        return descend(i, lot, level + 1)
    state = bytes([i % 251]) * SIZE
    lot.park(i)
    lot.gate.wait()
    lot.leave()
    return i - i % 251 + state[-1]


def task(i: int, lot: StackfulLot) -> int:
    return descend(i, lot, 1)


def main(program: Program, trace: Tracing) -> None:
    measure(program, trace, task)


if __name__ == "__main__":
    run(Program("memory-state", "n"), main)
