"""Baseline: plain calls. The loop exists, for hello, and has nothing to do with them."""

import plain_calls
from harness import Program
from loop_run import run
from tracing import Tracing


async def main(program: Program, trace: Tracing) -> None:
    plain_calls.measure(program)


if __name__ == "__main__":
    run(Program("baseline", "n"), main)
