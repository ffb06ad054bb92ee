"""What tasks wait for in eventlet, and how they are taken out of a wait."""

from collections.abc import Sequence

import eventlet.event
from eventlet.green.socket import socket, socketpair
from eventlet.greenthread import GreenThread
from eventlet.queue import Queue
from eventlet.semaphore import Semaphore
from greenlet import GreenletExit

from runtime import pause

__all__ = ["Event", "Lock", "Queue", "Semaphore", "cancel", "settle", "socket", "socketpair", "was_cancelled"]

Lock = Semaphore  # of one permit unless told otherwise: what eventlet patches in for threading's lock
settle = pause  # the hub's timers of no delay are first in, first out: afterwards all that were started wait


class Event(eventlet.event.Event):  # type: ignore[misc]
    """Its own word for `set` takes a value, which no program has."""

    def set(self) -> None:
        self.send()


def cancel(tasks: Sequence[GreenThread], _gates: Sequence[Event]) -> None:
    for task in tasks:
        task.kill()


def was_cancelled(task: GreenThread) -> bool:
    """Joins it."""
    try:
        task.wait()
    except GreenletExit:
        return True
    return False
