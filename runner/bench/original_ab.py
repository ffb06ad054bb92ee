"""The commands of the document that starvation-http reproduces (cpuworker's README), against its
server here: ab, four steps.

python bench/original_ab.py [requests]   The server has all CPUs but the first, where ab runs; in
the original each has a machine. Each step is asked twice: as the original does, with a new
connection for each request, and with kept ones (-k). These ab may or may not get, as it speaks
HTTP/1.0: only its line `Keep-Alive requests` says how many.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from generators import CPUS, SUITE, command, number, said

from corobench.execute.program import Program
from corobench.execute.server import apart
from corobench.toolchains.prepare import prepare
from corobench.toolchains.tools import Prepared

SERVER = "go"
CLIENTS = 10
ENDLESS = 1_000_000
STEPS: dict[str, list[str]] = {
    "1 alone": [],
    "2 beside checksums": ["/checksumWithoutCpuWorker"],
    "3 checksums on the pool": ["/checksumWithCpuWorker"],
    "4 small ones on the pool too": ["/checksumWithCpuWorker", "/checksumSmallTaskWithCpuWorker"],
}


class Asked(NamedTuple):
    """What ab says of /delay1ms: median and 99th percentile in ms, requests a second, how many were
    on a kept connection.
    """

    median: float
    p99: float
    rate: float
    kept: int


@contextmanager
def server() -> Iterator[int]:
    """The server of starvation-http, as its port."""
    prepared = prepare(SUITE, [SERVER], print)[SERVER]
    assert isinstance(prepared, Prepared), prepared
    program = Program(
        SUITE.runtimes[SERVER], SUITE.workloads["starvation-http"], prepared, "0" * 16, {}
    )
    cpus = apart(frozenset(CPUS), CPUS).server
    launch = program.launch(cpus, ["step=naive"])
    words = ["taskset", "--cpu-list", ",".join(map(str, sorted(cpus))), *launch.argv]
    with subprocess.Popen(
        words,
        env=dict(launch.env),
        cwd=launch.cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        _, hold = (json.loads(process.stdout.readline()) for _ in range(2))
        try:
            yield hold["port"]
        finally:
            process.communicate("\n")


@contextmanager
def asking(url: str) -> Iterator[None]:
    """An ab that asks for this all the time."""
    words, env = command("ab", "-q", "-s10000000", "-c", str(CLIENTS), "-n", str(ENDLESS), url)
    with subprocess.Popen(
        words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.terminate()


def ab(url: str, requests: int, *, keep: bool) -> Asked:
    with tempfile.NamedTemporaryFile() as table:
        options = [
            "-q",
            "-s10000000",
            "-c",
            str(CLIENTS),
            "-n",
            str(requests),
            "-e",
            table.name,
            *(["-k"] if keep else []),
        ]
        text = said("ab", *options, url)
        rows = Path(table.name).read_text()
    kept = int(number(r"Keep-Alive requests: +(\d+)", text)) if keep else 0
    median, p99 = (number(rf"(?m)^{share},([0-9.]+)", rows) for share in (50, 99))
    return Asked(median, p99, number(r"Requests per second: +([0-9.]+)", text), kept)


def main(requests: int) -> None:
    with server() as port:
        base = f"http://127.0.0.1:{port}"
        for keep in (False, True):
            print(f"\nab -c {CLIENTS} -n {requests}{' -k' if keep else ''} .../delay1ms")
            alone = None
            for step, paths in STEPS.items():
                with ExitStack() as others:
                    for path in paths:
                        others.enter_context(asking(base + path))
                    asked = ab(f"{base}/delay1ms", requests, keep=keep)
                alone = alone or asked
                times = asked.median / alone.median
                kept = f", {asked.kept} on a kept connection" if keep else ""
                print(
                    f"  {step:30} p50 {asked.median:8.2f} ms ({times:5.1f} x)  p99 "
                    f"{asked.p99:8.2f} ms {asked.rate:8.0f} /s{kept}"
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
