"""Ring: k tasks, each waiting at a queue of one, pass a token round."""

import loop
from harness import Lap, Program
from loop_run import run
from players import async_player
from tracing import Tracing


async def ring(k: int, rounds: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token."""
    queues = [loop.Queue[int](1) for _ in range(k)]
    start = trace.starts(loop.create_task)
    players = [
        start(trace.ends(i, async_player)(trace.receives(i, queues[i].get), queues[(i + 1) % k].put, rounds)) for i in range(k)
    ]
    await loop.sleep(0)  # back here, all of them wait
    with lap:
        await queues[0].put(0)
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
