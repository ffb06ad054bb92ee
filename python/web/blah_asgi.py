"""The application of http for ASGI servers."""

from collections.abc import Awaitable, Callable
from typing import Any

from looping import loop_ready

from http_answers import BODY, HEADERS

_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS]

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await live(receive, send)
    else:
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        await send({"type": "http.response.body", "body": BODY})


async def live(receive: Receive, send: Send) -> None:
    """Start and end of the worker."""
    await receive()
    loop_ready()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})
