"""Mixed: chains of requests, each a new task that computes in pieces and waits between them for a timer or for a peer."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import asyncio_support
from harness import Program
from mixed_requests import MESSAGE_BYTES, WAITS, Course, Request
from tracing import Tracing

Wait = Callable[[int], Awaitable[None]]
Start = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]


class Chain:
    """One request after the other, each in a task that the one before has spawned."""

    def __init__(self, course: Course, wait: Wait, start: Start, trace: Tracing) -> None:
        self.ended = asyncio.get_running_loop().create_future()
        self._course = course
        self._wait = wait
        self._start, self._body = start, trace.body(self._request)
        self._newest: asyncio.Task[None]  # asyncio itself holds tasks only weakly

    def spawn_next(self) -> None:
        request = self._course.arrive()
        if request:
            self._newest = self._start(self._body(request.number, request))
        else:
            self.ended.set_result(None)

    async def _request(self, _number: int, request: Request) -> None:
        try:
            request.begin()
            request.compute()
            for _ in range(self._course.waits):
                await self._wait(self._course.wait_us)
                request.compute()
            request.end()
            self.spawn_next()
        except BaseException as error:
            self.ended.set_exception(error)  # nobody awaits a request: without this the root would wait for ever
            raise


async def sleep(us: int) -> None:
    await asyncio.sleep(us / 1e6)


def asking(stream: tuple[StreamReader, StreamWriter]) -> Wait:
    """Waits by asking the peer to answer so many microseconds later."""
    reader, writer = stream

    async def ask(us: int) -> None:
        message = us.to_bytes(MESSAGE_BYTES, "big")
        writer.write(message)
        await writer.drain()
        if await reader.readexactly(MESSAGE_BYTES) != message:
            raise RuntimeError("the peer answered something else")

    return ask


async def mixed(course: Course, waits: list[Wait], trace: Tracing) -> None:
    start = trace.starts(asyncio.create_task)
    chains = [Chain(course, wait, start, trace) for wait in waits]
    for chain in chains:
        chain.spawn_next()
    await asyncio.gather(*[chain.ended for chain in chains])


async def main(program: Program, trace: Tracing) -> None:
    streams = []
    if program.word("wait") == "peer":
        streams = [await asyncio.open_connection("127.0.0.1", program.peer) for _ in range(program["c"])]
    for lap in program.laps(most=1):
        course = Course(program)
        waits = [asking(stream) for stream in streams] or [sleep] * program["c"]
        with lap:
            await mixed(course, waits, trace)
        course.record(lap, program)
    for _, writer in streams:
        writer.close()
        await writer.wait_closed()


if __name__ == "__main__":
    asyncio_support.run(
        Program("mixed", "c", "splits", "cpu_us", "wait_us", "requests", choices={"wait": WAITS}, companion=True), main
    )
