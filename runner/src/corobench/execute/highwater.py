"""Sees how far the resident memory of a program rises, while it runs: its counter goes with the process.

A program that holds nowhere can't be read at its end, and what wait4 tells may be the mark of whoever started it (Method,
Memory). So the counter is looked at from time to time, and whenever the program writes. It never falls: what was seen last
is all that was reached until then. A look costs some 50 us on another CPU, so only those are watched whose spec asks for it,
and each look waits twice as long as the one before: five in a second, ten in a minute.
"""

from __future__ import annotations

import time

from corobench.execute import memory
from corobench.execute.room import NEVER

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
        """Looks where that is due by `next_look` (monotonic seconds), or where the program has written something."""
        is_due = time.monotonic() >= self.next_look
        if self._wait_s is None or not (has_written or is_due):
            return
        try:
            self.seen = memory.high(self._pid)
        except OSError:  # it has just ended: what was seen of it stays
            self.next_look = NEVER
        else:
            self._wait_s *= 1 + is_due
            self.next_look = time.monotonic() + self._wait_s
