"""Ring: k tasks, each waiting at a queue of one, pass a token round."""

from collections.abc import Awaitable, Callable

import loop
from harness import Lap, Program
from loop_run import run
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
    queues = [loop.Queue[int](1) for _ in range(k)]
    start = trace.starts(loop.create_task)
    players = [start(trace.ends(i, player)(trace.receives(i, queues[i].get), queues[(i + 1) % k].put, rounds)) for i in range(k)]
    await loop.sleep(0)  # back here, all of them wait
    with lap:
        await queues[0].put(lap.nonce)
        # gather, so that the failure of one player does not leave the root waiting for another.
        received = await loop.gather(*players)
        token = queues[0].get_nowait()
    return len(received), sum(received), token


async def main(program: Program, trace: Tracing) -> None:
    k, rounds = program["k"], program["rounds"]
    for lap in program.laps():
        finished, messages, token = await ring(k, rounds, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    run(Program("ring", "k", "rounds"), main)
