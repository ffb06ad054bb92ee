"""Memory: n tasks wait for one event."""

import nurseries
from harness import Program
from nursery_parking import NurseryLot, Results, measure
from tracing import Tracing


async def task(i: int, lot: NurseryLot, results: Results) -> None:
    lot.park(i)
    await lot.gate.wait()
    lot.leave()
    results[i] = i


async def main(program: Program, trace: Tracing) -> None:
    await measure(program, trace, task)


if __name__ == "__main__":
    nurseries.run(Program("memory", "n"), main)
