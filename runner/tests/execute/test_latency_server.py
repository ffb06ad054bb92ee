"""The companion beside a program: its port is handed over, it is observed apart, and it ends with
the program.
"""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import patience
import planted
import pytest

from corobench.execute.invocation import Place, measure
from corobench.execute.load import cpus_left
from corobench.execute.verify import check, job
from corobench.execute.watchdog import sweep
from corobench.results.log import Failure, Invocation
from corobench.suite.load import load_suite
from corobench.suite.workload import Point

# of this process alone: a sweep would end the companion that another one is measuring with
MARK = secrets.token_hex(8)
SPEC = """
title = "Ask"
family = "ask"
question = "How long do n waits for a peer take?"
operation = "one wait"
contract = "n times 1 ms at the companion, one after the other."
kind = "measured"
companion = "latency"
tracks = ["one-cpu"]
[parameters]
n = "waits"
[evidence]
ops = "== n"
[[metric]]
name = "time"
title = "time per wait"
unit = "s"
better = "lower"
value = "elapsed / ops"
[[require]]
name = "delay"
holds = "elapsed >= n * 0.001"
text = "the peer must wait"
[[caution]]
name = "late"
level = "amber"
when = "companion_late > 0.0002 or companion_overlap > 0"
text = "the peer was late"
[[point]]
params = { n = 20 }
profiles = ["smoke"]
[[verify]]
params = { n = 2 }
"""
PROGRAM = """
import platform
import socket
import sys

from harness import Program

program = Program("ask", "n", companion=True)
program.hello(platform.python_version(), {})
connection = socket.create_connection(("127.0.0.1", program.peer))
asked = (1000).to_bytes(8)
for lap in program.laps():
    answered = 0
    with lap:
        for _ in range(program["n"]):
            connection.sendall(asked)
            answered += connection.recv(8, socket.MSG_WAITALL) == asked
    lap.record(ops=answered)
program.end()
"""


RUNNER = """
import os, sys
from pathlib import Path
import planted
from corobench.execute.invocation import Place, measure
from corobench.execute.watchdog import Watchdog
from corobench.suite.load import load_suite
from corobench.suite.workload import Point

root, load, mark = sys.argv[1:]
program = planted.program(load_suite(Path(root)), "ask", mark, {"load": Path(load)})
with Watchdog(mark):
    point = Point(params={"n": 20}, profiles=["smoke"])
    measure(program, point, frozenset([max(os.sched_getaffinity(0))]), Place(case="x", block=0, position=0))
"""


def asked(root: Path, tools: dict[str, Path], source: str = PROGRAM) -> Invocation | Failure:
    suite = planted.plant(root, {"ask": source})
    program = planted.program(suite, "ask", MARK, tools)
    cpus = frozenset(sorted(os.sched_getaffinity(0))[-1:])
    place = Place(case="ask/n=20/one-cpu/planted", block=0, position=0)
    return measure(program, Point(params={"n": 20}, profiles=["smoke"]), cpus, place)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    specs = tmp_path / "runner" / "workloads"
    specs.mkdir(parents=True)
    (specs / "ask.toml").write_text(SPEC)
    return tmp_path


def test_a_companion_is_observed_and_no_neighbour(root: Path, load: Path) -> None:
    found = asked(root, {"load": load})
    assert isinstance(found, Invocation), found
    assert found.observed["companion_answers"] == 20
    assert 0 < found.observed["companion_cpu"] <= 1
    assert found.observed["program_cpus"] == 1
    assert found.observed["throttled"] >= 0
    assert found.observed["companion_late_p99"] >= found.observed["companion_late"] >= 0
    assert found.witness.helpers_ns > 0
    assert sweep(MARK) == 0


def test_a_companion_takes_a_cpu_of_the_track_only_where_the_program_keeps_two(root: Path) -> None:
    spec = load_suite(root).workloads["ask"]
    box = range(4)
    assert cpus_left(spec, frozenset(box), box) == {1, 2, 3}
    assert cpus_left(spec, frozenset([3]), box) == {3}
    assert cpus_left(spec, frozenset([0, 1]), range(2)) == {0, 1}
    alone = msgspec.structs.replace(spec, companion=None)
    assert cpus_left(alone, frozenset(box), box) == {0, 1, 2, 3}


def test_verify_has_the_companion_too(root: Path, load: Path) -> None:
    suite = planted.plant(root, {"ask": PROGRAM})
    program = planted.program(suite, "ask", MARK, {"load": load})
    assert check(job(program, suite.workloads["ask"], planted.prepared(), [])).problems == []


def test_a_program_that_fails_takes_its_companion_along(root: Path, load: Path) -> None:
    found = asked(
        root, {"load": load}, PROGRAM.replace("asked = ", "sys.exit('no luck')\nasked = ")
    )
    assert isinstance(found, Failure)
    assert (found.kind, found.reason) == ("failed", "exit status 1: no luck")
    assert sweep(MARK) == 0


def test_paths_of_a_failure_begin_at_the_repository(root: Path, load: Path) -> None:
    found = asked(
        root,
        {"load": load},
        PROGRAM.replace("asked = ", "sys.exit(f'no luck in {__file__}')\nasked = "),
    )
    assert isinstance(found, Failure)
    assert str(root) not in found.reason + found.stderr
    assert re.search(r"no luck in \w[\w/]*/ask\.py", found.reason)
    assert re.search(r"no luck in \w[\w/]*/ask\.py", found.stderr)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_stays_when_the_runner_is_ended(
    root: Path, load: Path, tmp_path: Path, how: signal.Signals
) -> None:
    """The program hangs, connected to its companion, and the runner goes meanwhile."""
    ready = tmp_path / "ready"
    hangs = f"open({str(ready)!r}, 'w').close()\nconnection.recv(1)\nasked = "
    planted.plant(root, {"ask": PROGRAM.replace("asked = ", hangs)})
    mark = secrets.token_hex(8)
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(root), str(load), mark],
        cwd=Path(planted.__file__).parent,
        stderr=subprocess.DEVNULL,
    )
    patience.until(ready.exists, while_true=lambda: process.poll() is None)
    process.send_signal(how)
    process.wait(timeout=patience.SECONDS)
    patience.until(lambda: planted.marked(mark) == [])


def test_a_companion_that_fails_is_named(root: Path, tmp_path: Path) -> None:
    for source, wrong in (
        ("echo no >&2; exit 3", "the companion failed: exit status 3: no"),
        ("echo hello", "the companion failed: not a line of the protocol on stdout: 'hello'"),
        ("exit 0", "the companion ended without a report"),
    ):
        fake = tmp_path / "fake"
        fake.write_text(f"#!/bin/sh\n{source}\n")
        fake.chmod(0o755)
        found = asked(root, {"load": fake})
        assert isinstance(found, Failure)
        assert (found.kind, found.reason[: len(wrong)]) == ("companion", wrong)
    missing = asked(root, {})
    assert isinstance(missing, Failure)
    assert "load is missing" in missing.reason
