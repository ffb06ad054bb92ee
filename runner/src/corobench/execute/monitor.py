"""Watches a running program: its lines, its time-out, its memory cap and high-water mark, the other
load on the box.

Address space would be the simpler limit (RLIMIT_DATA), but a million stacks reserve 60 GiB of it
and hold 4. What a program holds can only be looked at. A look costs some 50 us on another CPU, so
there are few: none comes sooner than the program could have filled the room that is left, and most
programs have ended before the first. Should one be faster than that, the kernel ends it (its
oom_score_adj says so), which `trouble` tells apart from a crash.

A program that holds nowhere can't be read at its end, and what wait4 tells may be the mark of
whoever started it (Method, Memory). So the counter is looked at from time to time, and whenever the
program writes. It never falls: what was seen last is all that was reached until then. A look costs
some 50 us on another CPU, so only those are watched whose spec asks for it, and each look waits
twice as long as the one before: five in a second, ten in a minute.

The runner sleeps in one `select` on the program's pipes and its pidfd while the program works: no
polling, no threads. A listener that starts another program meanwhile, as the load of a server, has
the conversation with that one attend to this.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
from collections import deque
from collections.abc import Callable, Collection
from resource import struct_rusage
from typing import NamedTuple

import msgspec

from corobench.execute import memory
from corobench.machine.proc import Host, Times, cpu_times, together
from corobench.results.log import Witness

# bytes a second: a core that touches fresh pages gets 1 to 3 GiB/s, as the kernel clears each one
FILL_RATE = 4 << 30
_SOONEST_S = 0.05
NEVER = float("inf")


def gib(size: int) -> str:
    """Bytes as a sentence has them."""
    return f"{size / (1 << 30):.3g} GiB"


class Room:
    """The room that is left to a process and what it has started, which carries its mark, below its
    cap in bytes; 0: no cap.
    """

    def __init__(self, pid: int, mark: int, cap: int) -> None:
        self._pid = pid
        self._mark = mark
        self._cap = cap
        self.next_look = time.monotonic() + self._filled_in(cap) if cap else NEVER

    def is_used_up(self) -> bool:
        """Whether it holds more than its cap; also says when to ask again (`next_look`, monotonic
        seconds).
        """
        if time.monotonic() < self.next_look:
            return False
        try:
            left = self._cap - memory.held_bytes(self._pid, self._mark)
        except OSError:  # it has just ended
            self.next_look = NEVER
            return False
        self.next_look = time.monotonic() + self._filled_in(left)
        return left < 0

    @staticmethod
    def _filled_in(left: int) -> float:
        return max(_SOONEST_S, left / FILL_RATE)


LOOK_S = 0.05


class HighWater:
    """The resident high-water mark of a process in bytes, as it was last `seen`.

    `first_s`: seconds until the first look; None: nobody looks.
    """

    def __init__(self, pid: int, first_s: float | None) -> None:
        self._pid = pid
        self._wait_s = first_s
        self.seen: int | None = None
        self.next_look = NEVER if first_s is None else time.monotonic() + first_s

    def look(self, *, has_written: bool) -> None:
        """Looks where that is due by `next_look` (monotonic seconds), or where the program has
        written something.
        """
        is_due = time.monotonic() >= self.next_look
        if self._wait_s is None or not (has_written or is_due):
            return
        try:
            self.seen = memory.peak_bytes(self._pid)
        except OSError:  # it has just ended: what was seen of it stays
            self.next_look = NEVER
        else:
            self._wait_s *= 1 + is_due
            self.next_look = time.monotonic() + self._wait_s


class Snapshot(NamedTuple):
    """Counters at one moment, of the whole box and of the CPUs that a program may use (`here`);
    None where it doesn't tell.
    """

    whole: Times | None
    here: Times | None
    pressure_ns: int | None
    load: float | None
    mhz: float | None


def snapshot(cpus: Collection[int], host: Host | None = None) -> Snapshot:
    """Reads /proc; a counter that this kernel lacks is None. `cpus`: those of the program."""
    host = host or Host()
    times = cpu_times(host)
    here = together([times[cpu] for cpu in cpus if cpu in times])
    return Snapshot(together(list(times.values())), here, _pressure(host), _load(host), _mhz(host))


def difference(before: Snapshot, after: Snapshot, wall_ns: int, usage: struct_rusage) -> Witness:
    """The witness of one program. Never takes memory from `usage`: a child inherits its parent's
    high-water mark.
    """
    return Witness(
        wall_ns=wall_ns,
        user_ns=round(usage.ru_utime * 1e9),
        system_ns=round(usage.ru_stime * 1e9),
        voluntary=usage.ru_nvcsw,
        involuntary=usage.ru_nivcsw,
        minor_faults=usage.ru_minflt,
        major_faults=usage.ru_majflt,
        busy_ns=_grown(before.whole and before.whole.busy, after.whole and after.whole.busy),
        steal_ns=_grown(before.whole and before.whole.steal, after.whole and after.whole.steal),
        box_cpus=after.whole and after.whole.cpus,
        here_cpus=after.here and after.here.cpus,
        here_busy_ns=_grown(before.here and before.here.busy, after.here and after.here.busy),
        here_steal_ns=_grown(before.here and before.here.steal, after.here and after.here.steal),
        pressure_ns=_grown(before.pressure_ns, after.pressure_ns),
        load=after.load,
        mhz=after.mhz,
    )


def _grown(before: int | None, after: int | None) -> int | None:
    """Never negative: steal may go back when a virtual machine moves to another host."""
    return None if before is None or after is None else max(0, after - before)


def _pressure(host: Host) -> int | None:
    """Time in which some task waited for a CPU; Documentation/accounting/psi.rst."""
    first = (host.text("/proc/pressure/cpu") or "").partition("\n")[0]
    total = first.rpartition("total=")[2]
    return int(total) * 1000 if total.isdigit() else None


def _load(host: Host) -> float | None:
    words = (host.text("/proc/loadavg") or "").split()
    return float(words[0]) if words else None


def _mhz(host: Host) -> float | None:
    """Highest current frequency, where the box has cpufreq: reading /proc/cpuinfo interrupts every
    CPU.
    """
    speeds = host.texts("/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq").values()
    return max((int(speed) / 1000 for speed in speeds if speed.isdigit()), default=None)


HEAD, TAIL = 1024, 4096  # bytes of stderr that are kept: what went wrong stands first, or last


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a program may take: seconds, bytes of memory that it holds, bytes of output (both
    streams together).

    `address_space`: bytes of private writable memory that it may map, whether it touches them or
    not. 0: no limit.
    """

    timeout_s: float = 60.0
    memory: int = 0
    address_space: int = 0
    output: int = 64 << 20


class Stop(Exception):
    """Why the runner ends a program: a fixed word for the kind, a sentence. Also raised by
    OnLine.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class Aside(Exception):
    """Raised when the program beside a measured one must be stopped."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.reason)
        self.stop = stop


Work = Callable[["Conversation"], bytes]
"""What a listener does before it answers, for as long as it likes: it sees to it that the
conversation is attended to.
"""
Answer = bytes | Work | None
OnLine = Callable[[bytes, int], Answer]
"""Called with each line of stdout and the process id; its answer is written to the program's stdin.
It may raise Stop.
"""


class Conversation:
    """Reads both streams until the process is gone and its pipes are drained. `beside`: another
    that is attended to meanwhile.
    """

    _selector: selectors.EpollSelector
    _pidfd: int
    _deadline: float

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        mark: int,
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
        self._room = Room(process.pid, mark, limits.memory)
        self._limits = limits
        self._high = high
        self._on_line = on_line
        self._beside = beside
        self._rest: list[bytes] = []
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
        """While its listener is busy: takes what is there, and holds the program to its limits.
        Raises Aside.
        """
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
            raise Stop(
                "memory-cap",
                f"did not finish: it held more than its cap of {gib(self._limits.memory)}",
            )
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
        """What a program has written on stderr until it is stopped: it may say why it ended by
        itself.
        """
        with contextlib.suppress(Stop):
            while self._read(self._stderr):
                pass

    def _drain(self) -> None:
        for descriptor in (self._stdout, self._stderr):
            while self._read(descriptor):
                pass
        if self._rest:
            self._lines.append(b"".join(self._rest))
            self._take_lines()

    def _read(self, descriptor: int) -> bytes | None:
        """Takes what is there: nothing at the end of the stream, None where there is nothing for
        now.
        """
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
            # A line without an end is joined once, not with each piece of it.
            *lines, rest = data.split(b"\n")
            if lines:
                self._lines.append(b"".join([*self._rest, lines[0]]))
                self._lines.extend(lines[1:])
                self._rest = []
            if rest:
                self._rest.append(rest)
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
