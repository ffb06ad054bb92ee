"""How a program with hand-driven coroutines runs, and what it says of itself."""

import gc
import platform
from collections.abc import Callable, Coroutine
from typing import Any

import loop
from harness import Program
from tracing import Identities, TaskRecorder, Tracing


def facts() -> tuple[str, dict[str, object]]:
    """Version, which is the interpreter's, and settings."""
    return platform.python_version(), {"gc": gc.isenabled()}


def run(program: Program, main: Callable[[Program, Tracing], Coroutine[Any, Any, None]]) -> None:
    trace = TaskRecorder(Identities(loop.running)) if program.traced else Tracing()
    program.hello(*facts())
    loop.run_root(main(program, trace))
    program.end(trace.events)
