"""Wake-up from a thread: a plain thread and a task pass a token to each other."""

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import get_ident

import gevent
from gevent.queue import Queue

from harness import Lap, Program
from launch import run
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


def in_task(receive: Callable[[], int], answer: Callable[[int], None], m: int) -> Ended:
    answered = 0
    for _ in range(m):
        token = receive()
        answered += 1
        answer(token + 1)
    return answered, get_ident()


class Mailbox:
    """What a thread puts in is handed to a queue of the hub's, which an asynchronous watcher wakes for it.

    Without a watcher that is active the hub would take a wait for a thread for one that can never end.
    """

    def __init__(self) -> None:
        self._tokens: deque[int] = deque()
        self._queue = Queue()
        self._watcher = gevent.get_hub().loop.async_()
        self._watcher.start(self._deliver)
        self.get = self._queue.get

    def put(self, token: int) -> None:
        """Called by the thread."""
        self._tokens.append(token)
        self._watcher.send()

    def _deliver(self) -> None:
        while self._tokens:
            self._queue.put_nowait(self._tokens.popleft())

    def close(self) -> None:
        self._watcher.stop()
        self._watcher.close()


def pass_token(m: int, lap: Lap, trace: Tracing) -> tuple[list[Ended], int]:
    """How the thread and the task ended, and the last token."""
    mailbox, inbox = Mailbox(), SimpleQueue[int]()
    ended: list[Ended] = []
    beside = trace.beside()
    thread = trace.starts(start_thread)(beside.ends(0, in_thread), beside.receives(0, inbox.get), mailbox.put, m, ended)
    task = trace.starts(gevent.spawn)(trace.ends(1, in_task), trace.receives(1, mailbox.get), inbox.put, m)
    gevent.sleep()  # back here, the task waits
    with lap:
        inbox.put(lap.nonce)
        ended.append(task.get())
        thread.join()  # it has nothing left to wait for
        token = inbox.get_nowait()
    mailbox.close()
    return ended, token


def main(program: Program, trace: Tracing) -> None:
    m = program["m"]
    for lap in program.laps():
        ended, token = pass_token(m, lap, trace)
        received, threads = zip(*ended, strict=True)
        lap.record(ops=min(received), finished=len(ended), messages=sum(received), threads=len(set(threads)), checksum=token)


if __name__ == "__main__":
    run(Program("wake-thread", "m"), main)
