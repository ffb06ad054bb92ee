"""HTTP: aiohttp's own server."""

import asyncio
from pathlib import Path

import aiohttp
from aiohttp import web
from aiohttp.http import HttpRequestParser
from aiohttp_app import application
from looping import loop_ready

import http_server


async def listen() -> None:
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    parser = HttpRequestParser
    settings: dict[str, object] = {"parser": f"{parser.__module__}.{parser.__qualname__}"}
    http_server.announce(aiohttp.__version__, settings, runner.addresses[0][1])
    loop_ready()
    await asyncio.Event().wait()


def serve(_path: Path | None, _workers: int) -> None:
    asyncio.run(listen())


if __name__ == "__main__":
    http_server.http(serve)
