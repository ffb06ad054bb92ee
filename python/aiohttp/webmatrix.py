"""Web matrix: aiohttp under gunicorn, which is how its documentation gets more than one worker."""

from pathlib import Path

import aiohttp
import gunicorn_server

import http_server


def serve(path: Path | None, workers: int) -> None:
    worker = "aiohttp.GunicornWebWorker"
    gunicorn_server.serve("aiohttp_app:application", worker, path, workers, version=aiohttp.__version__)


if __name__ == "__main__":
    http_server.webmatrix(serve)
