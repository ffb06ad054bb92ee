"""Memory and CPU time of a process, or of a whole session, read from outside.

Never ru_maxrss, wait4's memory or RUSAGE_CHILDREN: on Linux a child inherits its parent's
high-water mark at exec.

Workers that a master starts stay in its session, so the session and not the one process is what a
request costs.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from corobench.machine.proc import Stat, stats
from corobench.results.log import Memory


class Shared(NamedTuple):
    """A process's part of the pages that it shares with others, in bytes: of the anonymous ones,
    and of all.
    """

    anonymous: int
    all: int


def mapped_files(pid: int, proc: Path = Path("/proc")) -> set[str]:
    """The files that a process has mapped, by their paths. OSError where they can't be read."""
    lines = (proc / str(pid) / "maps").read_text("utf-8", "surrogateescape").splitlines()
    return {fields[5] for line in lines if len(fields := line.split(maxsplit=5)) == 6}


def read_memory(pid: int, units: int, proc: Path = Path("/proc")) -> Memory:
    """Private, proportional, swapped and resident memory in bytes. ProcessLookupError or
    FileNotFoundError where it is gone.
    """
    maps = _kilobytes(proc / str(pid) / "smaps_rollup", "Private_Dirty", "Pss")
    status = _kilobytes(proc / str(pid) / "status", "VmRSS", "VmHWM", "Threads")
    return Memory(
        units=units,
        private_dirty=maps["Private_Dirty"],
        pss=maps["Pss"],
        swap=maps.get("Swap", 0),
        rss=status["VmRSS"],
        rss_high=status["VmHWM"],
        threads=status["Threads"],
    )


_LOOK_S = 0.01
_LONGEST_S = 5.0  # a gigabyte goes in less; what goes on for longer is no end of a collection


def wait_until_returned(pid: int, quiet_s: float, proc: Path = Path("/proc")) -> None:
    """Waits until resident memory has not fallen for so long: after a collection, a collector may
    give pages back in a thread of its own. OSError where the process is gone.
    """
    least, now = resident_bytes(pid, proc), time.monotonic()
    fell, end = now, now + _LONGEST_S
    while now < min(fell + quiet_s, end):
        time.sleep(_LOOK_S)
        resident, now = resident_bytes(pid, proc), time.monotonic()
        if resident < least:
            least, fell = resident, now


def anonymous_bytes(pid: int, proc: Path = Path("/proc")) -> int:
    """Bytes of anonymous memory; a page that k processes share counts 1 / k for each. OSError where
    the process is gone.
    """
    return _kilobytes(proc / str(pid) / "smaps_rollup", "Pss_Anon")["Pss_Anon"]


def shared_bytes(pid: int, proc: Path = Path("/proc")) -> Shared:
    """A page that k processes share counts 1 / k. OSError where the process is gone."""
    maps = _kilobytes(
        proc / str(pid) / "smaps_rollup", "Pss", "Pss_Anon", "Private_Clean", "Private_Dirty"
    )
    # private anonymous pages are dirty; so may those of files be
    anonymous = maps["Pss_Anon"] - maps["Private_Dirty"]
    return Shared(max(0, anonymous), maps["Pss"] - maps["Private_Clean"] - maps["Private_Dirty"])


def resident_bytes(pid: int, proc: Path = Path("/proc")) -> int:
    """Bytes that are resident or swapped, from counters that the kernel keeps anyway. OSError where
    the process is gone.
    """
    status = _kilobytes(proc / str(pid) / "status", "VmRSS")
    return status["VmRSS"] + status.get("VmSwap", 0)


def tree_bytes(pid: int, proc: Path = Path("/proc")) -> int:
    """The resident bytes of a process and of its descendants; what they share counts for each.
    OSError where the process is gone.
    """
    total = resident_bytes(pid, proc)
    for child in children(pid, proc):
        with contextlib.suppress(OSError):  # it ended meanwhile
            total += tree_bytes(child, proc)
    return total


def children(pid: int, proc: Path = Path("/proc")) -> list[int]:
    """The children of a process, of all its threads; none where the kernel does not tell.

    proc_pid_task_tid_children(5).
    """
    found: list[int] = []
    for file in (proc / str(pid) / "task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread ended meanwhile
            found += map(int, file.read_text().split())
    return found


# Above any resident size, and unused by Linux since 2.4. Every child inherits it, whatever session,
# group and environment it gives itself; it can set its own.
_MARK = resource.RLIMIT_RSS
_MARKED = 1 << 60
_numbers = itertools.count(1)


@contextlib.contextmanager
def marked() -> Iterator[int]:
    """What this process starts meanwhile carries the mark from its first instruction on, and so
    does all that it starts in turn. For one thread at a time, as limits are the process's.
    """
    soft, hard = resource.getrlimit(_MARK)
    # with the number of this process: one that it runs may be a runner too
    mark = _MARKED | os.getpid() << 32 | next(_numbers)
    if hard == resource.RLIM_INFINITY:
        resource.setrlimit(_MARK, (mark, hard))
    try:
        yield mark
    finally:
        resource.setrlimit(_MARK, (soft, hard))


def mark_of(pid: int) -> int | None:
    """The mark that a process carries."""
    try:
        soft = resource.prlimit(pid, _MARK)[0]
    except (ProcessLookupError, PermissionError):
        return None
    return soft if soft & _MARKED and soft != resource.RLIM_INFINITY else None


def held_bytes(program: int, mark: int) -> int:
    """The resident bytes of a program, its descendants, and those with its mark that have left it
    and are our children by now. OSError where the program is gone.
    """
    total = tree_bytes(program)
    for pid in children(os.getpid()):
        if pid != program and mark_of(pid) == mark:
            with contextlib.suppress(OSError):  # it ended meanwhile
                total += tree_bytes(pid)
    return total


def peak_bytes(pid: int, proc: Path = Path("/proc")) -> int:
    """The high-water mark of the resident bytes since the program was started. OSError where the
    process is gone.
    """
    return _kilobytes(proc / str(pid) / "status", "VmHWM")["VmHWM"]


def _kilobytes(file: Path, *needed: str) -> dict[str, int]:
    """`Name:  123 kB` lines as bytes, and plain counts as they are; proc_pid_smaps(5),
    proc_pid_status(5).

    A process that is exiting has these files without the values that are needed:
    ProcessLookupError.
    """
    values: dict[str, int] = {}
    for line in file.read_text().splitlines():
        name, _, rest = line.partition(":")
        fields = rest.split()
        if len(fields) == 2 and fields[1] == "kB":
            values[name] = int(fields[0]) * 1024
        elif len(fields) == 1 and fields[0].isdigit():
            values[name] = int(fields[0])
    if missing := [name for name in needed if name not in values]:
        raise ProcessLookupError(errno.ESRCH, f"it is exiting and has no {missing[0]}", str(file))
    return values


_LISTENS = "0A"  # TCP_LISTEN, include/net/tcp_states.h


class SessionCpu(NamedTuple):
    """CPU time of a session since it began, in nanoseconds: the kernel tells user and system time
    in ticks (10 ms).
    """

    total_ns: int
    user_ns: int
    system_ns: int

    def since(self, before: SessionCpu) -> SessionCpu:
        return SessionCpu(*(now - then for now, then in zip(self, before, strict=True)))


def session_members(session: int) -> list[int]:
    """The processes of a session that haven't ended."""
    return [pid for pid, stat in _stats(session) if stat.lives]


def serves(session: int, port: int, proc: Path = Path("/proc")) -> bool:
    """Whether a process of a session holds a socket that listens at a port; proc_pid_net(5)."""
    listening = set()
    for name in ("net/tcp", "net/tcp6"):
        with contextlib.suppress(OSError):
            for line in (proc / name).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENS and int(fields[1].rpartition(":")[2], 16) == port:
                    listening.add(f"socket:[{fields[9]}]")
    for pid in session_members(session):
        for link in (proc / str(pid) / "fd").glob("*"):
            with contextlib.suppress(OSError):
                if str(link.readlink()) in listening:
                    return True
    return False


def end_session(session: int) -> list[int]:
    """Ends the processes of a session, and returns them."""
    left = session_members(session)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return left


def session_cpu(session: int) -> SessionCpu:
    """Of the living, and of those that their parents have collected."""
    total = user = system = 0
    for pid, stat in _stats(session):
        with contextlib.suppress(OSError):  # it ended meanwhile; from now on its parent counts it
            total += time.clock_gettime_ns(_clock(pid)) + sum(stat.children_ns)
            user += stat.own_ns[0] + stat.children_ns[0]
            system += stat.own_ns[1] + stat.children_ns[1]
    return SessionCpu(total, user, system)


def session_memory(session: int, launcher: int | None = None) -> Memory:
    """Memory of all processes together. OSError where none is left.

    `private_dirty` is anonymous memory by its proportional size: what workers share with the master
    that forked them is dirty and no longer private to anyone, and yet is the server's. It counts
    once. `launcher`: a process that has started the server and is none of it. What it alone holds
    is left out. Its part of what it shares counts: those pages are the server's too, whose own
    parts are the smaller for it.
    """
    parts: list[Memory] = []
    anonymous = pss = 0
    for pid in session_members(session):
        with contextlib.suppress(OSError, KeyError):  # it ended meanwhile
            if pid == launcher:
                shared = shared_bytes(pid)
                anonymous, pss = anonymous + shared.anonymous, pss + shared.all
            else:
                part, own = read_memory(pid, 0), anonymous_bytes(pid)
                anonymous, pss = anonymous + own, pss + part.pss
                parts.append(part)
    if not parts:
        raise OSError(
            f"no process of session {session} is left{' but its launcher' if launcher else ''}"
        )
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
    """The clock of a process's CPU time, of all its threads, to the nanosecond;
    clock_getcpuclockid(3).
    """
    return (~pid << 3) | 2
