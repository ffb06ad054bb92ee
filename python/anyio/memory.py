"""Memory: n tasks wait for one event."""

import anyio_support
from anyio_support import GroupLot, Results, measure
from harness import Program
from tracing import Tracing


async def task(i: int, lot: GroupLot, results: Results) -> None:
    lot.park(i)
    await lot.gate.wait()
    lot.leave()
    results[i] = i


async def main(program: Program, trace: Tracing) -> None:
    await measure(program, trace, task)


if __name__ == "__main__":
    anyio_support.run(Program("memory", "n"), main)
