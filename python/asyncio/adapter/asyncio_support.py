"""Runs programs under asyncio with the event loop that the manifest's variant names, and traces their tasks."""

import asyncio
import gc
import os
import platform
import sys
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any, cast

from arguments import usage
from harness import Program
from interpreter import has_gil
from tracing import TaskRecorder, Tracing

Main = Callable[[Program, Tracing], Coroutine[Any, Any, None]]


def new_event_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """The factory of the variant's event loop."""
    return cast(Callable[[], asyncio.AbstractEventLoop], _module().new_event_loop)


def version() -> str:
    """uvloop has a version of its own; asyncio is as old as its interpreter."""
    return str(getattr(_module(), "__version__", platform.python_version()))


def settings(loop: asyncio.AbstractEventLoop) -> dict[str, object]:
    kind = type(loop)
    eager = getattr(asyncio, "eager_task_factory", None)  # since 3.12
    return {
        "loop": f"{kind.__module__}.{kind.__qualname__}",
        "gc": gc.isenabled(),
        "gil": has_gil(),
        "debug": loop.get_debug(),
        "eager_tasks": eager is not None and loop.get_task_factory() is eager,
    }


def run(program: Program, main: Main) -> None:
    """The whole process: loop, hello, `main`, iterations, end; any task that failed makes the status 1."""
    trace = TaskRecorder(_task_name) if program.traced else Tracing()
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
    """The module that the variant names (asyncio, uvloop, or one of its adapter); it has `new_event_loop`."""
    name = os.environ.get("COROBENCH_LOOP", "")
    try:
        module = import_module(name)
        module.new_event_loop  # noqa: B018  what makes it one
    except (ImportError, ValueError, AttributeError) as error:
        usage(f"the environment variable COROBENCH_LOOP is {name!r}, no module with new_event_loop ({error})")
    return module


def _task_name() -> str:
    task = asyncio.current_task()
    return task.get_name() if task else "main"
