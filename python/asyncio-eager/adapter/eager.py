"""asyncio's event loop with tasks that start at once, inside the call that makes them; CPython 3.12 and newer."""

import asyncio


def new_event_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    loop.set_task_factory(asyncio.eager_task_factory)
    return loop
