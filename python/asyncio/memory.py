"""Memory: n tasks wait for one event."""

from harness import Program
from loop_run import run
from stackless_support import StacklessLot, measure
from tracing import Tracing


async def task(i: int, lot: StacklessLot) -> int:
    lot.park(i)
    await lot.gate.wait()
    lot.leave()
    return i


async def main(program: Program, trace: Tracing) -> None:
    await measure(program, trace, task)


if __name__ == "__main__":
    run(Program("memory", "n"), main)
