"""A scheduler for bare greenlets, as small as the programs allow: a queue of those that are ready, first in, first out."""

from collections import deque
from collections.abc import Callable
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet

ready: deque[greenlet] = deque()


def _loop(*_: object) -> None:
    """Where a greenlet that has ended hands over: it has no other to switch to."""
    while ready:
        ready.popleft().switch()
    raise RuntimeError("all greenlets wait")


_hub = greenlet(_loop)


class Task(greenlet):  # type: ignore[misc]
    """A greenlet that keeps what its function returned and readies the one that joins it."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        super().__init__(parent=_hub)
        self._function = function
        self._arguments = arguments
        self.joiner: greenlet | None = None

    def run(self) -> None:
        try:
            self.result = self._function(*self._arguments)
        except GreenletExit as killed:
            self.result = killed
        if self.joiner is not None:
            ready.append(self.joiner)


def spawn(function: Callable[..., Any], *arguments: Any) -> Task:
    task = Task(function, arguments)
    ready.append(task)
    return task


def join(task: Task) -> Any:
    if not task.dead:
        task.joiner = getcurrent()
        switch_to_next()
    return task.result


def pause() -> None:
    ready.append(getcurrent())
    switch_to_next()


def switch_to_next() -> None:
    """Gives way; the caller has left itself where somebody will make it ready.

    A new greenlet (it counts as false) is started from the hub: started from here, it would inherit the depth of recursion.
    """
    (ready.popleft() if ready and ready[0] else _hub).switch()
