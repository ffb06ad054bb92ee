"""Baseline: plain calls. The hub exists, for hello, and has nothing to do with them."""

import green
import plain
from harness import Program
from tracing import Tracing


def main(program: Program, trace: Tracing) -> None:
    plain.measure(program)


if __name__ == "__main__":
    green.run(Program("baseline", "n"), main)
