"""eventlet's hub, and greenlets without a result, as the library uses them itself: for programs at its limit."""

from collections.abc import Callable
from functools import partial
from typing import Any

from eventlet import getcurrent
from eventlet import spawn_n as spawn_raw
from eventlet.hubs import get_hub

__all__ = ["calls", "spawn_raw"]


def calls() -> tuple[Callable[..., object], Callable[..., Any], Callable[[], Any]]:
    """For the greenlet that asks: has the hub call something in its turn, resumes this greenlet, leaves it for the hub."""
    hub = get_hub()
    return partial(hub.schedule_call_global, 0), getcurrent().switch, hub.switch
