"""Wake-up from a thread: a plain thread and a task pass a token to each other."""

import asyncio
from collections.abc import Awaitable, Callable
from queue import SimpleQueue
from threading import get_ident

from asyncio_support import run
from harness import Lap, Program
from plain_threads import start_thread
from tracing import Tracing

Ended = tuple[int, int]  # tokens received, and the thread that one ended on


def in_thread(receive: Callable[[], int], wake: Callable[[int], None], m: int, ended: list[Ended]) -> None:
    received = 0
    for _ in range(m):
        token = receive()
        received += 1
        wake(token + 1)
    ended.append((received, get_ident()))


async def in_task(receive: Callable[[], Awaitable[int]], answer: Callable[[int], None], m: int) -> Ended:
    answered = 0
    for _ in range(m):
        token = await receive()
        answered += 1
        answer(token + 1)
    return answered, get_ident()


async def pass_token(m: int, lap: Lap, trace: Tracing) -> tuple[list[Ended], int]:
    """How the thread and the task ended, and the last token."""
    loop, queue, inbox = asyncio.get_running_loop(), asyncio.Queue[int](1), SimpleQueue[int]()
    ended: list[Ended] = []

    def wake(token: int) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, token)

    beside = trace.beside()
    thread = trace.starts(start_thread)(beside.ends(0, in_thread), beside.receives(0, inbox.get), wake, m, ended)
    task = trace.starts(asyncio.create_task)(trace.ends(1, in_task)(trace.receives(1, queue.get), inbox.put, m))
    await asyncio.sleep(0)  # back here, the task waits
    with lap:
        inbox.put(lap.nonce)
        ended.append(await task)
        thread.join()  # it has nothing left to wait for
        token = inbox.get_nowait()
    return ended, token


async def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    for lap in program.laps():
        ended, token = await pass_token(m, lap, trace)
        received, threads = zip(*ended, strict=True)
        lap.record(ops=min(received), finished=len(ended), messages=sum(received), threads=len(set(threads)), checksum=token)


if __name__ == "__main__":
    run(Program("wake-thread", "m"), main)
