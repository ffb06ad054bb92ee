"""How a program with bare greenlets runs, and what it says of itself."""

import gc

import greenlet

import stackful_support
from harness import Program
from tracing import Identities, Recorder


def facts() -> tuple[str, dict[str, object]]:
    """Version, settings."""
    return greenlet.__version__, {"gc": gc.isenabled(), "context_vars": greenlet.GREENLET_USE_CONTEXT_VARS}


def run(program: Program, main: stackful_support.Main) -> None:
    stackful_support.run(program, main, *facts(), Recorder(Identities(greenlet.getcurrent)))
