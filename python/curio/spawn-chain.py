"""Spawn chain: each task starts the next one and ends; the root waits for the last."""

import curio

import curio_support
from harness import Program
from tracing import Tracing


async def chain(numbers: range, trace: Tracing) -> tuple[int, int]:
    """Tasks that ran, and the sum of their numbers."""
    end = curio.Result()
    finished = checksum = 0
    stop = numbers.stop

    async def link(i: int) -> None:
        nonlocal finished, checksum
        try:
            checksum += i
            finished += 1
            if i + 1 < stop:
                await start(body, i + 1, daemon=True)
            else:
                await end.set_value(None)
        except BaseException as error:
            await end.set_exception(error)  # nobody joins a link: without this the root would wait for ever
            raise

    # Daemons are tasks that nobody joins: curio warns of any other that was not.
    start, body = trace.starts(curio.spawn, numbers.start), trace.body(link)
    await start(body, numbers.start, daemon=True)
    await end.unwrap()
    return finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = await chain(lap.numbers(n), trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    curio_support.run(Program("spawn-chain", "n"), main)
