"""Plain threads beside the tasks of a program."""

import os
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, NoReturn


def start_thread(function: Callable[..., None], *arguments: Any) -> threading.Thread:
    """A daemon, so that the process can end for another reason while it waits; a failure in it ends the process."""
    threading.excepthook = fail
    thread = threading.Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread


def fail(failure: threading.ExceptHookArgs) -> NoReturn:
    """A thread that fails unjoined would be printed and forgotten, and others might wait for it for ever."""
    traceback.print_exception(failure.exc_type, failure.exc_value, failure.exc_traceback)
    sys.stderr.flush()
    os._exit(1)
