"""What the kernel says of every process; proc_pid_stat(5)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_PROC = Path("/proc")
_EXITING = 0x4  # PF_EXITING of include/linux/sched.h


class Stat(NamedTuple):
    """Of a process: user and system time of its own and of the children that it has collected are in nanoseconds, by ticks.

    `lives`: it still runs its program. A process that exits has closed its files, and ended the pipes that its starter reads,
    some time before it is a zombie; on a busy box it may have to wait for the CPU in between.
    """

    lives: bool
    group: int
    session: int
    own_ns: tuple[int, int]
    children_ns: tuple[int, int]


def stats() -> Iterator[tuple[int, Stat]]:
    """All processes by their number; one that ends meanwhile may be missing."""
    for file in _PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            yield int(file.parent.name), parsed(file.read_text())


def parsed(text: str) -> Stat:
    """The name of the process, in parentheses, may itself hold blanks and parentheses."""
    fields = text.rpartition(")")[2].split()
    user, system, children_user, children_system = (int(field) * _TICK_NS for field in fields[11:15])
    lives = fields[0] not in "ZX" and not int(fields[6]) & _EXITING
    return Stat(lives, int(fields[2]), int(fields[3]), (user, system), (children_user, children_system))
