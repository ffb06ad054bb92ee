"""Where one task leaves a token for another: for the hand-offs of runtimes at their limit, which are without a queue."""

from collections.abc import Callable
from typing import Any


class Place:
    """Room for one token, and for what makes the task go on that waits for it."""

    __slots__ = ("token", "waiting")

    def __init__(self) -> None:
        self.token: Any = None
        self.waiting: Any = None

    def leave(self, token: int, make_ready: Callable[[Any], object]) -> None:
        """Leaves the first token, for which a task waits already."""
        self.token = token
        make_ready(self.waiting)
        self.waiting = None
