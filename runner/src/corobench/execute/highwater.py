"""Sees how far the resident memory of a program rises, while it runs: its counter goes with the process.

A program that holds nowhere can't be read at its end, and what wait4 tells may be the mark of whoever started it (Method,
Memory). So the counter is looked at from time to time, and whenever the program writes. It never falls: what was seen last
is all that was reached until then. A look costs some 50 us on another CPU, so only those are watched whose spec asks for it.
"""

from __future__ import annotations

import time

from corobench.execute import memory
from corobench.execute.room import NEVER

LOOK_S = 0.05


class HighWater:
    """The resident high-water mark of a process in bytes, as it was last `seen`. `every_s`: seconds; None: nobody looks."""

    def __init__(self, pid: int, every_s: float | None) -> None:
        self._pid = pid
        self._every_s = every_s
        self.seen: int | None = None
        self.next_look = NEVER if every_s is None else time.monotonic() + every_s

    def look(self, *, has_written: bool) -> None:
        """Looks where that is due by `next_look` (monotonic seconds), or where the program has written something."""
        if self._every_s is None or not (has_written or time.monotonic() >= self.next_look):
            return
        try:
            self.seen = memory.high(self._pid)
        except OSError:  # it has just ended: what was seen of it stays
            self.next_look = NEVER
        else:
            self.next_look = time.monotonic() + self._every_s
