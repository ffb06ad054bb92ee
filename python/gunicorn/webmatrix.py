"""Web matrix: the variant's application under gunicorn."""

import os
from pathlib import Path

import gunicorn_server

import http_server


def serve(path: Path | None, workers: int) -> None:
    gunicorn_server.serve(os.environ["COROBENCH_APPLICATION"], os.environ["COROBENCH_WORKER"], path, workers)


if __name__ == "__main__":
    http_server.webmatrix(serve)
