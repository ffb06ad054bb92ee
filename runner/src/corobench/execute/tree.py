"""CPU time and memory of everything that a server consists of: all processes of the session that the runner began for it.

Workers that a master starts stay in its session, so the session and not the one process is what a request costs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from typing import NamedTuple

from corobench.execute import memory
from corobench.execute.processes import Stat, stats
from corobench.store import Memory


class Cpu(NamedTuple):
    """CPU time of a session since it began, in nanoseconds: the kernel tells user and system time in ticks (10 ms)."""

    total_ns: int
    user_ns: int
    system_ns: int

    def since(self, before: Cpu) -> Cpu:
        return Cpu(*(now - then for now, then in zip(self, before, strict=True)))


def members(session: int) -> list[int]:
    """The processes of a session that haven't ended."""
    return [pid for pid, stat in _stats(session) if stat.lives]


def end(session: int) -> int:
    """Ends the processes of a session; how many there were."""
    left = members(session)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(left)


def cpu(session: int) -> Cpu:
    """Of the living, and of those that their parents have collected."""
    total = user = system = 0
    for pid, stat in _stats(session):
        with contextlib.suppress(OSError):  # it ended meanwhile; from now on its parent counts it
            total += time.clock_gettime_ns(_clock(pid)) + sum(stat.children_ns)
            user += stat.own_ns[0] + stat.children_ns[0]
            system += stat.own_ns[1] + stat.children_ns[1]
    return Cpu(total, user, system)


def held(session: int, launcher: int | None = None) -> Memory:
    """Memory of all processes together. OSError where none is left.

    `private_dirty` is anonymous memory by its proportional size: what workers share with the master that forked them is
    dirty and no longer private to anyone, and yet is the server's. It counts once.
    `launcher`: a process that has started the server and is none of it. What it alone holds is left out. Its part of what it
    shares counts: those pages are the server's too, whose own parts are the smaller for it.
    """
    parts: list[Memory] = []
    anonymous = pss = 0
    for pid in members(session):
        with contextlib.suppress(OSError, KeyError):  # it ended meanwhile
            if pid == launcher:
                shared = memory.shared(pid)
                anonymous, pss = anonymous + shared.anonymous, pss + shared.all
            else:
                part, own = memory.read(pid, 0), memory.anonymous(pid)
                anonymous, pss = anonymous + own, pss + part.pss
                parts.append(part)
    if not parts:
        raise OSError(f"no process of session {session} is left{' but its launcher' if launcher else ''}")
    return Memory(
        units=0,
        private_dirty=anonymous,
        pss=pss,
        swap=sum(part.swap for part in parts),
        rss=sum(part.rss for part in parts),
        rss_high=sum(part.rss_high for part in parts),
        threads=sum(part.threads for part in parts),
    )


def _stats(session: int) -> Iterator[tuple[int, Stat]]:
    return ((pid, stat) for pid, stat in stats() if stat.session == session)


def _clock(pid: int) -> int:
    """The clock of a process's CPU time, of all its threads, to the nanosecond; clock_getcpuclockid(3)."""
    return (~pid << 3) | 2
