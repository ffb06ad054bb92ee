"""Baseline: plain calls. The run loop exists, for hello, and has nothing to do with them."""

import plain_calls
import trio_support
from harness import Program
from tracing import Tracing


async def main(program: Program, trace: Tracing) -> None:
    plain_calls.measure(program)


if __name__ == "__main__":
    trio_support.run(Program("baseline", "n"), main)
