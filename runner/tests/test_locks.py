"""One run at a time on a box, whoever began it, and nothing that is built beside it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from runs import corobench, suite

from corobench import locks
from corobench.errors import RunFailed
from corobench.locks import no_run, only_run


def test_another_run_in_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    with only_run():
        result = corobench(suite(tmp_path), "run", "--profile", "smoke")
    assert result.returncode == 1
    assert f"another run is in progress on this box (process {os.getpid()})" in result.stderr
    assert "verified" not in result.stderr


@pytest.mark.parametrize(
    "words", [["setup"], ["build"], ["verify"], ["run", "--resume", "some-run"]]
)
def test_nothing_is_built_beside_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    with only_run():
        result = corobench(suite(tmp_path), *words)
    assert result.returncode == 1
    assert f"run is in progress on this box (process {os.getpid()})" in result.stderr
    assert not (tmp_path / ".build").exists()


def test_a_dry_run_goes_on_beside_a_run_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    with only_run():
        result = corobench(suite(tmp_path), "run", "--dry-run", "--profile", "smoke")
    assert result.returncode == 0, result.stderr
    assert "/one-cpu/planted" in result.stdout
    assert not (tmp_path / ".build").exists()


def test_a_dry_run_names_what_can_not_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COROBENCH_NO_SYSTEM", "planted")
    result = corobench(suite(tmp_path), "run", "--dry-run")
    assert result.returncode == 4
    assert (
        "MISSING planted: the system's Planted is hidden by COROBENCH_NO_SYSTEM; try: "
        "install Python"
    ) in result.stderr


def test_builds_share_the_box_and_keep_a_run_off_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    with no_run("build"):
        assert corobench(suite(tmp_path), "build").returncode == 0
        result = corobench(tmp_path, "run", "--profile", "smoke")
    assert result.returncode == 1
    assert "corobench build is in progress on this box (process " in result.stderr


def test_all_users_of_a_box_meet_at_one_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COROBENCH_LOCK", raising=False)
    usual = locks.box_lock()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert locks.box_lock() == usual


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_somebody_put_in_the_locks_place_is_neither_followed_nor_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    precious, lock = tmp_path / "precious", tmp_path / "lock"
    precious.write_text("kept")
    make = {"link": lambda: lock.symlink_to(precious), "pipe": lambda: os.mkfifo(lock)}
    make.get(kind, lock.mkdir)()
    monkeypatch.setenv("COROBENCH_LOCK", str(lock))
    with pytest.raises(RunFailed, match="lock"), only_run():
        pass
    assert precious.read_text() == "kept"


def test_a_file_with_a_second_name_is_locked_and_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious, lock = tmp_path / "precious", tmp_path / "lock"
    precious.write_text("kept")
    lock.hardlink_to(precious)
    monkeypatch.setenv("COROBENCH_LOCK", str(lock))
    with only_run(), pytest.raises(RunFailed), only_run():
        pass
    assert precious.read_text() == "kept"


def test_a_lock_can_be_read_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the umask of the user who came first."""
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    before = os.umask(0o077)
    try:
        with only_run():
            assert (tmp_path / "lock").stat().st_mode & 0o044 == 0o044
    finally:
        os.umask(before)
