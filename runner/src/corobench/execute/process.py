"""Starts one program in a session of its own, with its limits, and says how it ended.

Every program is the leader of a session, so the kernel gives it an autogroup of its own (sched(7)):
within one, nice values count only among its members, and the group's own nice value is what
competes with the rest of the box.

Whatever happens (time-out, flood, interrupt, error of ours) its process group, or all of the
session, is ended before `run` returns.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from corobench.errors import plain
from corobench.execute import memory, monitor
from corobench.execute.monitor import Conversation, HighWater, Limits, OnLine, Stop, gib
from corobench.machine.proc import Host, oom_kills, stats
from corobench.results.log import Witness
from corobench.suite.runtime import OutOfResource

NICE = -10
_enabled = False


def enable_priority(say: Callable[[str], None]) -> dict[str, Any]:
    """Prefers every program started from now on; says what this user or this box does not allow.

    Returns what a run must tell of it: runs with and without are not alike.
    """
    global _enabled  # noqa: PLW0603  one switch for the process, set once before the first program starts
    _enabled = True
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
    ) as trial:
        refused = _raise(trial.pid)
        trial.kill()
    for reason in refused:
        say(f"--priority: {reason}")
    return {"nice": NICE, "refused": refused}


def prioritise(pid: int) -> None:
    """Raises a program's priority if that was asked for; what is not allowed was said by
    `enable`.
    """
    if _enabled:
        _raise(pid)


def _raise(pid: int) -> list[str]:
    refused = []
    try:
        os.setpriority(os.PRIO_PROCESS, pid, NICE)
    except OSError as error:
        refused.append(f"nice {NICE} was refused ({error.strerror}); it needs root or CAP_SYS_NICE")
    try:
        Path(f"/proc/{pid}/autogroup").write_text(str(NICE))
    except FileNotFoundError:
        refused.append("this kernel has no autogroups; only the nice value is set")
    except OSError as error:
        refused.append(
            f"the autogroup's nice value was refused ({error.strerror}); it needs root or "
            "CAP_SYS_NICE"
        )
    return refused


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """A program to start: arguments, its whole environment, folder, and the CPUs that it may use.

    `look_s`: seconds until the first look at its resident high-water mark; None: nobody looks.
    `whole_session`: what it starts may be in groups of its own, and is ended with it all the same.
    `out_of_resource_messages`: what it says when it has run out of something.
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    cpus: frozenset[int]
    limits: Limits = Limits()
    look_s: float | None = None
    whole_session: bool = False
    out_of_resource_messages: OutOfResource = OutOfResource()


class NotStarted(OSError):
    """A program that the box can't start: its words say why."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a program ended. `stopped` says why the runner ended it, None where it ended by itself.
    `cpus`: those it was given.

    `cap`: the bytes that it could map. `high`: its resident high-water mark in bytes, as it was
    last seen; None: it was not. `oom_killed`: the kernel has ended something meanwhile, because
    memory ran out. `left`: processes that it has started, in groups or sessions of their own, and
    that outlived it. `moved`: what it had changed of where and how it runs, in words.
    `out_of_resource_messages`: that of its launch.
    """

    exit_status: int
    stopped: Stop | None
    stderr: str
    witness: Witness
    survivors: bool
    cpus: frozenset[int] = frozenset()
    cap: int = 0
    high: int | None = None
    oom_killed: bool = False
    left: int = 0
    moved: str | None = None
    out_of_resource_messages: OutOfResource = OutOfResource()

    @property
    def ok(self) -> bool:
        return self.exit_status == 0 and not self.stopped and not self.survivors and not self.left

    @property
    def cpu_ns(self) -> int:
        """CPU time of the process and of the children that it collected."""
        return self.witness.user_ns + self.witness.system_ns

    def beside(self, *helpers: Outcome) -> Outcome:
        """The same, knowing that these helpers of the runner ran meanwhile, on CPUs of its own or
        on the program's.
        """
        spent = sum(helper.cpu_ns for helper in helpers)
        here = sum(helper.cpu_ns for helper in helpers if helper.cpus & self.cpus)
        told = msgspec.structs.replace(self.witness, helpers_ns=spent, here_helpers_ns=here)
        return msgspec.structs.replace(self, witness=told)


def run(launch: Launch, on_line: OnLine, beside: Conversation | None = None) -> Outcome:
    """Runs a program to its end. NotStarted where it can't be started.

    `beside`: the conversation in whose course it is run, which is attended to meanwhile; Aside
    where that must be stopped.
    """
    _adopt_orphans()
    host = Host()
    before, kills = monitor.snapshot(launch.cpus), oom_kills(host)
    started = time.monotonic_ns()
    process, mark, others = _start(launch)
    high = HighWater(process.pid, launch.look_s)
    conversation = Conversation(process, mark, launch.limits, high, on_line, beside)
    try:
        _restrict(process.pid, launch.limits)
        stopped = conversation.hold(started / 1e9 + launch.limits.timeout_s)
    finally:
        if not conversation.exited:
            _end_group(process.pid)
        moved = _moved(process.pid, launch.cpus)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        # From here on the number belongs to the group only as long as something of it lives: others
        # must not be hit.
        if survivors := _group_lives(process.pid):
            _end_group(process.pid)
        left = set(memory.end_session(process.pid) if launch.whole_session else [])
        left |= _end_orphans(mark, others)
        del _programs[process.pid]
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()  # type: ignore[union-attr]
    wall = conversation.ended_ns - started
    return Outcome(
        exit_status=process.returncode,
        stopped=stopped,
        stderr=plain(bytes(conversation.head + conversation.tail).decode(errors="replace")),
        witness=monitor.difference(before, monitor.snapshot(launch.cpus), wall, usage),
        survivors=survivors,
        cpus=launch.cpus,
        cap=launch.limits.address_space,
        high=high.seen,
        oom_killed=oom_kills(host) > kills,
        left=len(left),
        moved=moved,
        out_of_resource_messages=launch.out_of_resource_messages,
    )


def _start(launch: Launch) -> tuple[subprocess.Popen[bytes], int, set[int]]:
    """Affinity is inherited from this thread: set around the start, because `preexec_fn` costs 20
    ms a spawn. Also returns its mark and the children that were there before it.
    """
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, launch.cpus)
    try:
        with _starting, memory.marked() as mark:
            others = {*memory.children(os.getpid())}
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
            _programs[process.pid] = mark
    except OSError as error:
        raise NotStarted(error.errno, error.strerror, error.filename) from error
    finally:
        os.sched_setaffinity(0, own)
    return process, mark, others


def _restrict(pid: int, limits: Limits) -> None:
    """What a program gets on top of its command line. One that has ended already needs none
    of it.
    """
    with contextlib.suppress(ProcessLookupError):
        if limits.address_space:
            _lower(pid, resource.RLIMIT_DATA, limits.address_space)
        _lower(pid, resource.RLIMIT_CORE, 0)
        prioritise(pid)
    # Should the box run out of memory all the same, the kernel takes the program and not its
    # neighbours.
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/oom_score_adj").write_text("1000")


def _lower(pid: int, limit: int, most: int) -> None:
    """Never above the user's own hard limit, which only root may raise."""
    hard = resource.prlimit(pid, limit)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.prlimit(pid, limit, (most, most))


_SCHEDULERS = {
    getattr(os, name): name
    for name in ("SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE", "SCHED_FIFO", "SCHED_RR")
}


def _moved(pid: int, cpus: frozenset[int]) -> str | None:
    """What an ended process, not collected yet, had changed of its CPUs, its priority and its
    scheduling class.
    """
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for what, found, allowed in (
        ("CPUs", sorted(os.sched_getaffinity(pid)), [sorted(cpus)]),
        (
            "nice value",
            os.getpriority(os.PRIO_PROCESS, pid),
            [own, NICE] if _enabled else [own],
        ),
        (
            "scheduling class",
            _SCHEDULERS.get(os.sched_getscheduler(pid)),
            [_SCHEDULERS.get(os.sched_getscheduler(0))],
        ),
    ):
        if found not in allowed:
            return f"it changed its {what}: {found} at its end, started with {allowed[-1]}"
    return None


_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
# Programs that run at this moment, and their marks: verify starts several at a time.
_programs: dict[int, int] = {}
_starting = threading.Lock()
_SWEEPS = 100
_GRACE_S = 0.5  # Erlang's erl_child_setup ends when it sees that the emulator has


@cache
def _adopt_orphans() -> None:
    """From now on a process whose parent ends becomes a child of ours, not of init."""
    if ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1):
        raise OSError(ctypes.get_errno(), "prctl: PR_SET_CHILD_SUBREAPER")


def _end_orphans(mark: int, others: set[int]) -> set[int]:
    """Ends what an ended program has left in other sessions, and theirs in turn; returns them.

    `mark`: the program's. `others`: children that were there before the program.
    """
    ended: set[int] = set()
    grace = time.monotonic() + _GRACE_S
    for _ in range(_SWEEPS):
        orphans = _orphans(mark, others)
        if not orphans:
            return ended
        while time.monotonic() < grace and any(map(_lives, orphans)):
            time.sleep(_GRACE_S / 100)
        for pid in orphans:
            # One that has ended by itself outlived nothing: nobody had collected it.
            if _lives(pid):
                ended.add(pid)
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    raise OSError("what a program has left starts others faster than they can be ended")


def _lives(pid: int) -> bool:
    """Whether an own child has not ended yet."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def _orphans(mark: int, others: set[int]) -> list[int]:
    """Children that nobody here has started, but for those that carry another program's mark."""
    with _starting:
        found = {*memory.children(os.getpid())} - others - _programs.keys()
        running = {*_programs.values()} - {mark}
    return [pid for pid in found if memory.mark_of(pid) not in running]


def _end_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _group_lives(group: int) -> bool:
    """Whether something of a group outlives its leader, which has been collected. What is exiting
    doesn't count.

    The kernel's own answer comes first: almost always there is none, and reading all of /proc costs
    milliseconds.
    """
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it has changed its user: it lives
    return any(stat.group == group and stat.lives for _, stat in stats())


# the kind of what a busy box can spoil, though the program did all that it should
TIMING = "timing"

# The words of errno, in the C libraries of Linux. What a runtime says in its own words is known to
# its language (toolchain.toml).
_ERRNO = OutOfResource(
    memory=["cannot allocate memory", "out of memory", "ENOMEM"],
    limit=["resource temporarily unavailable", "EAGAIN"],
)


class Trouble(Exception):
    """A process that gave no number: a fixed word for the kind, a sentence for the page."""

    def __init__(self, kind: str, reason: str, outcome: Outcome | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.outcome = outcome


def published(text: str, root: Path) -> str:
    """A text as a run may hold it: paths in it begin at the repository's `root`, so that none tells
    whose home it lies in, and it holds nothing that can't be seen.
    """
    return plain(text).replace(f"{root}/", "")


def run_well(launch: Launch, on_line: OnLine) -> Outcome:
    """Runs a program to its end. Trouble where it can't be started or does not end well."""
    try:
        outcome = run(launch, on_line)
    except NotStarted as error:
        raise Trouble("not-started", f"cannot be started: {error}") from error
    if wrong := failure_of(outcome):
        raise wrong
    return outcome


def failure_of(outcome: Outcome) -> Trouble | None:
    """What an ended process did wrong, seen from outside; None where nothing."""
    last = _last_words(outcome.stderr)
    short = _short(outcome)
    # Go writes the stacks of all its goroutines when it is out of memory: gigabytes, which end it
    # first.
    flooded = outcome.stopped is not None and outcome.stopped.kind == "too-much-output"
    if outcome.stopped and not (flooded and short):
        return Trouble(outcome.stopped.kind, outcome.stopped.reason, outcome)
    if outcome.exit_status and short:
        return short
    if outcome.exit_status:
        if outcome.oom_killed and outcome.exit_status == -signal.SIGKILL:
            return Trouble(
                "memory-cap", "did not finish: the kernel ended it, as memory ran out", outcome
            )
        how = (
            f"signal {-outcome.exit_status}"
            if outcome.exit_status < 0
            else f"exit status {outcome.exit_status}"
        )
        return Trouble("failed", f"{how}: {last}", outcome)
    return _left(outcome)


def _last_words(stderr: str) -> str:
    """The last line on stderr; of a JVM's stack, whose lines are indented, the error above it."""
    lines = stderr.strip().splitlines()
    outer = [line for line in lines if not line[:1].isspace()]
    return (outer or lines or ["nothing on stderr"])[-1][:200]


def _left(outcome: Outcome) -> Trouble | None:
    """What a program that has ended well has not ended, in its process group or in its session."""
    if outcome.survivors:
        return Trouble(
            "left-processes", "it exited but left child processes running (now killed)", outcome
        )
    if outcome.left:
        left = f"it ended, but {outcome.left} processes that it had started did not (now killed)"
        return Trouble("left-processes", left, outcome)
    return None


def _short(outcome: Outcome) -> Trouble | None:
    """What a program says that it ran out of. A runtime may have a limit of its own below the cap,
    which its words then tell.
    """
    own = outcome.out_of_resource_messages
    if told := _line_with([*own.limit, *_ERRNO.limit], outcome):
        return Trouble(
            "limit", f"did not finish: a limit of the system or of the runtime ({told})", outcome
        )
    if told := _line_with([*own.memory, *_ERRNO.memory], outcome):
        mapped = f", of which it could map {gib(outcome.cap)}" if outcome.cap else ""
        return Trouble("memory-cap", f"did not finish: out of memory{mapped} ({told})", outcome)
    return None


def _line_with(texts: Iterable[str], outcome: Outcome) -> str | None:
    """The first line on stderr that holds one of these texts, in capitals or not."""
    wanted = [text.casefold() for text in texts]
    lines = (line.strip()[:200] for line in outcome.stderr.splitlines())
    return next((line for line in lines if any(text in line.casefold() for text in wanted)), None)
