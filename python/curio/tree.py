"""Tree: tasks start ten tasks each, down to n leaves, and add up what these return."""

import curio

import curio_support
from harness import Program
from tracing import Tracing


async def tree(n: int, nonce: int, trace: Tracing) -> tuple[int, int]:
    """Tasks joined, and the sum of the leaves."""
    finished = 0
    start = trace.starts_any(curio.spawn)

    async def node(first: int, leaves: int) -> int:
        nonlocal finished
        if leaves == 1:
            return first
        tenth = leaves // 10
        children = [await start(node, child, tenth) for child in range(first, first + leaves, tenth)]
        total = 0
        for running in children:
            total += await running.join()
            finished += 1
        return total

    root = await start(node, nonce, n)
    total = await root.join()
    return finished + 1, total


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = await tree(n, lap.nonce, trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    curio_support.run(Program("tree", "n", powers_of_ten=["n"]), main)
