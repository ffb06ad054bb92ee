"""Runs programs under gevent, and traces their greenlets."""

import gc
from collections.abc import Callable

import gevent
import greenlet

from harness import Program
from tracing import Recorder, Tracing

Main = Callable[[Program, Tracing], None]


class GreenletRecorder(Recorder):
    """Tells greenlets apart by identity, and keeps them so that no identity is used twice (minimal_ident is)."""

    def __init__(self) -> None:
        super().__init__(self._current)
        self._seen: dict[int, object] = {}

    def _current(self) -> str:
        current = gevent.getcurrent()
        self._seen[id(current)] = current
        return f"{type(current).__name__}-{id(current):x}"


def settings() -> dict[str, object]:
    kind = type(gevent.get_hub().loop)
    return {"hub_loop": f"{kind.__module__}.{kind.__qualname__}", "gc": gc.isenabled(), "greenlet": greenlet.__version__}


def run(program: Program, main: Main) -> None:
    """The whole process: hub, hello, `main`, iterations, end; any greenlet that failed raises here."""
    trace = GreenletRecorder() if program.traced else Tracing()
    # By default the hub prints the error of a greenlet that nobody joins and goes on.
    gevent.get_hub().SYSTEM_ERROR = BaseException
    program.hello(gevent.__version__, settings())
    main(program, trace)
    program.end(trace.events)
