"""Our load generator does what ab, wrk and h2load do: as many requests, on as many connections,
with the same bodies.

And it says the same of a server whose answers take long, beside which nothing else counts. How fast
they are beside each other where answers take no time is in bench/generators.py: a shared box is too
noisy for a test of that.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import patience
import pytest
from needed import tool

from corobench.results.histogram import weighted

N, CLIENTS = 60, 5
SLOW_S = 0.02  # so long that what a generator does between two answers is little beside it
FACTOR, ROUNDS, TRIES = 1.5, 3, 4


class Seen(NamedTuple):
    """What a server counted."""

    requests: int
    connections: int


class Counting(ThreadingHTTPServer):
    """Counts connections and requests, and answers both kinds of keep-alive."""

    # five by default: a connection beyond that waits a second for its next try
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.lock = threading.Lock()
        self.delay_s = 0.0
        self.seen = Seen(0, 0)

    def count(self, requests: int = 0, connections: int = 0) -> None:
        with self.lock:
            self.seen = Seen(self.seen.requests + requests, self.seen.connections + connections)

    def handle_error(self, request: object, client_address: object) -> None:
        # wrk resets its connections when its time is up
        if not isinstance(sys.exception(), ConnectionError):
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
        time.sleep(self.server.delay_s)
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
    done = subprocess.run(
        [found.path, *arguments],
        env=os.environ | found.env,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def number(pattern: str, text: str) -> int:
    match = re.search(pattern, text)
    assert match, text
    return int(match[1])


def ours(load: Path, server: Counting, keepalive: bool) -> Seen:
    stream = {
        "name": "x",
        "method": "GET",
        "path": "/",
        "status": 200,
        "expect": {"text": "Blah\n"},
    }
    stream |= {"clients": CLIENTS, "keepalive": keepalive, "requests": N}
    plan = json.dumps({"port": server.server_port, "cap_ms": 60_000, "streams": [stream]})
    (report,) = json.loads(subprocess.run([load, plan], check=True, capture_output=True).stdout)[
        "streams"
    ]
    assert report["errors"] == {}
    return Seen(report["requests"], report["connections"])


def about(seen: Seen, requests: int, connections: int) -> bool:
    """ab begins some too many where connecting takes a while: it counts a connection when it is
    there, and not when begun.
    """
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
    """It counts what is answered in a time: on a busy box that may be nothing, and then it gets
    more of it.
    """
    seconds, tried, requests = 1, 0, 0
    while not requests:
        text = said("wrk", "-t1", f"-c{CLIENTS}", f"-d{seconds}s", server.url)
        assert "Non-2xx" not in text
        requests = number(r"(\d+) requests in", text)
        seconds, tried = 4 * seconds, tried + 1
    # the server's threads may begin late
    patience.until(lambda: server.seen.connections >= tried * (CLIENTS + 1))
    assert server.seen.connections == tried * (CLIENTS + 1)  # it tries the address first
    assert requests <= server.seen.requests


class Figures(NamedTuple):
    """Requests a second, and the median response time in seconds."""

    rate: float
    median: float


def of_ours(load: Path, server: Counting) -> Figures:
    stream = {
        "name": "x",
        "method": "GET",
        "path": "/",
        "status": 200,
        "expect": {"text": "Blah\n"},
    }
    stream |= {"clients": CLIENTS, "keepalive": True, "requests": N}
    plan = json.dumps({"port": server.server_port, "cap_ms": 60_000, "streams": [stream]})
    report = json.loads(subprocess.run([load, plan], check=True, capture_output=True).stdout)
    latency = weighted([(ns, count) for ns, count in report["streams"][0]["latency"]])
    return Figures(N / (report["elapsed_ns"] / 1e9), latency.quantile(0.5))


def of_ab(server: Counting, folder: Path) -> Figures:
    table = folder / "table"
    text = said("ab", "-q", "-k", "-n", str(N), "-c", str(CLIENTS), "-e", str(table), server.url)
    return Figures(
        measured(r"Requests per second: +([0-9.]+)", text),
        measured(r"(?m)^50,([0-9.]+)", table.read_text()) / 1000,
    )


def of_h2load(server: Counting, folder: Path) -> Figures:
    log = folder / "log"
    log.unlink(missing_ok=True)
    text = said("h2load", "--h1", "-n", str(N), "-c", str(CLIENTS), f"--log-file={log}", server.url)
    took = [int(line.split()[2]) / 1e6 for line in log.read_text().splitlines()]
    return Figures(measured(r"([0-9.]+) req/s", text), statistics.median(took))


def of_wrk(server: Counting, _folder: Path) -> Figures:
    text = said("wrk", "-t1", f"-c{CLIENTS}", "-d1s", "--latency", server.url)
    return Figures(
        measured(r"Requests/sec: +([0-9.]+)", text), measured(r"50% +([0-9.]+)ms", text) / 1000
    )


def measured(pattern: str, text: str) -> float:
    match = re.search(pattern, text)
    assert match, text
    return float(match[1])


@pytest.mark.parametrize("other", [of_ab, of_h2load, of_wrk])
def test_rate_and_median_are_theirs(
    load: Path, server: Counting, tmp_path: Path, other: Callable[[Counting, Path], Figures]
) -> None:
    """In turns, so that what the box does meanwhile hits both; the median of a few rounds, and more
    tries on a busy box.
    """
    server.delay_s = SLOW_S
    for _ in range(TRIES):
        times = over([(of_ours(load, server), other(server, tmp_path)) for _ in range(ROUNDS)])
        if all(1 / FACTOR < figure < FACTOR for figure in times):
            return
    pytest.fail(
        f"ours said {times.rate:.2f} times its requests a second and {times.median:.2f} times its "
        "median response"
    )


def over(pairs: list[tuple[Figures, Figures]]) -> Figures:
    """What ours said over what the other did in the same round, the median of the rounds."""
    return Figures(
        *(
            statistics.median(getattr(one, of) / getattr(its, of) for one, its in pairs)
            for of in Figures._fields
        )
    )
