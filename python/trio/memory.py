"""Memory: n tasks wait for one event."""

import trio_support
from harness import Program
from tracing import Tracing
from trio_support import NurseryLot, Results, measure


async def task(i: int, lot: NurseryLot, results: Results) -> None:
    lot.park(i)
    await lot.gate.wait()
    lot.leave()
    results[i] = i


async def main(program: Program, trace: Tracing) -> None:
    await measure(program, trace, task)


if __name__ == "__main__":
    trio_support.run(Program("memory", "n"), main)
