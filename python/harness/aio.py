"""Runs programs under asyncio with the event loop that the manifest's variant names, and traces their tasks."""

import asyncio
import gc
import os
import platform
import sys
from collections.abc import Callable, Coroutine
from functools import wraps
from importlib import import_module
from itertools import count
from typing import Any, cast

from harness import Program, usage
from tracing import Function, Recorder, Tracing

# The modules asyncio and uvloop both have `new_event_loop`: the variant is the name of one of them.
LOOPS = ("asyncio", "uvloop")
Main = Callable[[Program, Tracing], Coroutine[Any, Any, None]]


class TaskRecorder(Recorder):
    """Bodies and receives are coroutine functions here, and what is started is a coroutine."""

    def __init__(self) -> None:
        super().__init__(_task_name)

    def starts_any(self, start: Function) -> Function:
        numbers, starting = count(), self.starts(start)

        @wraps(start)
        def starting_any(coroutine: Coroutine[Any, Any, Any]) -> Any:
            async def body(_i: int) -> Any:
                return await coroutine

            return starting(self.body(body)(next(numbers)))

        return cast(Function, starting_any)

    def body(self, body: Function) -> Function:
        @wraps(body)
        async def traced(i: int, *arguments: Any) -> Any:
            self.note("run", i)
            return await self.ends(i, body)(i, *arguments)

        return cast(Function, traced)

    def receives(self, i: int, receive: Function) -> Function:
        @wraps(receive)
        async def receiving(*arguments: Any) -> Any:
            result = await receive(*arguments)
            self.note("run", i)
            return result

        return cast(Function, receiving)

    def ends(self, i: int, body: Function) -> Function:
        @wraps(body)
        async def ending(*arguments: Any) -> Any:
            try:
                result = await body(*arguments)
            except asyncio.CancelledError:
                self.note("done", i)
                raise
            self.note("done", i)
            return result

        return cast(Function, ending)


def new_event_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """The factory of the variant's event loop."""
    return cast(Callable[[], asyncio.AbstractEventLoop], _module().new_event_loop)


def version() -> str:
    """uvloop has a version of its own; asyncio is as old as its interpreter."""
    return str(getattr(_module(), "__version__", platform.python_version()))


def settings(loop: asyncio.AbstractEventLoop) -> dict[str, object]:
    kind = type(loop)
    return {"loop": f"{kind.__module__}.{kind.__qualname__}", "gc": gc.isenabled(), "debug": loop.get_debug()}


def run(program: Program, main: Main) -> None:
    """The whole process: loop, hello, `main`, iterations, end; any task that failed makes the status 1."""
    trace = TaskRecorder() if program.traced else Tracing()
    failures: list[dict[str, Any]] = []

    def fail(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        # A task that fails unawaited is only logged by asyncio.
        failures.append(context)
        loop.default_exception_handler(context)

    with asyncio.Runner(loop_factory=new_event_loop()) as runner:
        loop = runner.get_loop()
        loop.set_exception_handler(fail)
        program.hello(version(), settings(loop))
        runner.run(main(program, trace))
    if failures:
        sys.exit(1)
    program.end(trace.events)


def _module() -> Any:
    name = os.environ.get("COROBENCH_LOOP", "")
    if name not in LOOPS:
        usage(f"the environment variable COROBENCH_LOOP is {name!r}, not one of {', '.join(LOOPS)}")
    return import_module(name)


def _task_name() -> str:
    task = asyncio.current_task()
    return task.get_name() if task else "main"
