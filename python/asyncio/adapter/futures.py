"""How a future is made at the least cost, where a program makes one for each of its waits."""

from asyncio import Future, get_running_loop
from collections.abc import Callable
from typing import Any


def maker() -> Callable[[], Future[Any]]:
    """The running loop's own call; until CPython 3.11 a future that asks for its loop is dearer."""
    return get_running_loop().create_future
