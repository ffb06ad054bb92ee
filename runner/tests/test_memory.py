"""Memory is read from outside at a hold point: what the runner itself holds does not show in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import planted
import pytest

from corobench.execute import memory
from corobench.execute.converse import converse

MIB = 1 << 20


def live_bytes(root: Path) -> tuple[int, int, int]:
    suite = planted.plant(root, {"memory": planted.honest("memory")})
    program = planted.program(suite, "memory")
    cpus = frozenset(sorted(os.sched_getaffinity(0))[-1:])
    arguments = program.arguments({"n": 2000}, iterations=1, min_warm_ms=0, trace=0)
    reading = converse(program.launch(cpus, arguments), program.expectation({"n": 2000}, 1, 1))
    live = reading.holds["live"]
    return live.private_dirty + live.swap, live.rss, live.rss_high


def test_a_big_runner_reads_the_same_as_a_small_one(tmp_path: Path) -> None:
    small = live_bytes(tmp_path)
    ballast = bytearray(300 * MIB)
    for place in range(0, len(ballast), 4096):
        ballast[place] = 1
    big = live_bytes(tmp_path)
    assert len(ballast) == 300 * MIB
    # A process is not the same to a page twice (arenas, huge pages); the ballast would be all of 300 MiB more.
    for name, a, b in zip(("private", "rss", "high-water mark"), small, big, strict=True):
        assert b == pytest.approx(a, abs=10 * MIB), name
        assert b < 100 * MIB, name


def test_figures_are_those_of_the_process() -> None:
    source = "import sys; block = bytearray(b'x') * (64 << 20); print('up', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        read = memory.read(process.pid, 1)
        process.kill()
    assert 64 * MIB < read.private_dirty < 80 * MIB
    assert read.private_dirty <= read.rss <= read.rss_high
    assert read.threads == 1


def test_slope_intercept_high_water_and_kept_are_apart(tmp_path: Path) -> None:
    suite = planted.plant(tmp_path, {"memory": planted.honest("memory")})
    program = planted.program(suite, "memory")
    cpus = frozenset(sorted(os.sched_getaffinity(0))[-1:])
    arguments = program.arguments({"n": 20000}, iterations=1, min_warm_ms=0, trace=0)
    holds = converse(program.launch(cpus, arguments), program.expectation({"n": 20000}, 1, 1)).holds
    assert list(holds) == ["base", "live", "live-collected", "released", "released-collected"]
    assert holds["live"].private_dirty - holds["base"].private_dirty > 20000 * 500
    assert holds["released"].rss_high >= holds["live"].rss
