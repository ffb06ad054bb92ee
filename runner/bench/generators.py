"""Our load generator beside ab, wrk, h2load and oha: the same server, in turns: what the box does
hits all alike.

python bench/generators.py [rounds]   The server is nginx with one worker on the last CPU, the
generators run on the first. oha takes part where it is on the path (cargo install oha --locked).
After that, a server whose every tenth answer comes 50 ms late: what each generator makes of a stall
that is known.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import create_connection, create_server
from typing import NamedTuple

from corobench.results.histogram import Distribution, weighted
from corobench.suite.load import load_suite
from corobench.toolchains.provision import helper
from corobench.toolchains.tools import Tool

SUITE = load_suite(Path(__file__).resolve().parents[2])
OHA = shutil.which("oha")
CPUS = sorted(os.sched_getaffinity(0))
REQUESTS, SECONDS = 20_000, 2
NGINX = """
daemon off; worker_processes 1; pid {folder}/pid; error_log stderr;
events {{ worker_connections 1024; }}
http {{
    access_log off; keepalive_requests 1000000; default_type text/html;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{ listen 127.0.0.1:{port}; location / {{ return 200 "Blah\\n"; }} }}
}}
"""
SECOND = {"us": 1e-6, "ms": 1e-3, "s": 1.0}

STALL_S, STALLED = 0.05, 10


class Figures(NamedTuple):
    """Requests a second; median and mean response time and the generator's own CPU time a request,
    in seconds.
    """

    rate: float
    median: float
    mean: float
    cpu: float


class Told(NamedTuple):
    """What ours says, and what wrk's correction would make of it."""

    plain: Figures
    corrected: Figures


def tool(name: str) -> Tool:
    found = helper(SUITE, name, print)
    assert isinstance(found, Tool), found
    return found


def command(name: str, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """A generator's words and environment, to be run on the first CPU."""
    path, env = (OHA, {}) if name == "oha" else ((found := tool(name)).path, found.env)
    return ["taskset", "--cpu-list", str(CPUS[0]), str(path), *arguments], os.environ | env


def said(name: str, *arguments: str) -> str:
    """What a generator prints."""
    return timed(name, *arguments)[0]


def timed(name: str, *arguments: str) -> tuple[str, float]:
    """What a generator prints, and the seconds of CPU time that it took, its start included."""
    words, env = command(name, *arguments)
    before = _children_cpu()
    done = subprocess.run(words, env=env, check=True, capture_output=True, text=True)
    return done.stdout, _children_cpu() - before


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def number(pattern: str, text: str) -> float:
    match = re.search(pattern, text)
    assert match, text
    return float(match[1]) * SECOND.get(match[2], 1.0) if match.re.groups > 1 else float(match[1])


def ours(port: int, clients: int, keep: bool, requests: int = REQUESTS) -> Told:
    stream = {
        "name": "x",
        "method": "GET",
        "path": "/",
        "status": 200,
        "expect": {"text": "Blah\n"},
    }
    stream |= {"clients": clients, "keepalive": keep, "requests": requests}
    text, cpu = timed("load", json.dumps({"port": port, "cap_ms": 60_000, "streams": [stream]}))
    report = json.loads(text)
    (answered,) = report["streams"]
    assert answered["requests"] == requests, answered["errors"]
    seconds, samples = (
        report["elapsed_ns"] / 1e9,
        [(ns, count) for ns, count in answered["latency"]],
    )
    expected = int(report["elapsed_ns"] / (requests / clients))

    def figures(latency: Distribution) -> Figures:
        return Figures(requests / seconds, latency.quantile(0.5), latency.mean(), cpu / requests)

    return Told(figures(weighted(samples)), figures(weighted(as_wrk_corrects(samples, expected))))


def as_wrk_corrects(samples: Iterable[tuple[int, int]], expected: int) -> Iterator[tuple[int, int]]:
    """`stats_correct` of wrk's src/stats.c: a response of over twice the mean adds others, shorter
    by the mean each.

    It makes up the requests that a client would have sent meanwhile, had it sent one each
    `expected` ns. A closed loop sent none.
    """
    for ns, count in samples:
        yield ns, count
        if ns >= 2 * expected:
            yield from ((made_up, count) for made_up in range(ns - expected, expected, -expected))


def ab(port: int, clients: int, keep: bool, requests: int = REQUESTS) -> Figures:
    with tempfile.NamedTemporaryFile() as table:
        options = [
            "-q",
            "-n",
            str(requests),
            "-c",
            str(clients),
            "-e",
            table.name,
            *(["-k"] if keep else []),
        ]
        text, cpu = timed("ab", *options, f"http://127.0.0.1:{port}/")
        median = number(r"(?m)^50,([0-9.]+)", Path(table.name).read_text()) / 1000
    rate, mean = (
        number(r"Requests per second: +([0-9.]+)", text),
        number(r"Time per request: +([0-9.]+)", text) / 1000,
    )
    return Figures(rate, median, mean, cpu / requests)


def wrk(port: int, clients: int, keep: bool) -> Figures:
    close = [] if keep else ["-H", "Connection: close"]
    text, cpu = timed(
        "wrk",
        "-t1",
        f"-c{clients}",
        f"-d{SECONDS}s",
        "--latency",
        *close,
        f"http://127.0.0.1:{port}/",
    )
    rate, median = (
        number(r"Requests/sec: +([0-9.]+)", text),
        number(r"50% +([0-9.]+)(us|ms|s)", text),
    )
    return Figures(
        rate,
        median,
        number(r"Latency +([0-9.]+)(us|ms|s)", text),
        cpu / number(r"([0-9]+) requests in", text),
    )


def h2load(port: int, clients: int, keep: bool, requests: int = REQUESTS) -> Figures:
    assert keep, "h2load keeps its connections"
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        options = ["--h1", "-n", str(requests), "-c", str(clients), f"--log-file={log}"]
        text, cpu = timed("h2load", *options, f"http://127.0.0.1:{port}/")
        took = [int(line.split()[2]) / 1e6 for line in log.read_text().splitlines()]
    return Figures(
        number(r"([0-9.]+) req/s", text),
        statistics.median(took),
        statistics.mean(took),
        cpu / requests,
    )


def oha(port: int, clients: int, keep: bool, requests: int = REQUESTS) -> Figures:
    options = ["--no-tui", "--output-format", "json", "-n", str(requests), "-c", str(clients)]
    text, cpu = timed(
        "oha", *options, *([] if keep else ["--disable-keepalive"]), f"http://127.0.0.1:{port}/"
    )
    found = json.loads(text)
    summary = found["summary"]
    return Figures(
        summary["requestsPerSec"],
        found["latencyPercentiles"]["p50"],
        summary["average"],
        cpu / requests,
    )


@contextmanager
def nginx() -> Iterator[int]:
    """A server, as its port."""
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    found = tool("nginx")
    with tempfile.TemporaryDirectory() as folder:
        configuration = Path(folder) / "nginx.conf"
        configuration.write_text(NGINX.format(folder=folder, port=port))
        words = [
            "taskset",
            "--cpu-list",
            str(CPUS[-1]),
            str(found.path),
            "-e",
            "stderr",
            "-p",
            folder,
            "-c",
            str(configuration),
        ]
        with subprocess.Popen(words, env=os.environ | found.env) as process:
            try:
                _wait_for(port)
                yield port
            finally:
                process.terminate()


def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("nginx does not listen")


class Stalling(BaseHTTPRequestHandler):
    """Answers at once, but for every tenth request."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    answered = 0

    def do_GET(self) -> None:
        Stalling.answered += 1
        if Stalling.answered % STALLED == 0:
            time.sleep(STALL_S)
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.send_header("Connection", "close" if self.close_connection else "keep-alive")
        self.end_headers()
        self.wfile.write(b"Blah\n")

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def stalling() -> Iterator[int]:
    """A server that stalls, as its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Stalling) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def row(name: str, seen: list[Figures], own: list[Figures]) -> None:
    """Medians over rounds of what a generator says, and of ours over it in the same round."""
    rate, median, mean, cpu = (statistics.median(column) for column in zip(*seen, strict=True))
    of_rate = statistics.median(o.rate / its.rate for o, its in zip(own, seen, strict=True))
    of_median = statistics.median(o.median / its.median for o, its in zip(own, seen, strict=True))
    at_once = statistics.median(its.rate * its.mean for its in seen)
    words = (
        f"{rate:9,.0f} /s {median * 1e6:8,.0f} us {mean * 1e6:8,.0f} us  CPU {cpu * 1e6:5.1f} us"
    )
    print(f"  {name:22} {words}  at once {at_once:6.1f}  ours/its {of_rate:5.2f} {of_median:5.2f}")


def compare(port: int, clients: int, keep: bool, rounds: int, requests: int = REQUESTS) -> None:
    """`at once` is rate x mean response: Little's law makes it the number of clients, where every
    moment of theirs is counted.
    """
    own: list[Told] = []
    others: dict[str, list[Figures]] = {
        name: [] for name in ("ab", "wrk", *(["h2load"] if keep else []), *(["oha"] if OHA else []))
    }
    generators: dict[str, Callable[[], Figures]] = {
        "ab": lambda: ab(port, clients, keep, requests),
        "wrk": lambda: wrk(port, clients, keep),
        "h2load": lambda: h2load(port, clients, keep, requests),
        "oha": lambda: oha(port, clients, keep, requests),
    }
    for _ in range(rounds):
        own.append(ours(port, clients, keep, requests))
        for name, seen in others.items():
            seen.append(generators[name]())
    print(
        f"\n{clients} clients, {'kept' if keep else 'new'} connections: requests/s, median and "
        "mean response, CPU a request"
    )
    plain = [told.plain for told in own]
    row("ours", plain, plain)
    row("ours, as wrk corrects", [told.corrected for told in own], plain)
    for name, seen in others.items():
        row(name, seen, plain)


def main(rounds: int) -> None:
    with nginx() as port:
        for clients, keep in ((1, True), (100, True), (1, False), (100, False)):
            compare(port, clients, keep, rounds)
    with stalling() as port:
        print(f"\nEvery {STALLED}th answer {STALL_S * 1000:g} ms late:")
        compare(port, 1, keep=True, rounds=1, requests=300)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
