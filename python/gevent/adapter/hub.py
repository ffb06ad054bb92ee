"""gevent's hub, and greenlets without a result, as the library uses them itself: for programs at its limit."""

from collections.abc import Callable
from typing import Any

from gevent import get_hub, getcurrent, spawn_raw

__all__ = ["calls", "spawn_raw"]


def calls() -> tuple[Callable[..., object], Callable[..., Any], Callable[[], Any]]:
    """For the greenlet that asks: has the hub call something in its turn, resumes this greenlet, leaves it for the hub."""
    hub = get_hub()
    return hub.loop.run_callback, getcurrent().switch, hub.switch
