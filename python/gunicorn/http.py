"""HTTP: a WSGI application under gunicorn."""

import os
from pathlib import Path

import gunicorn_server

import http_server


def serve(path: Path | None, workers: int) -> None:
    gunicorn_server.serve("http_answers:wsgi", os.environ["COROBENCH_WORKER"], path, workers)


if __name__ == "__main__":
    http_server.http(serve)
