"""What tasks wait for in gevent, and how they are taken out of a wait."""

from collections.abc import Sequence

from gevent import Greenlet, GreenletExit, get_hub, joinall, killall
from gevent.event import Event
from gevent.lock import Semaphore
from gevent.pool import Group
from gevent.queue import Queue
from gevent.socket import socket, socketpair
from gevent.thread import LockType as Lock

from runtime import pause

__all__ = [
    "Event",
    "Group",
    "Lock",
    "Queue",
    "Semaphore",
    "cancel",
    "expect",
    "joinall",
    "settle",
    "socket",
    "socketpair",
    "was_cancelled",
]

settle = pause  # the hub's queue is first in, first out: afterwards all that were started wait


def cancel(tasks: Sequence[Greenlet], _gates: Sequence[Event]) -> None:
    killall(tasks)


def was_cancelled(task: Greenlet) -> bool:
    """Joins it."""
    return isinstance(task.get(), GreenletExit)


def expect(error: type[Exception]) -> None:
    """Who joins a greenlet gets an error of this type; the hub neither prints it nor, as with others, ends the process for it."""
    hub = get_hub()
    report = hub.handle_error

    def handle(context: object, kind: type[BaseException], value: object, trace: object) -> None:
        if not issubclass(kind, error):
            report(context, kind, value, trace)

    hub.handle_error = handle
