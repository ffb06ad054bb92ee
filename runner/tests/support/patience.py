"""How long a test waits for something that must happen: so long that only a hang takes longer, on
any box.
"""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 600.0


def until(holds: Callable[[], object], while_true: Callable[[], object] = lambda: True) -> None:
    """Waits until something holds; AssertionError where it never does, or where `while_true` ends
    first.
    """
    deadline = time.monotonic() + SECONDS
    while True:
        going = while_true()  # asked first: what ends just now may have done it before
        if holds():
            return
        assert going, "what it needs has ended"
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)
