"""Where one task leaves a token for another: for the hand-offs of runtimes at their limit, which are without a queue."""

from typing import Any


class Place:
    """Room for one token, and for what makes the task go on that waits for it."""

    __slots__ = ("token", "waiting")

    def __init__(self, token: int | None) -> None:
        self.token: Any = token
        self.waiting: Any = None
