"""Tree: tasks start ten tasks each in a task group of their own, down to n leaves, and add up what these leave behind."""

import anyio

import anyio_support
from harness import Program
from tracing import Tracing


async def tree(n: int, nonce: int, trace: Tracing) -> tuple[int, int]:
    """Tasks joined, and the sum of the leaves."""
    finished = 0

    async def node(first: int, leaves: int, results: list[int]) -> None:
        if leaves == 1:
            results.append(first)
        else:
            tenth = leaves // 10
            results.append(await total(range(first, first + leaves, tenth), tenth))

    async def total(firsts: range, leaves: int) -> int:
        """What the nodes that begin there return together."""
        nonlocal finished
        results: list[int] = []
        async with anyio.create_task_group() as group:
            start = trace.starts_any(group.start_soon)
            for first in firsts:
                start(node, first, leaves, results)
        finished += len(results)
        return sum(results)

    checksum = await total(range(nonce, nonce + 1), n)
    return finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = await tree(n, lap.nonce, trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    anyio_support.run(Program("tree", "n", powers_of_ten=["n"]), main)
