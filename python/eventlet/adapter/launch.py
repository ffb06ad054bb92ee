"""How an eventlet program runs: its hub, and what it says of itself."""

import gc

import eventlet
import greenlet
from eventlet import hubs

import stackful_support
from harness import Program
from tracing import Identities, Recorder


def facts() -> tuple[str, dict[str, object]]:
    """Version, settings."""
    kind = type(hubs.get_hub())
    settings = {"hub": f"{kind.__module__}.{kind.__qualname__}", "gc": gc.isenabled(), "greenlet": greenlet.__version__}
    return eventlet.__version__, settings


def run(program: Program, main: stackful_support.Main) -> None:
    # By default the hub drops the error of a green thread that nobody joins and goes on.
    hubs.get_hub().SYSTEM_EXCEPTIONS = BaseException
    stackful_support.run(program, main, *facts(), Recorder(Identities(eventlet.getcurrent)))
