"""Talks to a program: reads its streams line by line, answers, and says why it must be ended.

The runner sleeps in one `select` on the program's pipes and its pidfd while the program works: no polling, no threads.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
from collections.abc import Callable

import msgspec

from corobench.execute.highwater import HighWater
from corobench.execute.room import Room, gib

HEAD, TAIL = 1024, 4096  # bytes of stderr that are kept: what went wrong stands first, or last


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a program may take: seconds, bytes of memory that it holds, bytes of output (both streams together).

    `address_space`: bytes of private writable memory that it may map, whether it touches them or not. 0: no limit.
    """

    timeout_s: float = 60.0
    memory: int = 0
    address_space: int = 0
    output: int = 64 << 20


class Stop(Exception):
    """Why the runner ends a program: a fixed word for the kind, a sentence. Also raised by OnLine."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


OnLine = Callable[[bytes, int], bytes | None]
"""Called with each line of stdout and the process id; what it returns is written to the program's stdin. It may raise Stop."""


class Conversation:
    """Reads both streams until the process is gone and its pipes are drained."""

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits, high: HighWater, on_line: OnLine) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._pid = process.pid
        self._stdin = process.stdin.fileno()
        self._stdout = process.stdout.fileno()
        self._stderr = process.stderr.fileno()
        self._room = Room(process.pid, limits.memory)
        self._limits = limits
        self._high = high
        self._on_line = on_line
        self._rest = b""
        self._seen = 0
        self.head = bytearray()
        self.tail = bytearray()
        self.ended_ns = 0
        self.exited = False
        for descriptor in (self._stdout, self._stderr):
            os.set_blocking(descriptor, False)

    def hold(self, deadline: float) -> Stop | None:
        """Until the program ends by itself (None) or the runner has to end it (why)."""
        pidfd = os.pidfd_open(self._pid)
        try:
            with selectors.DefaultSelector() as selector:
                for descriptor in (pidfd, self._stdout, self._stderr):
                    selector.register(descriptor, selectors.EVENT_READ)
                return self._until_exit(selector, pidfd, deadline)
        except Stop as stop:
            self._keep_last_words()
            return stop
        finally:
            self.ended_ns = self.ended_ns or time.monotonic_ns()
            os.close(pidfd)

    def _until_exit(self, selector: selectors.BaseSelector, pidfd: int, deadline: float) -> Stop | None:
        while True:
            now = time.monotonic()
            if now >= deadline:
                return Stop("did-not-finish", f"did not finish within {self._limits.timeout_s:g} s")
            ready = selector.select(max(0.0, min(deadline, self._room.next_look, self._high.next_look) - now))
            self._high.look(has_written=bool(ready))
            if self._room.is_used_up():
                return Stop("memory-cap", f"did not finish: it held more than its cap of {gib(self._limits.memory)}")
            descriptors = {key.fd for key, _ in ready}
            if pidfd in descriptors:
                self.ended_ns = time.monotonic_ns()
            for descriptor in descriptors & {self._stdout, self._stderr}:
                if not self._read(descriptor):
                    selector.unregister(descriptor)
            if pidfd in descriptors:
                self.exited = True
                self._drain()
                return None

    def _keep_last_words(self) -> None:
        """What a program has written on stderr until it is stopped: it may say why it ended by itself."""
        with contextlib.suppress(Stop):
            while self._read(self._stderr):
                pass

    def _drain(self) -> None:
        for descriptor in (self._stdout, self._stderr):
            while self._read(descriptor):
                pass
        if self._rest:
            self._take(self._rest)

    def _read(self, descriptor: int) -> bool:
        """Takes what is there. False at the end of the stream, or where nothing is left for now."""
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return False
        self._seen += len(data)
        if self._seen > self._limits.output:
            raise Stop("too-much-output", f"wrote more than {self._limits.output >> 20} MiB")
        if descriptor == self._stderr:
            first = max(0, HEAD - len(self.head))
            self.head += data[:first]
            self.tail = (self.tail + data[first:])[-TAIL:]
        elif data:
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                self._take(line)
        return bool(data)

    def _take(self, line: bytes) -> None:
        answer = self._on_line(line, self._pid)
        if answer is not None:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._stdin, answer)
