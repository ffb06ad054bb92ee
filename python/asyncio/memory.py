"""Memory: n tasks wait for one event."""

import aio
from aio_parking import AsyncLot, measure
from harness import Program
from tracing import Tracing


async def task(i: int, lot: AsyncLot) -> int:
    lot.park(i)
    await lot.gate.wait()
    lot.leave()
    return i


async def main(program: Program, trace: Tracing) -> None:
    await measure(program, trace, task)


if __name__ == "__main__":
    aio.run(Program("memory", "n"), main)
