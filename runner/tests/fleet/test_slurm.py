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
import msgspec
import patience
import pytest
import slurm
from needed import command, tool
from slurm import BOXES, Cluster

from corobench.fleet import attempt
from corobench.fleet.attempt import Attempt
from corobench.fleet.box import HISTORY, Calibration
from corobench.fleet.campaign import load_campaign
from corobench.machine.doctor import CHECKS
from corobench.machine.proc import Host, parsed
from corobench.results import log

pytestmark = [pytest.mark.network, pytest.mark.timeout(4 * patience.SECONDS)]

BOTH = ("classa", "classb")


class Fleet:
    """A campaign and its cluster, from the command line."""

    cluster: Cluster

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = str(folder / "planted.toml")
        self.commit = fleets.checkout(folder / "checkout")
        self.engine = {
            "name": "slurm",
            "output": str(folder / "job-%j.out"),
            "conf": str(folder / "slurm.conf"),
        }
        self.number = 0
        self.asked = 0
        self.env = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}

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

    def ask(
        self,
        classes: tuple[str, ...] = BOTH,
        repetitions: int = 1,
        patience_s: float = 600.0,
        **box: object,
    ) -> None:
        """A campaign of its own for each test, over the same boxes."""
        self.asked = len(classes) * repetitions
        fleets.write(
            self.folder,
            self.commit,
            self.engine,
            BOTH,
            repetitions,
            deliver=f"{self.folder}/deliver",
            patience_s=patience_s,
            hosts=slurm.HOSTS,
            cpus=1,
            memory_mb=100,
            **box,
        )
        self.number += 1
        with Path(self.file).open("a") as file:
            file.write(f"boxes = {json.dumps(classes)}\nbudget_s = {100 + self.number}\n")

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
        """The boxes whose job measures: it has made its folder."""
        return {folder.parents[1].name for folder in self.folder.glob("outbox/*/.work/*")}

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

    def emptied(self) -> bool:
        """Whether no job is left and each box idle. One that is left is cancelled, each time it is
        asked: after a controller has died, a job may come back when its box tells that it has
        none.
        """
        self.resume_drained()
        left = self.cluster.call("squeue", "--noheader", "--format=%i").split()
        for job in left:
            self.cluster.call("scancel", job)
        return not left and self.idle()

    def idle(self) -> bool:
        return all(self.cluster.state(box) == "idle" for box in BOXES)

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
    fleet = Fleet(folder)
    fleet.ask()
    # a link that can be cut (test_ssh.py has a real one)
    deliver = folder / "deliver"
    deliver.write_text(
        f"#!/bin/sh\n[ ! -e {folder}/cut ] || exit 255\n"
        f"exec {folder}/checkout/.venv/bin/corobench fleet receive {folder}/inbox\n"
    )
    deliver.chmod(0o755)
    found = tool("slurm")
    if not found.run_env:  # installed, and not unpacked with all that it takes
        command("ps")
    with slurm.running(folder, found, load_campaign(Path(fleet.file))) as cluster:
        fleet.cluster = cluster
        yield fleet


@pytest.fixture(autouse=True)
def afresh(fleet: Fleet) -> Iterator[None]:
    yield
    fleet("cancel", fleet.file)
    for box in BOXES:
        (fleet.folder / f"unending-{box}").unlink(missing_ok=True)
    (fleet.folder / "cut").unlink(missing_ok=True)
    fleet.wait(fleet.emptied)
    for folder in [*fleet.folder.glob("inbox/[0-9a-f]*"), fleet.folder / "outbox"]:
        subprocess.run(["rm", "-rf", str(folder)], check=True)


def test_each_run_has_a_box_to_itself_and_is_measured_again_if_it_was_altered(fleet: Fleet) -> None:
    fleet.ask(repetitions=2)
    listed = fleet("boxes", fleet.file)
    assert [line.split()[:3] for line in listed.stdout.splitlines()] == [
        [name, kind, "idle"] for name, kind in BOXES.items()
    ]
    fleet.run()
    fleet.check()
    assert len(fleet.attempts()) == fleet.asked
    record = json.loads((fleet.folder / "checkout/results/campaigns/planted.json").read_bytes())
    for job in record["jobs"]:
        assert log.read(fleet.folder / "checkout/results" / job["run"]).invocations
    file = next(fleet.folder.glob("inbox/[0-9a-f]*/*/run/*/log.jsonl.zst"))
    file.write_bytes(file.read_bytes()[::-1])
    fleet.run()
    fleet.check()
    assert len(fleet.attempts()) == fleet.asked + 1


def test_a_client_that_is_killed_goes_on(fleet: Fleet) -> None:
    fleet.ask()
    with fleet.client():
        fleet.wait(lambda: bool(fleet.running_on()))
    fleet.run()
    fleet.check()
    assert len(fleet.attempts()) == fleet.asked


def test_the_run_of_a_box_that_dies_is_measured_on_another(fleet: Fleet) -> None:
    fleet.ask(("classa",))
    fleet("submit", fleet.file)
    fleet.wait(lambda: bool(fleet.running_on()))
    (box,) = fleet.running_on()
    fleet.cluster.kill(box)
    try:
        fleet.run()
    finally:
        fleet.cluster.start_box(box)
    fleet.check()
    (made,) = fleet.attempts()
    assert {made.box["name"], box} == {"b1", "b2"}
    assert made.restarts == 1
    fleet.wait(lambda: fleet.cluster.state(box) == "idle")


def test_a_box_that_does_not_qualify_is_drained_and_its_run_moves(fleet: Fleet) -> None:
    """One that was faster before, and whose class doesn't tolerate that."""
    fleet.ask(("classa",), repetitions=2, tolerates=list(CHECKS))
    once = Calibration(at="2026-01-01T00:00:00+00:00", canary_ns=1.0, wake_ns=1.0)
    history = fleet.folder / "outbox/b1" / HISTORY
    history.parent.mkdir(parents=True)
    history.write_bytes(msgspec.json.encode([once] * 5))
    fleet.run()
    fleet.check()
    assert {str(one.box["name"]) for one in fleet.attempts()} == {"b2"}
    first = fleet("boxes", fleet.file).stdout.splitlines()[0]
    assert re.match(r"b1 +classa +drained +speed: a fixed spin takes [0-9.]+ times", first)


def test_a_controller_that_dies_loses_nothing(fleet: Fleet) -> None:
    fleet.ask(patience_s=5.0)
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
    fleet.cluster.begin_numbers_at(1_000)


def test_a_cut_link_is_made_up_for_when_it_heals(fleet: Fleet) -> None:
    fleet.ask()
    (fleet.folder / "cut").touch()
    fleet("submit", fleet.file)
    fleet.wait(lambda: len(list(fleet.folder.glob("outbox/*/[0-9a-f]*.*"))) == fleet.asked)
    fleet.wait(fleet.idle)
    assert fleet.attempts() == []
    assert {one["word"] for one in fleet.states()} == {"awaited"}
    (fleet.folder / "cut").unlink()
    fleet.cluster.set("HealthCheckInterval", "2")
    try:
        fleet.wait(lambda: len(fleet.attempts()) == fleet.asked)
    finally:
        fleet.cluster.set("HealthCheckInterval", "3600")
    fleet.check()
    fleet.wait(lambda: not list(fleet.folder.glob("outbox/*/[0-9a-f]*.*")))


def test_what_a_job_leaves_is_ended(fleet: Fleet) -> None:
    stray = fleet.folder / "stray-of-b3"
    stray.write_text(f"#!/bin/sh\necho $$ >{fleet.folder}/stray\nwhile :; do sleep 1; done\n")
    stray.chmod(0o755)
    fleet.cluster.call(
        "sbatch",
        "--nodelist=b3",
        "--output=/dev/null",
        f"--wrap=setsid {stray} & while [ ! -s {fleet.folder}/stray ]; do sleep 0.1; done",
    )
    fleet.wait((fleet.folder / "stray").exists)
    fleet.wait(fleet.idle)
    # an ended one may still have a number, until whoever inherited it has asked how it ended
    stat = Host().text(f"/proc/{(fleet.folder / 'stray').read_text().strip()}/stat")
    assert stat is None or not parsed(stat).lives


def test_a_box_on_which_a_process_cannot_be_ended_is_drained(fleet: Fleet) -> None:
    with subprocess.Popen(["true"]) as ended:  # nobody asks how, so its number stays there
        (fleet.folder / "unending-b3").write_text(f"D {ended.pid} stuck\n")
        fleet.cluster.call("sbatch", "--nodelist=b3", "--output=/dev/null", "--wrap=true")
        fleet.wait(lambda: fleet.cluster.state("b3") in ("drained", "draining"))
        last = fleet("boxes", fleet.file).stdout.splitlines()[-1]
        assert re.match(
            rf"b3 +classb +drain\w+ +these of \w+ can't be ended: D {ended.pid} stuck", last
        )
