"""A trampoline for coroutines, as small as the programs allow: a queue of the tasks that are ready, first in, first out.

A task that yields has first seen to it that somebody will make it ready again. There is no clock and no poller.
"""

from collections import deque
from collections.abc import Awaitable, Coroutine, Generator
from types import coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class CancelledError(BaseException):
    """Thrown into a task that is cancelled."""


class Future(Generic[T]):
    """A result to wait for."""

    def __init__(self) -> None:
        self.done = False
        self._result: T
        self._error: BaseException | None = None
        self._waiters: list[Task[Any]] = []

    def __await__(self) -> Generator[None, None, T]:
        if not self.done:
            self._waiters.append(_running[0])
            yield
        return self.result()

    def result(self) -> T:
        """What it ended with; it must have ended."""
        if self._error is not None:
            raise self._error
        return self._result

    def set_result(self, result: T) -> None:
        self._result = result
        self._end()

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self._end()

    def _end(self) -> None:
        self.done = True
        ready.extend(self._waiters)
        self._waiters.clear()


class Task(Future[T]):
    """A coroutine that takes its turns from the queue."""

    def __init__(self, body: Coroutine[Any, Any, T]) -> None:
        super().__init__()
        self._body = body
        self.resume = body.send
        ready.append(self)

    def cancel(self) -> None:
        """The task must be waiting; it gets the error in its next turn."""
        self.resume = self._throw
        ready.append(self)

    def _throw(self, _: None) -> Any:
        self.resume = self._body.send
        return self._body.throw(CancelledError())


create_task = Task
ready: deque[Task[Any]] = deque()
_running: list[Task[Any]] = []


def running() -> object:
    """The task whose turn it is."""
    return _running[0]


def run_root(root: Coroutine[Any, Any, T]) -> T:
    """Gives turns until the root has returned; the error of any task ends it."""
    first = Task(root)
    _running.append(first)
    while not first.done:
        if not ready:
            raise RuntimeError("all tasks wait")
        task = _running[0] = ready.popleft()
        try:
            task.resume(None)
        except StopIteration as end:
            task.set_result(end.value)
        except CancelledError as cancelled:
            task.set_exception(cancelled)
    _running.clear()
    return first._result


@coroutine
def _suspend() -> Generator[None, None, None]:
    yield


@coroutine
def sleep(_seconds: int) -> Generator[None, None, None]:
    """One turn for everybody else; there is no clock, so it is 0 that is asked for."""
    ready.append(_running[0])
    yield


async def gather(*tasks: Awaitable[T]) -> list[T]:
    return [await task for task in tasks]


class Event:
    """Lets all go on that have waited for it."""

    def __init__(self) -> None:
        self._is_set = False
        self._waiters: list[Task[Any]] = []

    async def wait(self) -> None:
        if not self._is_set:
            self._waiters.append(_running[0])
            await _suspend()

    def set(self) -> None:
        self._is_set = True
        ready.extend(self._waiters)
        self._waiters.clear()


class Queue(Generic[T]):
    """Hands items over in order; a putter waits where there is no room, a getter where there is nothing."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._items: deque[T] = deque()
        self._getters: deque[Task[Any]] = deque()
        self._putters: deque[Task[Any]] = deque()

    async def put(self, item: T) -> None:
        while len(self._items) >= self._room:
            self._putters.append(_running[0])
            await _suspend()
        self._items.append(item)
        if self._getters:
            ready.append(self._getters.popleft())

    async def get(self) -> T:
        while not self._items:
            self._getters.append(_running[0])
            await _suspend()
        return self.get_nowait()

    def get_nowait(self) -> T:
        item = self._items.popleft()
        if self._putters:
            ready.append(self._putters.popleft())
        return item
