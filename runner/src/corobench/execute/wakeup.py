"""A program: the time of a one-byte round trip over a socket pair between two processes on given
CPUs.

Arguments: CPU of the first process, CPU of the second, 1 to keep both CPUs awake by spinners of
idle priority. Writes one JSON object: {"round_trip_ns": [one value a batch of 50]}. Bounded: 30
batches.
"""

import contextlib
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable

_BATCHES, _BATCH = 30, 50


def main() -> None:
    first, second, awake = (int(argument) for argument in sys.argv[1:4])
    children = [_fork(_spin, cpu) for cpu in (first, second)] if awake else []
    near, far = socket.socketpair()
    children.append(_fork(_echo, second, far))
    far.close()
    try:
        os.sched_setaffinity(0, {first})
        print(json.dumps({"round_trip_ns": [_batch(near) for _ in range(_BATCHES)]}))
    finally:
        near.close()
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _batch(near: socket.socket) -> int:
    started = time.monotonic_ns()
    for _ in range(_BATCH):
        near.send(b"x")
        near.recv(1)
    return (time.monotonic_ns() - started) // _BATCH


def _fork(work: Callable[..., None], cpu: int, *arguments: socket.socket) -> int:
    child = os.fork()
    if child:
        return child
    os.sched_setaffinity(0, {cpu})
    try:
        work(*arguments)
    finally:
        os._exit(0)


def _echo(far: socket.socket) -> None:
    while data := far.recv(1):
        far.send(data)


def _spin() -> None:
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    end = time.monotonic() + 20
    while time.monotonic() < end:
        pass


if __name__ == "__main__":
    main()
