"""Memory: n tasks wait for one event."""

import curio_support
from curio_support import KernelLot, measure
from harness import Program
from tracing import Tracing


async def task(i: int, lot: KernelLot) -> int:
    lot.park(i)
    await lot.gate.wait()
    lot.leave()
    return i


async def main(program: Program, trace: Tracing) -> None:
    await measure(program, trace, task)


if __name__ == "__main__":
    curio_support.run(Program("memory", "n"), main)
