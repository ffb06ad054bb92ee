"""A campaign on this box alone, from the command line: planned, measured, brought home, shown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import fleets
import patience
import pytest

from corobench.fleet.campaign import records
from corobench.results import log


def corobench(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(folder / "checkout/.venv/bin/corobench"), "fleet", *arguments],
        cwd=folder / "checkout",
        capture_output=True,
        text=True,
        timeout=patience.SECONDS,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    commit = fleets.checkout(tmp_path / "checkout")
    fleets.write(tmp_path, commit, {"name": "local"}, repetitions=2, patience_s=5.0)
    return tmp_path


def states(folder: Path) -> list[str]:
    done = corobench(folder, "status", str(folder / "planted.toml"), "--json")
    assert done.returncode == 0, done.stderr
    return [one["word"] for one in json.loads(done.stdout)]


def test_a_campaign_from_its_plan_to_its_page(folder: Path) -> None:
    file = str(folder / "planted.toml")
    planned = corobench(folder, "plan", file)
    assert planned.returncode == 0, planned.stderr
    assert planned.stdout.count("smoke on classa") == 2
    assert "2 runs" in planned.stderr
    assert states(folder) == ["open", "open"]
    done = corobench(folder, "run", file, "--every", "0.5")
    assert done.returncode == 0, done.stderr
    runs = [Path(line) for line in done.stdout.splitlines()]
    assert len(runs) == 2
    assert all(log.read(run).invocations for run in runs)
    seeds = {log.read_header(run).plan.seed for run in runs}
    assert len(seeds) == 2
    assert {log.read_header(run).box["class"] for run in runs} == {"classa"}
    again = corobench(folder, "run", file, "--every", "0.5")
    assert again.stdout == done.stdout
    assert "submitted" not in again.stderr
    record = records(folder / "checkout/results")["planted"]
    assert [one.word for one in record.jobs] == ["done", "done"]


def test_a_killed_worker_and_a_killed_job_lose_nothing(folder: Path) -> None:
    file = str(folder / "planted.toml")
    assert corobench(folder, "submit", file).returncode == 0
    queue = folder / "inbox/.local/planted"
    deadline = time.monotonic() + patience.SECONDS
    while not (queue / "running.json").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    pid = json.loads((queue / "running.json").read_bytes())["pid"]
    worker = int((queue / "worker.lock").read_text())
    os.kill(worker, signal.SIGKILL)
    os.killpg(pid, signal.SIGKILL)
    done = corobench(folder, "run", file, "--every", "0.5")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 2


def test_what_was_cancelled_ends(folder: Path) -> None:
    file = str(folder / "planted.toml")
    corobench(folder, "submit", file)
    done = corobench(folder, "cancel", file)
    assert done.returncode == 0, done.stderr
    deadline = time.monotonic() + patience.SECONDS
    while set(states(folder)) - {"open", "done"}:
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["plan", "none.toml"], "none.toml"),
        (["job", "--outbox", ".", "--deliver", "true"], "stdin holds no job"),
        (["qualify", "{file}", "--class", "classz", "--outbox", "."], "no box class 'classz'"),
        (["config", "{file}", "--controller", "head", "--out", "conf"], "hosts"),
    ],
)
def test_a_users_mistake_is_one_line(folder: Path, arguments: list[str], said: str) -> None:
    file = str(folder / "planted.toml")
    done = corobench(folder, *(word.replace("{file}", file) for word in arguments))
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
