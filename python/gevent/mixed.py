"""Mixed: chains of requests, each a new task that computes in pieces and waits between them for a timer or for a peer."""

from collections.abc import Callable
from typing import Any

import runtime
from harness import Program
from launch import run
from mixed_requests import MESSAGE_BYTES, WAITS, Course, Request
from tracing import Tracing
from waiting import Event, socket

Wait = Callable[[int], None]


class Chain:
    """One request after the other, each in a task that the one before has spawned."""

    def __init__(self, course: Course, wait: Wait, start: Callable[..., Any], trace: Tracing) -> None:
        self.ended = Event()
        self._course = course
        self._wait = wait
        self._start, self._body = start, trace.body(self._request)

    def spawn_next(self) -> None:
        request = self._course.arrive()
        if request:
            self._start(self._body, request.number, request)
        else:
            self.ended.set()

    def _request(self, _number: int, request: Request) -> None:
        request.begin()
        request.compute()
        for _ in range(self._course.waits):
            self._wait(self._course.wait_us)
            request.compute()
        request.end()
        self.spawn_next()


def sleep(us: int) -> None:
    runtime.sleep(us / 1e6)


def connected(port: int) -> socket:
    peer = socket()
    peer.connect(("127.0.0.1", port))
    return peer


def asking(peer: socket) -> Wait:
    """Waits by asking the peer to answer so many microseconds later."""

    def ask(us: int) -> None:
        message = us.to_bytes(MESSAGE_BYTES, "big")
        peer.sendall(message)
        if peer.recv(MESSAGE_BYTES) != message:
            raise RuntimeError("the peer answered something else")

    return ask


def mixed(course: Course, waits: list[Wait], trace: Tracing) -> None:
    start = trace.starts(runtime.spawn)
    chains = [Chain(course, wait, start, trace) for wait in waits]
    for chain in chains:
        chain.spawn_next()
    for chain in chains:
        chain.ended.wait()


def main(program: Program, trace: Tracing) -> None:
    peers = []
    if program.word("wait") == "peer":
        peers = [connected(program.peer) for _ in range(program["c"])]
    for lap in program.laps(most=1):
        course = Course(program)
        waits = [asking(peer) for peer in peers] or [sleep] * program["c"]
        with lap:
            mixed(course, waits, trace)
        course.record(lap, program)
    for peer in peers:
        peer.close()


if __name__ == "__main__":
    run(Program("mixed", "c", "splits", "cpu_us", "wait_us", "requests", choices={"wait": WAITS}, companion=True), main)
