"""uvloop's event loop with tasks that start at once, inside the call that makes them; CPython 3.12 and newer."""

import asyncio
from importlib.metadata import version

import uvloop

__version__ = version("uvloop")


def new_event_loop() -> asyncio.AbstractEventLoop:
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    loop.set_task_factory(asyncio.eager_task_factory)
    return loop
