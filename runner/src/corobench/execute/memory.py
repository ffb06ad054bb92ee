"""Reads a process from outside at a hold point, the same way for every language (Method, Memory).

Never ru_maxrss, wait4's memory or RUSAGE_CHILDREN: on Linux a child inherits its parent's high-water mark at exec.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import NamedTuple

from corobench.store import Memory


class Shared(NamedTuple):
    """A process's part of the pages that it shares with others, in bytes: of the anonymous ones, and of all."""

    anonymous: int
    all: int


def read(pid: int, units: int, proc: Path = Path("/proc")) -> Memory:
    """Private, proportional, swapped and resident memory in bytes. ProcessLookupError or FileNotFoundError where it is gone."""
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


def anonymous(pid: int, proc: Path = Path("/proc")) -> int:
    """Bytes of anonymous memory; a page that k processes share counts 1 / k for each. OSError where the process is gone."""
    return _kilobytes(proc / str(pid) / "smaps_rollup", "Pss_Anon")["Pss_Anon"]


def shared(pid: int, proc: Path = Path("/proc")) -> Shared:
    """A page that k processes share counts 1 / k. OSError where the process is gone."""
    maps = _kilobytes(proc / str(pid) / "smaps_rollup", "Pss", "Pss_Anon", "Private_Clean", "Private_Dirty")
    anonymous = maps["Pss_Anon"] - maps["Private_Dirty"]  # private anonymous pages are dirty; so may those of files be
    return Shared(max(0, anonymous), maps["Pss"] - maps["Private_Clean"] - maps["Private_Dirty"])


def held(pid: int, proc: Path = Path("/proc")) -> int:
    """Bytes that are resident or swapped, from counters that the kernel keeps anyway. OSError where the process is gone."""
    status = _kilobytes(proc / str(pid) / "status", "VmRSS")
    return status["VmRSS"] + status.get("VmSwap", 0)


def high(pid: int, proc: Path = Path("/proc")) -> int:
    """The high-water mark of the resident bytes since the program was started. OSError where the process is gone."""
    return _kilobytes(proc / str(pid) / "status", "VmHWM")["VmHWM"]


def _kilobytes(file: Path, *needed: str) -> dict[str, int]:
    """`Name:  123 kB` lines as bytes, and plain counts as they are; proc_pid_smaps(5), proc_pid_status(5).

    A process that is exiting has these files without the values that are needed: ProcessLookupError.
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
