"""Ring: k tasks, each waiting at a memory object stream with room for one, pass a token round."""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack

import anyio
from anyio import create_memory_object_stream

import anyio_support
from harness import Lap, Program
from tracing import Tracing


async def player(
    received: list[int], receive: Callable[[], Awaitable[int]], send: Callable[[int], Awaitable[None]], rounds: int
) -> None:
    """Adds how many tokens it received and sent on."""
    count = 0
    for _ in range(rounds):
        token = await receive()
        count += 1
        await send(token + 1)
    received.append(count)


async def ring(k: int, rounds: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Players that ended, tokens received, and the last token; the lap starts when all k wait."""
    streams = [create_memory_object_stream[int](1) for _ in range(k)]
    received: list[int] = []
    with ExitStack() as timed:  # the clock starts within the task group and stops when it has closed
        async with anyio.create_task_group() as group:
            start = trace.starts(group.start_soon)
            for i in range(k):
                receive, send = streams[i][1].receive, streams[(i + 1) % k][0].send
                start(trace.ends(i, player), received, trace.receives(i, receive), send, rounds)
            await anyio_support.all_others_wait()
            timed.enter_context(lap)
            await streams[0][0].send(lap.nonce)
    token = streams[0][1].receive_nowait()
    for sender, receiver in streams:
        sender.close()
        receiver.close()
    return len(received), sum(received), token


async def main(program: Program, trace: Tracing) -> None:
    k, rounds = program["k"], program["rounds"]
    for lap in program.laps():
        finished, messages, token = await ring(k, rounds, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    anyio_support.run(Program("ring", "k", "rounds"), main)
