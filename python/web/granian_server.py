"""Runs an ASGI application under granian, whose workers are always children of its own."""

import socket
from pathlib import Path

import granian
from granian.constants import Interfaces

from http_server import announce


def serve(application: str, path: Path | None, workers: int) -> None:
    """`application` is module:name."""
    with socket.socket() as reserved:
        # Each worker binds a socket of its own to the port, which must be known beforehand.
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind(("127.0.0.1", 0))
        port: int = reserved.getsockname()[1]
        server = granian.Granian(
            application,
            port=port,
            uds=path,
            interface=Interfaces.ASGI,
            workers=workers,
            log_enabled=False,
            workers_kill_timeout=2,  # a worker that is told to end before it serves may not hear it
        )
        settings: dict[str, object] = {"interface": str(server.interface)}
        server.on_startup(lambda: announce(granian.__version__, settings, 0 if path else port))
        server.serve()
