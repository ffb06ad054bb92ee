"""Spawn chain: each task starts the next one and ends; the root waits for the last."""

import loop
from harness import Program
from loop_run import run
from tracing import Tracing


async def chain(numbers: range, trace: Tracing) -> tuple[int, int]:
    """Tasks that ran, and the sum of their numbers."""
    end = loop.Future[None]()
    finished = checksum = 0
    stop = numbers.stop
    newest: loop.Task[None]  # asyncio itself holds tasks only weakly

    async def link(i: int) -> None:
        nonlocal finished, checksum, newest
        try:
            checksum += i
            finished += 1
            if i + 1 < stop:
                newest = start(body(i + 1))
            else:
                end.set_result(None)
        except BaseException as error:
            end.set_exception(error)  # nobody awaits a link: without this the root would wait for ever
            raise

    start, body = trace.starts(loop.create_task, numbers.start), trace.body(link)
    newest = start(body(numbers.start))
    await end
    return finished, checksum


async def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = await chain(lap.numbers(n), trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    run(Program("spawn-chain", "n"), main)
