"""Runs programs under trio, and traces their tasks."""

import gc
from collections.abc import Callable, Coroutine
from typing import Any

import trio

from harness import Program
from tracing import Coroutines, Identities, Tracing

Main = Callable[[Program, Tracing], Coroutine[Any, Any, None]]


async def settings() -> dict[str, object]:
    backend = trio.lowlevel.current_statistics().io_statistics.backend
    return {"io": backend, "gc": gc.isenabled()}


def run(program: Program, main: Main) -> None:
    """The whole process: run loop, hello, `main`, iterations, end; any task that failed raises here."""
    trace = Coroutines(Identities(trio.lowlevel.current_task)) if program.traced else Tracing()

    async def root() -> None:
        program.hello(trio.__version__, await settings())
        await main(program, trace)

    trio.run(root)
    program.end(trace.events)
