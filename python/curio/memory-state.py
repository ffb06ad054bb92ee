"""Memory with state: n tasks wait for one event, each eight awaited calls deep with 1 KiB of its own."""

import curio_support
from curio_support import KernelLot, measure
from harness import Program
from tracing import Tracing

DEPTH = 8
SIZE = 1024


async def descend(i: int, lot: KernelLot, level: int) -> int:
    if level < DEPTH:
        return await descend(i, lot, level + 1)
    state = bytes([i % 251]) * SIZE
    lot.park(i)
    await lot.gate.wait()
    lot.leave()
    return i - i % 251 + state[-1]


async def task(i: int, lot: KernelLot) -> int:
    return await descend(i, lot, 1)


async def main(program: Program, trace: Tracing) -> None:
    await measure(program, trace, task)


if __name__ == "__main__":
    curio_support.run(Program("memory-state", "n"), main)
