"""How a future is made at the least cost on CPython 3.12 and newer, where a program makes one for each of its waits."""

from asyncio import Future
from collections.abc import Callable
from typing import Any


def maker() -> Callable[[], Future[Any]]:
    """The class itself: it is told its loop in C, where create_future is a method in Python that calls it."""
    return Future
