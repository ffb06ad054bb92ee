"""asyncio's side of what programs with stackless tasks do; runtimes that share these programs have their own."""

import asyncio
import os
from asyncio import CancelledError, Event, Future, Lock, Queue, Semaphore, Task, TaskGroup, create_task, gather, sleep
from collections.abc import Coroutine
from typing import Any

__all__ = [
    "CancelledError",
    "Event",
    "Future",
    "Lock",
    "Queue",
    "Semaphore",
    "Task",
    "TaskGroup",
    "create_task",
    "gather",
    "run_root",
    "sleep",
]


def run_root(root: Coroutine[Any, Any, int]) -> int:
    """What it returns. `asyncio` or `uvloop`, as in asyncio_support.py, whose other imports have no place in startup."""
    loops = __import__(os.environ["COROBENCH_LOOP"])
    with asyncio.Runner(loop_factory=loops.new_event_loop) as runner:
        return runner.run(root)
