"""eventlet's own server of WSGI applications."""

from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY

import eventlet
from eventlet import wsgi

import http_answers
from http_server import announce, worker_ready
from launch import facts


def serve(_path: Path | None, _workers: int) -> None:
    listening = eventlet.listen(("127.0.0.1", 0))
    listening.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)  # accepted sockets inherit it
    announce(*facts(), listening.getsockname()[1])
    worker_ready()
    wsgi.server(listening, http_answers.wsgi, log_output=False)
