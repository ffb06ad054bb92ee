"""The standard library's server with a thread a connection."""

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import http_answers
from http_server import announce, worker_ready
from launch import facts


class Handler(BaseHTTPRequestHandler):
    """HTTP/1.1, as 1.0, its default, would close each connection; without Nagle's delay, as the contract wants it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self.send_response(HTTPStatus.OK)
        for name, value in http_answers.HEADERS:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(http_answers.BODY)

    def log_message(self, *_arguments: object) -> None:
        """No access log."""


class Server(ThreadingHTTPServer):
    """With its default of 5 connections that wait to be accepted, some of 100 clients get no answer for half a minute."""

    request_queue_size = 100  # asyncio's default


def serve(_path: Path | None, _workers: int) -> None:
    with Server(("127.0.0.1", 0), Handler) as server:
        announce(*facts(), server.server_port)
        worker_ready()
        server.serve_forever()
