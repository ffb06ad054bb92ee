"""Our load generator does what ab, wrk and h2load do: as many requests, on as many connections, with the same bodies.

How fast they are beside each other is in bench/generators.py: a shared box is too noisy for a test of that.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import patience
import pytest
from needed import tool

N, CLIENTS = 60, 5


class Seen(NamedTuple):
    """What a server counted."""

    requests: int
    connections: int


class Counting(ThreadingHTTPServer):
    """Counts connections and requests, and answers both kinds of keep-alive."""

    request_queue_size = 128  # five by default: a connection beyond that waits a second for its next try

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.lock = threading.Lock()
        self.seen = Seen(0, 0)

    def count(self, requests: int = 0, connections: int = 0) -> None:
        with self.lock:
            self.seen = Seen(self.seen.requests + requests, self.seen.connections + connections)

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # wrk resets its connections when its time is up
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Counting

    def setup(self) -> None:
        super().setup()
        self.server.count(connections=1)

    def do_GET(self) -> None:
        self.server.count(requests=1)
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.send_header("Connection", "close" if self.close_connection else "keep-alive")
        self.end_headers()
        self.wfile.write(b"Blah\n")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Counting]:
    with Counting() as counting:
        thread = threading.Thread(target=counting.serve_forever, args=(0.01,))
        thread.start()
        yield counting
        counting.shutdown()
        thread.join()


def said(name: str, *arguments: str) -> str:
    """What another generator prints."""
    found = tool(name)
    done = subprocess.run([found.path, *arguments], env=os.environ | found.env, check=True, capture_output=True, text=True)
    return done.stdout


def number(pattern: str, text: str) -> int:
    match = re.search(pattern, text)
    assert match, text
    return int(match[1])


def ours(load: Path, server: Counting, keepalive: bool) -> Seen:
    stream = {"name": "x", "method": "GET", "path": "/", "status": 200, "expect": {"text": "Blah\n"}}
    stream |= {"clients": CLIENTS, "keepalive": keepalive, "requests": N}
    plan = json.dumps({"port": server.server_port, "cap_ms": 60_000, "streams": [stream]})
    (report,) = json.loads(subprocess.run([load, plan], check=True, capture_output=True).stdout)["streams"]
    assert report["errors"] == {}
    return Seen(report["requests"], report["connections"])


def about(seen: Seen, requests: int, connections: int) -> bool:
    """ab begins some too many where connecting takes a while: it counts a connection when it is there, and not when begun."""
    return 0 <= seen.requests - requests < CLIENTS and 0 <= seen.connections - connections < CLIENTS


def test_new_connections_as_with_ab(load: Path, server: Counting) -> None:
    assert ours(load, server, keepalive=False) == server.seen == (N, N)
    text = said("ab", "-q", "-n", str(N), "-c", str(CLIENTS), server.url)
    assert about(server.seen, 2 * N, 2 * N)
    assert number(r"Complete requests: +(\d+)", text) == N
    assert number(r"Failed requests: +(\d+)", text) == 0
    assert number(r"HTML transferred: +(\d+) bytes", text) == N * len("Blah\n")


def test_kept_connections_as_with_ab(load: Path, server: Counting) -> None:
    assert ours(load, server, keepalive=True) == server.seen == (N, CLIENTS)
    text = said("ab", "-q", "-k", "-n", str(N), "-c", str(CLIENTS), server.url)
    assert about(server.seen, 2 * N, 2 * CLIENTS)
    assert number(r"Keep-Alive requests: +(\d+)", text) == N


def test_kept_connections_as_with_h2load(load: Path, server: Counting) -> None:
    assert ours(load, server, keepalive=True) == server.seen == (N, CLIENTS)
    text = said("h2load", "--h1", "-n", str(N), "-c", str(CLIENTS), server.url)
    assert server.seen == (2 * N, 2 * CLIENTS)
    assert number(r"(\d+) succeeded", text) == N


def test_kept_connections_as_with_wrk(server: Counting) -> None:
    """It counts what is answered in a time: on a busy box that may be nothing, and then it gets more of it."""
    seconds, tried, requests = 1, 0, 0
    while not requests:
        text = said("wrk", "-t1", f"-c{CLIENTS}", f"-d{seconds}s", server.url)
        assert "Non-2xx" not in text
        requests = number(r"(\d+) requests in", text)
        seconds, tried = 4 * seconds, tried + 1
    patience.until(lambda: server.seen.connections >= tried * (CLIENTS + 1))  # the server's threads may begin late
    assert server.seen.connections == tried * (CLIENTS + 1)  # it tries the address first
    assert requests <= server.seen.requests
