"""The player of hand-off and ring: it receives a token, adds one and sends it on, m times."""

from collections.abc import Awaitable, Callable


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
