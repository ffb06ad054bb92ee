"""Tasks that pass tokens: the player of hand-off and ring, and the place of a token where there is no queue."""

from collections.abc import Awaitable, Callable
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


async def async_player(receive: Callable[[], Awaitable[int]], send: Callable[[int], Awaitable[None]], m: int) -> int:
    """How many tokens it received."""
    received = 0
    for _ in range(m):
        token = await receive()
        received += 1
        await send(token + 1)
    return received


def plain_player(receive: Callable[[], int], send: Callable[[int], None], m: int) -> int:
    """The same for tasks that wait on a stack of their own."""
    received = 0
    for _ in range(m):
        token = receive()
        received += 1
        send(token + 1)
    return received


async def keeping_player(
    kept: list[int], receive: Callable[[], Awaitable[int]], send: Callable[[int], Awaitable[None]], m: int
) -> None:
    """The asynchronous one for tasks that can't return: it keeps what that would."""
    kept.append(await async_player(receive, send, m))
