"""Talks to a program: reads its streams line by line, answers, and says why it must be ended.

The runner sleeps in one `select` on the program's pipes and its pidfd while the program works: no polling, no threads.
A listener that starts another program meanwhile, as the load of a server, has the conversation with that one attend to this.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
from collections import deque
from collections.abc import Callable

import msgspec

from corobench.execute.highwater import HighWater
from corobench.execute.room import NEVER, Room, gib

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


class Aside(Exception):
    """Raised out of a conversation by the one that it attends to beside its own, whose program must be ended."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.reason)
        self.stop = stop


Work = Callable[["Conversation"], bytes]
"""What a listener does before it answers, for as long as it likes: it sees to it that the conversation is attended to."""
Answer = bytes | Work | None
OnLine = Callable[[bytes, int], Answer]
"""Called with each line of stdout and the process id; its answer is written to the program's stdin. It may raise Stop."""


class Conversation:
    """Reads both streams until the process is gone and its pipes are drained. `beside`: another that is attended to meanwhile."""

    _selector: selectors.EpollSelector
    _pidfd: int
    _deadline: float

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        limits: Limits,
        high: HighWater,
        on_line: OnLine,
        beside: Conversation | None = None,
    ) -> None:
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
        self._beside = beside
        self._rest = b""
        self._lines: deque[bytes] = deque()
        self._busy = False
        self._seen = 0
        self.head = bytearray()
        self.tail = bytearray()
        self.ended_ns = 0
        self.exited = False
        for descriptor in (self._stdout, self._stderr):
            os.set_blocking(descriptor, False)

    def hold(self, deadline: float) -> Stop | None:
        """Until the program ends by itself (None) or the runner has to end it (why)."""
        self._deadline = deadline
        self._pidfd = os.pidfd_open(self._pid)
        try:
            with selectors.EpollSelector() as self._selector:
                for descriptor in (self._pidfd, self._stdout, self._stderr):
                    self._selector.register(descriptor, selectors.EVENT_READ)
                if self._beside:
                    self._selector.register(self._beside, selectors.EVENT_READ)
                while not self.exited:
                    self._attend(NEVER)
                self._drain()
                return None
        except Stop as stop:
            self._keep_last_words()
            return stop
        finally:
            self.ended_ns = self.ended_ns or time.monotonic_ns()
            os.close(self._pidfd)

    def fileno(self) -> int:
        """Of a descriptor that is readable when the program has written something or ended."""
        return self._selector.fileno()

    @property
    def next_look(self) -> float:
        """When it must be attended to at the latest, in monotonic seconds."""
        return min(self._deadline, self._room.next_look, self._high.next_look)

    def attend(self) -> None:
        """While its listener is busy: takes what is there, and holds the program to its limits. Raises Aside."""
        try:
            self._attend(0.0)
        except Stop as stop:
            raise Aside(stop) from stop

    def _attend(self, most_s: float) -> None:
        now = time.monotonic()
        if now >= self._deadline:
            raise Stop("did-not-finish", f"did not finish within {self._limits.timeout_s:g} s")
        until = min(self.next_look, self._beside.next_look) if self._beside else self.next_look
        ready = {key.fd for key, _ in self._selector.select(max(0.0, min(most_s, until - now)))}
        self._high.look(has_written=bool(ready))
        if self._room.is_used_up():
            raise Stop("memory-cap", f"did not finish: it held more than its cap of {gib(self._limits.memory)}")
        if self._pidfd in ready:
            self.ended_ns = time.monotonic_ns()
            self._selector.unregister(self._pidfd)
        if self._beside:
            self._beside.attend()
        # stdout last: whoever is busy with a line of it attends to both streams meanwhile.
        for descriptor in (self._stderr, self._stdout):
            if descriptor in ready and self._read(descriptor) == b"":
                self._selector.unregister(descriptor)
        self.exited = self.exited or self._pidfd in ready

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
            self._lines.append(self._rest)
            self._take_lines()

    def _read(self, descriptor: int) -> bytes | None:
        """Takes what is there: nothing at the end of the stream, None where there is nothing for now."""
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return None
        self._seen += len(data)
        if self._seen > self._limits.output:
            raise Stop("too-much-output", f"wrote more than {self._limits.output >> 20} MiB")
        if descriptor == self._stderr:
            first = max(0, HEAD - len(self.head))
            self.head += data[:first]
            self.tail = (self.tail + data[first:])[-TAIL:]
        elif data:
            *lines, self._rest = (self._rest + data).split(b"\n")
            self._lines.extend(lines)
            self._take_lines()
        return data

    def _take_lines(self) -> None:
        """One after the other: those that come while the listener is busy wait for it."""
        while self._lines and not self._busy:
            self._busy = True
            try:
                self._take(self._lines.popleft())
            finally:
                self._busy = False

    def _take(self, line: bytes) -> None:
        answer = self._on_line(line, self._pid)
        if callable(answer):
            try:
                answer = answer(self)
            except Aside as aside:
                raise aside.stop from None
        if answer is not None:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._stdin, answer)
