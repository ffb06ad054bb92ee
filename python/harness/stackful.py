"""Runs programs whose tasks have stacks of their own, and traces them; the `launch` of each runtime knows the rest."""

from collections.abc import Callable

from harness import Program
from tracing import Recorder, Tracing

Main = Callable[[Program, Tracing], None]


def run(program: Program, main: Main, version: str, settings: dict[str, object], recorder: Recorder) -> None:
    """The whole process: hello, `main`, iterations, end; any task that failed raises or exits in there."""
    trace = recorder if program.traced else Tracing()
    program.hello(version, settings)
    main(program, trace)
    program.end(trace.events)
