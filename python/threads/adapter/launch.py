"""How a program with a thread a task runs, and what it says of itself."""

import gc
import platform
import sys
import threading

import stackful_support
from harness import Program
from interpreter import has_gil
from plain_threads import fail
from tracing import Recorder, Tracing


def facts() -> tuple[str, dict[str, object]]:
    """Version, which is the interpreter's, and settings."""
    settings: dict[str, object] = {
        "gc": gc.isenabled(),
        "gil": has_gil(),
        "switch_interval_s": sys.getswitchinterval(),
        "stack_size": threading.stack_size(),
    }
    return platform.python_version(), settings


def run(program: Program, main: stackful_support.Main) -> None:
    threading.excepthook = fail

    def main_and_ends(program: Program, trace: Tracing) -> None:
        main(program, trace)
        for thread in threading.enumerate():  # the links of a chain are joined by nobody, and may still be at their ends
            if thread is not threading.main_thread():
                thread.join()

    stackful_support.run(program, main_and_ends, *facts(), Recorder(_unit))


def _unit() -> str:
    """Names are counted up and never used twice; a thread's ident is."""
    current = threading.current_thread()
    return "main" if current is threading.main_thread() else current.name
