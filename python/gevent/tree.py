"""Tree: tasks start ten tasks each, down to n leaves, and add up what these return."""

import runtime
from harness import Program
from launch import run
from tracing import Tracing


def tree(n: int, nonce: int, trace: Tracing) -> tuple[int, int]:
    """Tasks joined, and the sum of the leaves."""
    start = trace.starts_any(runtime.spawn)

    def node(first: int, leaves: int) -> tuple[int, int]:
        """The same of what is below it."""
        if leaves == 1:
            return 0, first
        tenth = leaves // 10
        children = [start(node, child, tenth) for child in range(first, first + leaves, tenth)]
        finished = total = 0
        for running in children:
            below, part = runtime.join(running)
            finished += 1 + below
            total += part
        return finished, total

    below, total = runtime.join(start(node, nonce, n))
    return 1 + below, total


def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = tree(n, lap.nonce, trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    run(Program("tree", "n", powers_of_ten=["n"]), main)
