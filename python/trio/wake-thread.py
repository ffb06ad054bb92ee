"""Wake-up from a thread: a plain thread and a task pass a token to each other."""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from queue import SimpleQueue
from threading import get_ident

import trio
from trio.testing import wait_all_tasks_blocked

import trio_support
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


async def in_task(receive: Callable[[], Awaitable[int]], answer: Callable[[int], None], m: int, ended: list[Ended]) -> None:
    answered = 0
    for _ in range(m):
        token = await receive()
        answered += 1
        answer(token + 1)
    ended.append((answered, get_ident()))


async def pass_token(m: int, lap: Lap, trace: Tracing) -> tuple[list[Ended], int]:
    """How the thread and the task ended, and the last token."""
    running, inbox = trio.lowlevel.current_trio_token(), SimpleQueue[int]()
    sender, receiver = trio.open_memory_channel[int](1)
    ended: list[Ended] = []

    def wake(token: int) -> None:
        running.run_sync_soon(sender.send_nowait, token)

    beside = trace.beside()
    thread = trace.starts(start_thread)(beside.ends(0, in_thread), beside.receives(0, inbox.get), wake, m, ended)
    with ExitStack() as timed:  # the clock starts within the nursery and stops when it has closed
        async with trio.open_nursery() as nursery:
            start = trace.starts(nursery.start_soon)
            start(trace.ends(1, in_task), trace.receives(1, receiver.receive), inbox.put, m, ended)
            await wait_all_tasks_blocked()
            timed.enter_context(lap)
            inbox.put(lap.nonce)
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
    trio_support.run(Program("wake-thread", "m"), main)
