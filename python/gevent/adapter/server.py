"""gevent's own server of WSGI applications."""

from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY

from gevent.pywsgi import WSGIServer

import http_answers
from http_server import announce, worker_ready
from launch import facts


def serve(_path: Path | None, _workers: int) -> None:
    server = WSGIServer(("127.0.0.1", 0), http_answers.wsgi, log=None)
    server.start()
    # Accepted connections inherit it. pywsgi leaves Nagle's delay on, and sends head and body apart.
    server.socket.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    announce(*facts(), server.server_port)
    worker_ready()
    server.serve_forever()
