"""What a worker with an event loop tells the launcher of the loop that it really has."""

import asyncio

from http_server import worker_ready


def loop_ready() -> None:
    """Told on the loop, before it serves."""
    kind = type(asyncio.get_running_loop())
    worker_ready({"loop": f"{kind.__module__}.{kind.__qualname__}"})
