"""Baseline: plain calls. The run loop exists, for hello, and has nothing to do with them."""

import nurseries
import plain
from harness import Program
from tracing import Tracing


async def main(program: Program, trace: Tracing) -> None:
    plain.measure(program)


if __name__ == "__main__":
    nurseries.run(Program("baseline", "n"), main)
