"""Threads' side of what every program with tasks on stacks of their own does."""

from collections.abc import Callable
from os import sched_yield as pause
from threading import Thread
from time import sleep
from typing import Any

__all__ = ["join", "pause", "sleep", "spawn"]


class Task(Thread):
    """A thread that keeps what its function returned; an error in it is the excepthook's, which ends the process.

    It is a daemon, so that the process can end for another reason while it waits.
    """

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        super().__init__(daemon=True)
        self._function = function
        self._arguments = arguments

    def run(self) -> None:
        self.result = self._function(*self._arguments)


def spawn(function: Callable[..., Any], *arguments: Any) -> Task:
    task = Task(function, arguments)
    task.start()
    return task


def join(task: Task) -> Any:
    task.join()
    return task.result
