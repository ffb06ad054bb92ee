"""nginx as the floor of http: its launcher owes the runner what every server owes, and leaves
nothing behind.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from needed import missing
from planted import REPOSITORY

from corobench.execute import memory
from corobench.execute.invocation import Place, measure
from corobench.execute.program import Program, track_cpus
from corobench.execute.verify import check, job
from corobench.results.log import Failure, Invocation
from corobench.suite.load import load_suite
from corobench.suite.workload import Point, Track
from corobench.toolchains.prepare import prepare
from corobench.toolchains.tools import Missing, Prepared

SUITE = load_suite(REPOSITORY)
HTTP = SUITE.workloads["http"]
MASTER = 1


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    """The launcher built and nginx found or provisioned; where one can't be had, the test is
    skipped, and fails in CI.
    """
    found = prepare(SUITE, ["nginx"], print)["nginx"]
    if isinstance(found, Missing):
        missing(f"{found.reason}; {found.help}")
    return found


def program(prepared: Prepared, load: Path) -> Program:
    return Program(SUITE.runtimes["nginx"], HTTP, prepared, "0" * 16, {"load": load})


def served(prepared: Prepared, load: Path, track: Track, phase: str) -> Invocation | Failure:
    point = Point(params={"phase": phase, "n": 200, "least_ms": 0}, profiles=["smoke"])
    place = Place(case=f"http/any/{track}/nginx", block=0, position=0)
    return measure(program(prepared, load), point, track_cpus(track), place)


@pytest.mark.parametrize("track", ["one-cpu", "all-cpus"])
def test_it_has_a_worker_for_each_cpu_and_all_of_it_counts(
    prepared: Prepared, load: Path, track: Track
) -> None:
    found = served(prepared, load, track, "many-keep")
    assert isinstance(found, Invocation), found
    seen = found.observed
    assert (seen["requests"], seen["errors"], seen["connections"]) == (200, 0, 100)
    assert found.settings["workers"] == seen["server_cpus"]
    assert seen["processes"] == MASTER + seen["server_cpus"], "the launcher is none of it"


def test_it_does_what_the_spec_asks(prepared: Prepared, load: Path) -> None:
    assert check(job(program(prepared, load), HTTP, prepared, [])).problems == []


def test_another_page_gives_no_number(prepared: Prepared, load: Path, tmp_path: Path) -> None:
    for folder in ("harness", "nginx"):
        shutil.copytree(REPOSITORY / "c" / folder, tmp_path / folder)
    shutil.copy(REPOSITORY / "c/build.mk", tmp_path)
    source = tmp_path / "nginx/http.c"
    source.write_text(source.read_text().replace("Blah", "Bleh"))
    words = [
        "make",
        "--silent",
        "--file=build.mk",
        "RUNTIME=nginx",
        "BUILD=made",
        f"CC={prepared.tool}",
    ]
    subprocess.run(words, cwd=tmp_path, check=True)
    found = served(
        msgspec.structs.replace(prepared, build=tmp_path / "made"), load, "one-cpu", "one-keep"
    )
    assert isinstance(found, Failure)
    assert found.reason.startswith("no right answer: wrong answers by kind: 50 body")


@contextmanager
def started(prepared: Prepared, load: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The launcher, when it serves."""
    launch = program(prepared, load).launch(track_cpus("one-cpu"), ["phase=one-keep"])
    with subprocess.Popen(
        launch.argv,
        env=dict(launch.env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout
        assert [json.loads(process.stdout.readline())["type"] for _ in range(2)] == [
            "hello",
            "hold",
        ]
        try:
            yield process
        finally:
            for pid in memory.session_members(process.pid):
                os.kill(pid, signal.SIGKILL)


def test_it_ends_with_its_launcher_however_that_ends(prepared: Prepared, load: Path) -> None:
    with started(prepared, load) as process:
        process.kill()
        process.wait()
        gone(process.pid)
    with started(prepared, load) as process:
        assert process.stdin
        process.stdin.close()
        assert process.wait() == 1
        gone(process.pid)


def gone(session: int) -> None:
    """Returns when nothing of a session is left; the test's time-out is the limit."""
    while memory.session_members(session):
        time.sleep(0.01)
