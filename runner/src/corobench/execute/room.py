"""Ends a program that holds more memory than it may, before the box runs out of it.

Address space would be the simpler limit (RLIMIT_DATA), but a million stacks reserve 60 GiB of it and hold 4. What a program
holds can only be looked at. A look costs some 50 us on another CPU, so there are few: none comes sooner than the program
could have filled the room that is left, and most programs have ended before the first. Should one be faster than that, the
kernel ends it (its oom_score_adj says so), which `trouble` tells apart from a crash.
"""

from __future__ import annotations

import time

from corobench.execute import memory

FILL_RATE = 4 << 30  # bytes a second: a core that touches fresh pages gets 1 to 3 GiB/s, as the kernel clears each one
_SOONEST_S = 0.05
NEVER = float("inf")


def gib(size: int) -> str:
    """Bytes as a sentence has them."""
    return f"{size / (1 << 30):.3g} GiB"


class Room:
    """The room that is left to a process below its cap in bytes; 0: no cap. Processes that it starts are not counted."""

    def __init__(self, pid: int, cap: int) -> None:
        self._pid = pid
        self._cap = cap
        self.next_look = time.monotonic() + self._filled_in(cap) if cap else NEVER

    def is_used_up(self) -> bool:
        """Whether it holds more than its cap; also says when to ask again (`next_look`, monotonic seconds)."""
        if time.monotonic() < self.next_look:
            return False
        try:
            left = self._cap - memory.held(self._pid)
        except OSError:  # it has just ended
            self.next_look = NEVER
            return False
        self.next_look = time.monotonic() + self._filled_in(left)
        return left < 0

    @staticmethod
    def _filled_in(left: int) -> float:
        return max(_SOONEST_S, left / FILL_RATE)
