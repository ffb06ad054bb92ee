"""What threads wait for, and how they are told to give up waiting: they can't be cancelled from outside."""

from collections.abc import Sequence
from queue import Queue
from socket import socket, socketpair
from threading import Event, Lock, Semaphore
from time import process_time_ns, sleep

from runtime import Task, join

__all__ = ["Event", "Lock", "Queue", "Semaphore", "cancel", "settle", "socket", "socketpair", "was_cancelled"]

_MOMENT = 0.02  # seconds
_STILL_NS = 1_000_000


def settle() -> None:
    """Returns when all threads that were started wait: nothing but this loop then takes CPU time."""
    cpu_ns = -_STILL_NS
    while (now_ns := process_time_ns()) - cpu_ns >= _STILL_NS:
        cpu_ns = now_ns
        sleep(_MOMENT)


def cancel(_tasks: Sequence[Task], gates: Sequence[Event]) -> None:
    """Each thread watches for an event of its own."""
    for gate in gates:
        gate.set()


def was_cancelled(task: Task) -> bool:
    """Joins it; it returns why its wait ended, which is true where its event was set."""
    return join(task) is True
