"""Starts one program in its own process group, talks to it, and reads what the kernel says of it.

The runner sleeps in one `select` on the program's pipes and its pidfd while the program works: no polling, no threads.
Whatever happens (time-out, flood, interrupt, error of ours) the whole group is ended before `run` returns.
"""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from corobench.execute import scheduling, witness
from corobench.execute.processes import stats
from corobench.store import Witness

HEAD, TAIL = 1024, 4096  # bytes of stderr that are kept: what went wrong stands first, or last


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a program may take: seconds, bytes of private writable memory, bytes of output (both streams together)."""

    timeout_s: float = 60.0
    memory: int = 0
    output: int = 64 << 20


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """A program to start: arguments, its whole environment, folder, and the CPUs that it may use."""

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    cpus: frozenset[int]
    limits: Limits = Limits()


class Stop(Exception):
    """Why the runner ends a program: a fixed word for the kind, a sentence. Also raised by OnLine."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a program ended. `stopped` says why the runner ended it, None where it ended by itself. `cap`: its limit of memory."""

    exit_status: int
    stopped: Stop | None
    stderr: str
    witness: Witness
    survivors: bool
    cap: int = 0

    @property
    def ok(self) -> bool:
        return self.exit_status == 0 and not self.stopped and not self.survivors

    @property
    def cpu_ns(self) -> int:
        """CPU time of the process and of the children that it collected."""
        return self.witness.user_ns + self.witness.system_ns

    def beside(self, *helpers: Outcome) -> Outcome:
        """The same, knowing that these helpers of the runner ran meanwhile."""
        spent = sum(helper.cpu_ns for helper in helpers)
        return msgspec.structs.replace(self, witness=msgspec.structs.replace(self.witness, helpers_ns=spent))


OnLine = Callable[[bytes, int], bytes | None]
"""Called with each line of stdout and the process id; what it returns is written to the program's stdin. It may raise Stop."""


def run(launch: Launch, on_line: OnLine) -> Outcome:
    """Runs a program to its end. OSError where it can't be started."""
    before = witness.box()
    started = time.monotonic_ns()
    process = _start(launch)
    conversation = _Conversation(process, launch.limits, on_line)
    try:
        stopped = conversation.hold(started / 1e9 + launch.limits.timeout_s)
    finally:
        if not conversation.exited:
            _end_group(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        survivors = _group_lives(process.pid)
        _end_group(process.pid)
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()  # type: ignore[union-attr]
    wall = conversation.ended_ns - started
    return Outcome(
        exit_status=process.returncode,
        stopped=stopped,
        stderr=bytes(conversation.head + conversation.tail).decode(errors="replace"),
        witness=witness.between(before, witness.box(), wall, usage),
        survivors=survivors,
        cap=launch.limits.memory,
    )


def _start(launch: Launch) -> subprocess.Popen[bytes]:
    """Affinity is inherited from this thread: set around the start, because `preexec_fn` costs 20 ms a spawn."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, launch.cpus)
    try:
        process = subprocess.Popen(
            launch.argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=launch.cwd,
            env=dict(launch.env),
            bufsize=0,
            start_new_session=True,
        )
    finally:
        os.sched_setaffinity(0, own)
    with contextlib.suppress(ProcessLookupError):
        if launch.limits.memory:
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (launch.limits.memory, launch.limits.memory))
        resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
        scheduling.prefer(process.pid)
    # Should the box run out of memory all the same, the kernel takes the program and not its neighbours.
    with contextlib.suppress(OSError):
        Path(f"/proc/{process.pid}/oom_score_adj").write_text("1000")
    return process


def _end_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _group_lives(group: int) -> bool:
    """Whether something of a group outlives its leader, which has been collected. What is exiting doesn't count.

    The kernel's own answer comes first: almost always there is none, and reading all of /proc costs milliseconds.
    """
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it has changed its user: it lives
    return any(stat.group == group and stat.lives for _, stat in stats())


class _Conversation:
    """Reads both streams until the process is gone and its pipes are drained."""

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits, on_line: OnLine) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._pid = process.pid
        self._stdin = process.stdin.fileno()
        self._stdout = process.stdout.fileno()
        self._stderr = process.stderr.fileno()
        self._limits = limits
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
            return stop
        finally:
            self.ended_ns = self.ended_ns or time.monotonic_ns()
            os.close(pidfd)

    def _until_exit(self, selector: selectors.BaseSelector, pidfd: int, deadline: float) -> Stop | None:
        while True:
            left = deadline - time.monotonic()
            ready = selector.select(left) if left > 0 else []
            if not ready:
                return Stop("did-not-finish", f"did not finish within {self._limits.timeout_s:g} s")
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
