"""Starts one program in a session of its own, talks to it, and reads what the kernel says of it.

Whatever happens (time-out, flood, interrupt, error of ours) its process group, or all of the session, is ended before `run`
returns.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from corobench.execute import scheduling, tree, witness
from corobench.execute.conversation import Answer, Conversation, Limits, OnLine, Stop
from corobench.execute.highwater import HighWater
from corobench.execute.processes import stats
from corobench.host import Host, oom_kills
from corobench.store import Witness
from corobench.toolspec import Exhausted

__all__ = ["Answer", "Conversation", "Launch", "Limits", "NotStarted", "OnLine", "Outcome", "Stop", "run"]


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """A program to start: arguments, its whole environment, folder, and the CPUs that it may use.

    `look_s`: seconds until the first look at its resident high-water mark; None: nobody looks. `whole_session`: what it starts
    may be in groups of its own, and is ended with it all the same. `exhausted`: what it says when it has run out of something.
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    cpus: frozenset[int]
    limits: Limits = Limits()
    look_s: float | None = None
    whole_session: bool = False
    exhausted: Exhausted = Exhausted()


class NotStarted(OSError):
    """A program that the box can't start: its words say why."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a program ended. `stopped` says why the runner ended it, None where it ended by itself. `cpus`: those it was given.

    `cap`: the bytes that it could map. `high`: its resident high-water mark in bytes, as it was last seen; None: it was not.
    `oom_killed`: the kernel has ended something meanwhile, because memory ran out. `left`: processes of its session in groups of
    their own that outlived it, where the whole session was to end. `exhausted`: that of its launch.
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
    exhausted: Exhausted = Exhausted()

    @property
    def ok(self) -> bool:
        return self.exit_status == 0 and not self.stopped and not self.survivors and not self.left

    @property
    def cpu_ns(self) -> int:
        """CPU time of the process and of the children that it collected."""
        return self.witness.user_ns + self.witness.system_ns

    def beside(self, *helpers: Outcome) -> Outcome:
        """The same, knowing that these helpers of the runner ran meanwhile, on CPUs of its own or on the program's."""
        spent = sum(helper.cpu_ns for helper in helpers)
        here = sum(helper.cpu_ns for helper in helpers if helper.cpus & self.cpus)
        told = msgspec.structs.replace(self.witness, helpers_ns=spent, here_helpers_ns=here)
        return msgspec.structs.replace(self, witness=told)


def run(launch: Launch, on_line: OnLine, beside: Conversation | None = None) -> Outcome:
    """Runs a program to its end. NotStarted where it can't be started.

    `beside`: the conversation in whose course it is run, which is attended to meanwhile; Aside where that must be stopped.
    """
    host = Host()
    before, kills = witness.box(launch.cpus), oom_kills(host)
    started = time.monotonic_ns()
    process = _start(launch)
    high = HighWater(process.pid, launch.look_s)
    conversation = Conversation(process, launch.limits, high, on_line, beside)
    try:
        _restrict(process.pid, launch.limits)
        stopped = conversation.hold(started / 1e9 + launch.limits.timeout_s)
    finally:
        if not conversation.exited:
            _end_group(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        # From here on the number belongs to the group only as long as something of it lives: others must not be hit.
        if survivors := _group_lives(process.pid):
            _end_group(process.pid)
        left = tree.end(process.pid) if launch.whole_session else 0
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()  # type: ignore[union-attr]
    wall = conversation.ended_ns - started
    return Outcome(
        exit_status=process.returncode,
        stopped=stopped,
        stderr=bytes(conversation.head + conversation.tail).decode(errors="replace"),
        witness=witness.between(before, witness.box(launch.cpus), wall, usage),
        survivors=survivors,
        cpus=launch.cpus,
        cap=launch.limits.address_space,
        high=high.seen,
        oom_killed=oom_kills(host) > kills,
        left=left,
        exhausted=launch.exhausted,
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
    except OSError as error:
        raise NotStarted(error.errno, error.strerror, error.filename) from error
    finally:
        os.sched_setaffinity(0, own)
    return process


def _restrict(pid: int, limits: Limits) -> None:
    """What a program gets on top of its command line. One that has ended already needs none of it."""
    with contextlib.suppress(ProcessLookupError):
        if limits.address_space:
            _lower(pid, resource.RLIMIT_DATA, limits.address_space)
        _lower(pid, resource.RLIMIT_CORE, 0)
        scheduling.prefer(pid)
    # Should the box run out of memory all the same, the kernel takes the program and not its neighbours.
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/oom_score_adj").write_text("1000")


def _lower(pid: int, limit: int, most: int) -> None:
    """Never above the user's own hard limit, which only root may raise."""
    hard = resource.prlimit(pid, limit)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.prlimit(pid, limit, (most, most))


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
