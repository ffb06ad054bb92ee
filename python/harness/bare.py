"""A bare yield for coroutines: what awaits it hands None to whoever runs the task."""

from collections.abc import Callable, Generator
from typing import cast


class Turn:
    """It keeps nothing, so that one is enough for all."""

    __await__ = staticmethod(cast(Callable[[], Generator[None, None, None]], (None,).__iter__))


TURN = Turn()
