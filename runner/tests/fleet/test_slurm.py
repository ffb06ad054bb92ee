"""Campaigns over real Slurm daemons on this machine: whatever is killed, every run comes home, and
never two at a time are on a box.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import fleets
import patience
import pytest
import slurm
from needed import tool
from slurm import BOXES, Cluster

from corobench.fleet import attempt
from corobench.fleet.attempt import Attempt
from corobench.results import log

pytestmark = [pytest.mark.network, pytest.mark.timeout(4 * patience.SECONDS)]

# A box is taken out by a file, as an operator's own check would do.
PROLOG = """#!/bin/sh
set -u
[ ! -e {folder}/unfit-$SLURMD_NODENAME ] || exit 1
cd {folder}/checkout || exit 1
exec .venv/bin/corobench fleet qualify {folder}/planted.toml --class {kind} --outbox {folder}/outbox
"""
RUNS = 3  # of each class


class Fleet:
    """A campaign and its cluster, from the command line."""

    def __init__(self, folder: Path, cluster: Cluster) -> None:
        self.folder = folder
        self.cluster = cluster
        self.file = str(folder / "planted.toml")
        self.env = {**os.environ, "PATH": f"{cluster.bin}:{os.environ['PATH']}"}

    def command(self, *arguments: str) -> list[str]:
        return [str(self.folder / "checkout/.venv/bin/corobench"), "fleet", *arguments]

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments),
            cwd=self.folder / "checkout",
            env=self.env,
            capture_output=True,
            text=True,
            timeout=3 * patience.SECONDS,
            check=False,
        )

    def states(self) -> list[dict[str, str]]:
        done = self("status", self.file, "--json")
        assert done.returncode == 0, done.stderr
        states: list[dict[str, str]] = json.loads(done.stdout)
        return states

    def wait(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 2 * patience.SECONDS
        while not holds():
            assert time.monotonic() < deadline, self.cluster.logs()
            time.sleep(0.2)

    @contextmanager
    def client(self) -> Iterator[subprocess.Popen[bytes]]:
        """One that goes on until it is killed, here or by the test."""
        with subprocess.Popen(
            self.command("run", self.file, "--every", "1"),
            cwd=self.folder / "checkout",
            env=self.env,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        ) as client:
            try:
                yield client
            finally:
                client.kill()

    def running_on(self) -> set[str]:
        return {one["box"] for one in self.states() if one["word"] == "running"}

    def resume_drained(self) -> None:
        """What an operator does after a controller has died: it may have lost a fresh assignment,
        and then drains the boxes that have it (`Duplicate jobid`).
        """
        for box in BOXES:
            if self.cluster.state(box) in ("drained", "draining"):
                self.cluster.call("scontrol", "update", f"nodename={box}", "state=resume")

    def run(self) -> None:
        done = self("run", self.file, "--every", "1")
        assert done.returncode == 0, f"{done.stderr}\n{self.cluster.logs()}"

    def attempts(self) -> list[Attempt]:
        found = self.folder.glob(f"inbox/[0-9a-f]*/*/{attempt.FACTS}")
        return [attempt.read(file.parent) for file in found]

    def check(self) -> None:
        """Every run is there and whole, and no box had two at a time."""
        states = self.states()
        assert {one["word"] for one in states} == {"done"}
        by_box: dict[str, list[Attempt]] = {}
        for made in self.attempts():
            by_box.setdefault(str(made.box["name"]), []).append(made)
        assert set(by_box) <= set(BOXES)
        for box, made in by_box.items():
            for one in made:
                assert BOXES[box] == one.job.box_class
            spans = sorted((one.started, one.sealed) for one in made)
            assert all(before[1] <= after[0] for before, after in pairwise(spans)), spans


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    folder = tmp_path_factory.mktemp("fleet")
    commit = fleets.checkout(folder / "checkout")
    campaign = fleets.write(
        folder,
        commit,
        {"name": "slurm", "output": str(folder / "job-%j.out"), "conf": str(folder / "slurm.conf")},
        ("classa", "classb"),
        repetitions=RUNS,
        deliver=f"{folder}/deliver",
        patience_s=25.0,
        hosts="head",
        cpus=1,
        memory_mb=100,
    )
    # what an ssh key's forced command would do, and a link that can be cut
    deliver = folder / "deliver"
    deliver.write_text(
        f"#!/bin/sh\n[ ! -e {folder}/cut ] || exit 255\n"
        f"exec {folder}/checkout/.venv/bin/corobench fleet receive {folder}/inbox\n"
    )
    deliver.chmod(0o755)
    kind = '"$([ $SLURMD_NODENAME = b3 ] && echo classb || echo classa)"'
    prolog = PROLOG.format(folder=folder, kind=kind)
    with slurm.running(folder, tool("slurm"), campaign, prolog) as cluster:
        yield Fleet(folder, cluster)


@pytest.fixture(autouse=True)
def afresh(fleet: Fleet) -> Iterator[None]:
    """Each test has a campaign of its own: the same boxes, another budget."""
    file = Path(fleet.file)
    text = re.sub(r"^budget_s = .*\n", "", file.read_text(), flags=re.MULTILINE)
    file.write_text(text + f"budget_s = {100 + time.time_ns() % 10**6}\n")
    yield
    fleet("cancel", fleet.file)
    for box in BOXES:
        (fleet.folder / f"unfit-{box}").unlink(missing_ok=True)
    fleet.resume_drained()
    (fleet.folder / "cut").unlink(missing_ok=True)
    for folder in fleet.folder.glob("inbox/[0-9a-f]*"):
        subprocess.run(["rm", "-r", str(folder)], check=True)


def test_each_run_has_a_box_of_its_class_to_itself(fleet: Fleet) -> None:
    listed = fleet("boxes", fleet.file)
    assert [line.split()[:3] for line in listed.stdout.splitlines()] == [
        [name, kind, "idle"] for name, kind in BOXES.items()
    ]
    fleet.run()
    fleet.check()
    assert len(fleet.attempts()) == 2 * RUNS
    record = json.loads((fleet.folder / "checkout/results/campaigns/planted.json").read_bytes())
    for job in record["jobs"]:
        assert log.read(fleet.folder / "checkout/results" / job["run"]).invocations


def test_a_client_that_is_killed_goes_on(fleet: Fleet) -> None:
    with fleet.client():
        fleet.wait(lambda: bool(fleet.running_on()))
    fleet.run()
    fleet.check()
    assert len(fleet.attempts()) == 2 * RUNS


def test_the_runs_of_a_box_that_dies_are_measured_on_another(fleet: Fleet) -> None:
    fleet("submit", fleet.file)
    fleet.wait(lambda: "b1" in fleet.running_on())
    fleet.cluster.kill("b1")
    try:
        fleet.run()
    finally:
        fleet.cluster.start_box("b1")
    fleet.check()
    fleet.wait(lambda: fleet.cluster.state("b1") == "idle")


def test_a_box_that_does_not_qualify_is_drained_and_its_run_moves(fleet: Fleet) -> None:
    (fleet.folder / "unfit-b1").touch()
    fleet.run()
    fleet.check()
    assert "b1" not in {str(one.box["name"]) for one in fleet.attempts()}
    assert "drained" in fleet("boxes", fleet.file).stdout


def test_a_controller_that_dies_loses_nothing(fleet: Fleet) -> None:
    fleet("submit", fleet.file)
    fleet.wait(lambda: bool(fleet.running_on()))
    fleet.cluster.kill("slurmctld")
    done = fleet("submit", fleet.file)
    assert done.returncode == 1
    assert "Slurm" in done.stderr
    fleet.cluster.start_controller()
    with fleet.client() as client:
        fleet.wait(lambda: fleet.resume_drained() or client.poll() is not None)
    fleet.run()
    fleet.check()


def test_a_cut_link_is_made_up_for_when_it_heals(fleet: Fleet) -> None:
    (fleet.folder / "cut").touch()
    fleet("submit", fleet.file)
    fleet.wait(lambda: len(list(fleet.folder.glob("outbox/*/[0-9a-f]*.*"))) == 2 * RUNS)
    assert fleet.attempts() == []
    assert {one["word"] for one in fleet.states()} == {"awaited"}
    (fleet.folder / "cut").unlink()
    # what the health check of an idle box does
    for box in BOXES:
        done = subprocess.run(
            fleet.command(
                "deliver",
                f"--outbox={fleet.folder}/outbox/{box}",
                f"--deliver={fleet.folder}/deliver",
            ),
            cwd=fleet.folder / "checkout",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    fleet.check()
    assert len(fleet.attempts()) == 2 * RUNS


def test_an_altered_result_is_measured_again(fleet: Fleet) -> None:
    fleet.run()
    file = next(fleet.folder.glob("inbox/[0-9a-f]*/*/run/*/log.jsonl.zst"))
    file.write_bytes(file.read_bytes()[::-1])
    fleet.run()
    fleet.check()
    assert len(fleet.attempts()) == 2 * RUNS + 1
