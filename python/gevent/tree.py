"""Tree: greenlets start ten greenlets each, down to n leaves, and add up what these return."""

import gevent

import green
from harness import Program
from tracing import Tracing


def tree(n: int, trace: Tracing) -> tuple[int, int]:
    """Greenlets joined, and the sum of the leaves."""
    finished = 0
    start = trace.starts_any(gevent.spawn)

    def node(first: int, leaves: int) -> int:
        nonlocal finished
        if leaves == 1:
            return first
        tenth = leaves // 10
        children = [start(node, child, tenth) for child in range(first, first + leaves, tenth)]
        total = 0
        for running in children:
            total += running.get()
            finished += 1
        return total

    total = start(node, 0, n).get()
    return finished + 1, total


def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = tree(n, trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    green.run(Program("tree", "n", powers_of_ten=["n"]), main)
