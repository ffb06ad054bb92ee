"""Runs an ASGI application under uvicorn, as its own command does: one worker in this process, several in children."""

from pathlib import Path

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.supervisors import Multiprocess

from http_server import announce


def serve(application: str, path: Path | None, workers: int) -> None:
    """`application` is module:name."""
    uds = str(path) if path else None
    config = uvicorn.Config(application, port=0, uds=uds, workers=workers, access_log=False, log_level="warning")
    listening = config.bind_socket()
    announce(uvicorn.__version__, {"http": AutoHTTPProtocol.__qualname__}, 0 if path else listening.getsockname()[1])
    if workers == 1:
        uvicorn.Server(config).run(sockets=[listening])
    else:
        Multiprocess(config, sockets=[listening]).run()
