"""Our load generator beside ab, wrk and h2load: the same server, in turns, so that what the box does meanwhile hits all alike.

python bench/generators.py [rounds]   The server is nginx with one worker on the last CPU, the generators run on the first.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection, create_server

from corobench.distribution import weighted
from corobench.manifest import load_suite
from corobench.toolchains.find import helper
from corobench.toolchains.values import Tool

SUITE = load_suite(Path(__file__).resolve().parents[2])
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

Figures = tuple[float, float]
"""Requests a second; the median response time in seconds (h2load: the mean)."""


def tool(name: str) -> Tool:
    found = helper(SUITE, name, print)
    assert isinstance(found, Tool), found
    return found


def said(name: str, *arguments: str) -> str:
    """What a generator prints, run on the first CPU."""
    found = tool(name)
    words = ["taskset", "--cpu-list", str(CPUS[0]), str(found.path), *arguments]
    done = subprocess.run(words, env=os.environ | found.env, check=True, capture_output=True, text=True)
    return done.stdout


def number(pattern: str, text: str) -> float:
    match = re.search(pattern, text)
    assert match, text
    return float(match[1]) * SECOND.get(match[2], 1.0) if match.re.groups > 1 else float(match[1])


def ours(port: int, clients: int, keep: bool) -> Figures:
    stream = {"name": "x", "method": "GET", "path": "/", "status": 200, "expect": {"text": "Blah\n"}}
    stream |= {"clients": clients, "keepalive": keep, "requests": REQUESTS}
    report = json.loads(said("load", json.dumps({"port": port, "cap_ms": 60_000, "streams": [stream]})))
    (answered,) = report["streams"]
    assert answered["requests"] == REQUESTS, answered["errors"]
    latency = weighted((ns, count) for ns, count in answered["latency"])
    return REQUESTS / (report["elapsed_ns"] / 1e9), latency.quantile(0.5)


def ab(port: int, clients: int, keep: bool) -> Figures:
    with tempfile.NamedTemporaryFile() as table:
        options = ["-q", "-n", str(REQUESTS), "-c", str(clients), "-e", table.name, *(["-k"] if keep else [])]
        text = said("ab", *options, f"http://127.0.0.1:{port}/")
        median = number(r"(?m)^50,([0-9.]+)", Path(table.name).read_text()) / 1000
    return number(r"Requests per second: +([0-9.]+)", text), median


def wrk(port: int, clients: int, keep: bool) -> Figures:
    close = [] if keep else ["-H", "Connection: close"]
    text = said("wrk", "-t1", f"-c{clients}", f"-d{SECONDS}s", "--latency", *close, f"http://127.0.0.1:{port}/")
    return number(r"Requests/sec: +([0-9.]+)", text), number(r"50% +([0-9.]+)(us|ms|s)", text)


def h2load(port: int, clients: int, keep: bool) -> Figures:
    assert keep, "h2load keeps its connections"
    text = said("h2load", "--h1", "-n", str(REQUESTS), "-c", str(clients), f"http://127.0.0.1:{port}/")
    mean = number(r"time for request: +\S+ +\S+ +([0-9.]+)(us|ms|s)", text)
    return number(r"([0-9.]+) req/s", text), mean


@contextmanager
def nginx() -> Iterator[int]:
    """A server, as its port."""
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    found = tool("nginx")
    with tempfile.TemporaryDirectory() as folder:
        configuration = Path(folder) / "nginx.conf"
        configuration.write_text(NGINX.format(folder=folder, port=port))
        words = ["taskset", "--cpu-list", str(CPUS[-1]), str(found.path), "-e", "stderr", "-p", folder, "-c", str(configuration)]
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


def compare(port: int, clients: int, keep: bool, rounds: int) -> None:
    """Medians over rounds of each generator, and of its ratio to ours in the same round."""
    others: dict[str, Callable[[int, int, bool], Figures]] = {"ab": ab, "wrk": wrk} | ({"h2load": h2load} if keep else {})
    seen: dict[str, list[Figures]] = {name: [] for name in ("ours", *others)}
    for _ in range(rounds):
        for name, generator in {"ours": ours, **others}.items():
            seen[name].append(generator(port, clients, keep))
    print(f"\n{clients} clients, {'kept' if keep else 'new'} connections: requests/s, median response (h2load: mean), ours / its")
    for name, figures in seen.items():
        rate, median = (statistics.median(column) for column in zip(*figures, strict=True))
        pairs = zip(seen["ours"], figures, strict=True)
        ratios = zip(*((own[0] / its[0], own[1] / its[1]) for own, its in pairs), strict=True)
        of_rate, of_median = (statistics.median(column) for column in ratios)
        print(f"  {name:6} {rate:9,.0f} /s  {median * 1e6:8,.0f} us  {of_rate:5.2f}  {of_median:5.2f}")


def main(rounds: int) -> None:
    with nginx() as port:
        for clients, keep in ((1, True), (100, True), (1, False), (100, False)):
            compare(port, clients, keep, rounds)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
