"""What bare greenlets wait for, on the scheduler of `runtime`."""

from collections import deque
from collections.abc import Sequence
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet

from runtime import Task, join, pause, ready, switch_to_next

__all__ = ["Event", "Queue", "cancel", "settle", "was_cancelled"]

settle = pause  # first in, first out: afterwards all that were started wait


class Event:
    """Lets all go on that have waited for it."""

    def __init__(self) -> None:
        self._is_set = False
        self._waiters: list[greenlet] = []

    def wait(self) -> None:
        if not self._is_set:
            self._waiters.append(getcurrent())
            switch_to_next()

    def set(self) -> None:
        self._is_set = True
        ready.extend(self._waiters)
        self._waiters.clear()


class Queue:
    """Hands items over in order; a putter waits where there is no room, a getter where there is nothing."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._items: deque[Any] = deque()
        self._getters: deque[greenlet] = deque()
        self._putters: deque[greenlet] = deque()

    def put(self, item: Any) -> None:
        while len(self._items) >= self._room:
            self._putters.append(getcurrent())
            switch_to_next()
        self._items.append(item)
        if self._getters:
            ready.append(self._getters.popleft())

    def get(self) -> Any:
        while not self._items:
            self._getters.append(getcurrent())
            switch_to_next()
        return self.get_nowait()

    def get_nowait(self) -> Any:
        item = self._items.popleft()
        if self._putters:
            ready.append(self._putters.popleft())
        return item


def cancel(tasks: Sequence[Task], _gates: Sequence[Event]) -> None:
    """Throws GreenletExit into one after the other; each comes back here by the queue when it has ended."""
    for task in tasks:
        ready.append(getcurrent())
        task.throw()


def was_cancelled(task: Task) -> bool:
    """Joins it."""
    return isinstance(join(task), GreenletExit)
