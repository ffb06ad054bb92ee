"""How a gevent program runs: its hub, and what it says of itself."""

import gc

import gevent
import greenlet

import stackful_support
from harness import Program
from tracing import Identities, Recorder


def facts() -> tuple[str, dict[str, object]]:
    """Version, settings."""
    kind = type(gevent.get_hub().loop)
    settings = {"hub_loop": f"{kind.__module__}.{kind.__qualname__}", "gc": gc.isenabled(), "greenlet": greenlet.__version__}
    return gevent.__version__, settings


def run(program: Program, main: stackful_support.Main) -> None:
    # By default the hub prints the error of a greenlet that nobody joins and goes on.
    gevent.get_hub().SYSTEM_ERROR = BaseException
    stackful_support.run(program, main, *facts(), Recorder(Identities(gevent.getcurrent)))
