"""What tasks wait for in gevent, and how they are taken out of a wait."""

from collections.abc import Sequence

from gevent import Greenlet, GreenletExit, killall
from gevent.event import Event
from gevent.lock import Semaphore
from gevent.queue import Queue
from gevent.socket import socket, socketpair
from gevent.thread import LockType as Lock

from runtime import pause

__all__ = ["Event", "Lock", "Queue", "Semaphore", "cancel", "settle", "socket", "socketpair", "was_cancelled"]

settle = pause  # the hub's queue is first in, first out: afterwards all that were started wait


def cancel(tasks: Sequence[Greenlet], _gates: Sequence[Event]) -> None:
    killall(tasks)


def was_cancelled(task: Greenlet) -> bool:
    """Joins it."""
    return isinstance(task.get(), GreenletExit)
