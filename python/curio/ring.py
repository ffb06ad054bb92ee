"""Ring: k tasks, each waiting at a queue of one, pass a token round."""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack

import curio

import curio_support
from harness import Lap, Program
from tracing import Tracing


async def player(receive: Callable[[], Awaitable[int]], send: Callable[[int], Awaitable[None]], rounds: int) -> int:
    """How many tokens it received and sent on."""
    received = 0
    for _ in range(rounds):
        token = await receive()
        received += 1
        await send(token + 1)
    return received


async def ring(k: int, rounds: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token; the lap starts when all k wait."""
    queues = [curio.Queue(1) for _ in range(k)]
    with ExitStack() as timed:  # the clock starts within the task group and stops when it has been joined
        # A group, as it cancels the other players if one fails.
        async with curio.TaskGroup() as players:
            start = trace.starts(players.spawn)
            for i in range(k):
                await start(trace.ends(i, player), trace.receives(i, queues[i].get), queues[(i + 1) % k].put, rounds)
            await curio.sleep(0)  # back here, all of them wait
            timed.enter_context(lap)
            await queues[0].put(lap.nonce)
    received = players.results
    return len(received), sum(received), await queues[0].get()


async def main(program: Program, trace: Tracing) -> None:
    k, rounds = program["k"], program["rounds"]
    for lap in program.laps():
        finished, messages, token = await ring(k, rounds, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    curio_support.run(Program("ring", "k", "rounds"), main)
