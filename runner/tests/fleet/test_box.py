"""A box before it measures: its checkout, its class, its speed within its own history."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import fleets
import msgspec
import pytest
from fleets import job_of, sealed

from corobench.errors import RunFailed
from corobench.fleet import attempt, box
from corobench.fleet.box import Calibration
from corobench.fleet.campaign import SPEED
from corobench.machine.doctor import CHECKS

ALL = list(CHECKS)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("box") / "checkout"
    fleets.checkout(root)
    return root


@pytest.fixture(autouse=True)
def own_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The box's own is held by `make test`."""
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))


def commit(root: Path) -> str:
    words = ["git", "rev-parse", "HEAD"]
    return subprocess.run(
        words, cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_a_fit_box_adds_to_its_history(root: Path, tmp_path: Path) -> None:
    assert box.unfit(box.look(), commit(root), {}, ALL, root, tmp_path) == []
    kept = msgspec.json.decode((tmp_path / box.HISTORY).read_bytes(), type=list[Calibration])
    assert [one.canary_ns > 0 for one in kept] == [True]


def test_a_box_with_another_commit_or_class_is_not_fit(root: Path, tmp_path: Path) -> None:
    assert "is at" in box.unfit(box.look(), "b" * 40, {}, ALL, root, tmp_path)[0]
    facts = {"cpu.model": "no such CPU"}
    assert "cpu.model" in box.unfit(box.look(), commit(root), facts, ALL, root, tmp_path)[0]
    assert not (tmp_path / box.HISTORY).exists()


def test_uncommitted_changes_are_no_release(root: Path, tmp_path: Path) -> None:
    file = root / "planted/one/spawn.py"
    text = file.read_text()
    file.write_text(text + "\n# changed\n")
    try:
        assert (
            "uncommitted changes" in box.unfit(box.look(), commit(root), {}, ALL, root, tmp_path)[0]
        )
    finally:
        file.write_text(text)


def test_what_doctor_warns_of_counts_unless_the_class_tolerates_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        CHECKS, "planted", (lambda _look: ("too warm", True), "It disturbs.", "cool it")
    )
    assert box.unfit(box.look(), commit(root), {}, ALL, root, tmp_path) == ["planted: too warm"]
    assert box.unfit(box.look(), commit(root), {}, [*ALL, "planted"], root, tmp_path) == []


@pytest.mark.parametrize(
    ("canary", "wake", "said"),
    [
        (1.05, 1.5, []),
        (1.2, 1.0, ["speed: a fixed spin takes 1.20"]),
        (1.0, 2.5, ["speed: a wake-up takes 2.50"]),
    ],
)
def test_a_box_slower_than_it_was_is_not_fit(
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    canary: float,
    wake: float,
    said: list[str],
) -> None:
    usual = Calibration(at="2026-01-01T00:00:00+00:00", canary_ns=1e7, wake_ns=1e4)
    (tmp_path / box.HISTORY).write_bytes(msgspec.json.encode([usual] * 20))
    now = msgspec.structs.replace(usual, canary_ns=1e7 * canary, wake_ns=1e4 * wake)
    monkeypatch.setattr(box, "_calibration", lambda _root: now)
    assert box.unfit(box.look(), commit(root), {}, [*ALL, SPEED], root, tmp_path / "other") == []
    found = box.unfit(box.look(), commit(root), {}, ALL, root, tmp_path)
    assert [reason[: len(words)] for reason, words in zip(found, said, strict=True)] == said
    kept = msgspec.json.decode((tmp_path / box.HISTORY).read_bytes(), type=list[Calibration])
    assert kept == ([usual] * 20 if said else [*[usual] * 19, now])


def test_a_history_that_cannot_be_read_begins_anew(root: Path, tmp_path: Path) -> None:
    (tmp_path / box.HISTORY).write_text('{"torn')
    assert box.unfit(box.look(), commit(root), {}, [*ALL, SPEED], root, tmp_path) == []
    kept = msgspec.json.decode((tmp_path / box.HISTORY).read_bytes(), type=list[Calibration])
    assert len(kept) == 1


def test_what_cannot_be_delivered_waits_and_what_is_refused_is_kept_aside(tmp_path: Path) -> None:
    outbox, said = tmp_path / "outbox", []
    for name in ("00.first", "01.second"):
        sealed(outbox / name, job_of(tmp_path))
    assert box.deliver_all(outbox, "false", said.append) == 2
    assert box.deliver_all(outbox, "no-such-command", said.append) == 2
    assert "cannot be started" in said[-1]
    # a collector that has no room has not refused it
    assert box.deliver_all(outbox, "echo LATER no room", said.append) == 2
    # nor one that ends before it has read all
    assert box.deliver_all(outbox, "sh -c 'head -c 1 >/dev/null; exit 1'", said.append) == 2
    assert box.deliver_all(outbox, "echo REJECT not today", said.append) == 0
    assert len(list((outbox / ".rejected").iterdir())) == 2
    assert box.waiting(outbox) == []


def test_a_job_on_a_box_that_is_never_fit_comes_home_as_failed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, outbox, said = job_of(tmp_path), tmp_path / "outbox", []

    def work(restarts: str) -> int:
        monkeypatch.setenv(box.RESTARTS, restarts)
        return box.work(job, root, outbox, "false", said.append)

    assert work("0") == box.UNFIT
    assert box.waiting(outbox) == []
    assert work("3") == 0
    made: Any = attempt.read(box.waiting(outbox)[0])
    assert made.outcome == "failed"
    assert "no fit box in 4 attempts" in made.reason


def test_a_pipe_in_an_outbox_is_no_attempt(tmp_path: Path) -> None:
    outbox, said = tmp_path / "outbox", []
    outbox.mkdir()
    os.mkfifo(outbox / "0a.pipe")
    assert box.deliver_all(outbox, "cat", said.append) == 0
    assert said == []


def test_nothing_is_sent_while_a_job_is_at_work(tmp_path: Path) -> None:
    with (
        box.alone(tmp_path, None),
        pytest.raises(RunFailed, match="held by process"),
        box.alone(tmp_path, None),
    ):
        raise AssertionError("two are at work")
