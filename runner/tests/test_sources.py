"""Programs beside a runtime's numbers: as they were at the commit of the run, else as the checkout has them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from corobench.cli import report
from corobench.commands import archive
from corobench.report import reproduce
from corobench.report.reproduce import Sources

FOLDER = "go/goroutines"


def git(root: Path, *words: str) -> str:
    """Whatever the user's own settings are."""
    alone = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    named = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    done = subprocess.run(["git", *named, *words], cwd=root, env=alone, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with a runtime, its one program, and what else lies about there."""
    made = tmp_path / "root" / FOLDER
    (made / "target").mkdir(parents=True)
    (made / "runtime.toml").write_text("title = 'x'")
    (made / "spawn.go").write_text("package old")
    (made / "binary").write_bytes(b"\xff\xfe\x00")
    (made / "target" / "made.go").write_text("made")
    return tmp_path / "root"


@pytest.fixture
def commit(root: Path) -> str:
    """What was committed there; the program has changed since, and another runtime was added."""
    git(root, "init", "--quiet", ".")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=first")
    (root / FOLDER / "spawn.go").write_text("package new")
    (root / "go/later").mkdir()
    (root / "go/later/runtime.toml").write_text("title = 'y'")
    return git(root, "rev-parse", "HEAD")


def shown(found: Sources, out: Path, commit: str, folder: str = FOLDER) -> tuple[bool, dict[str, str]]:
    """Whether the files are those of the commit, and their texts by title."""
    made = found.show(commit, folder)
    return made.committed, {file.title: (out / file.href).read_text() for file in made.files}


def test_programs_are_those_of_the_commit(root: Path, commit: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = Sources(root, out, partial(archive, root), tmp_path / "cache")
    found.learn([(commit, FOLDER), (commit, "go/later")])
    assert shown(found, out, commit) == (True, {"runtime.toml": "title = 'x'", "spawn.go": "package old"})
    assert shown(found, out, commit, "go/later") == (False, {"runtime.toml": "title = 'y'"})
    assert (out / "source" / commit[:10] / FOLDER / "spawn.go.txt").is_file()


def test_a_commit_is_asked_for_once(root: Path, commit: str, tmp_path: Path) -> None:
    Sources(root, tmp_path / "out", partial(archive, root), tmp_path / "cache").learn([(commit, FOLDER)])
    again = Sources(root, tmp_path / "out", lambda *_: pytest.fail("asked again"), tmp_path / "cache")
    again.learn([(commit, FOLDER)])
    assert shown(again, tmp_path / "out", commit)[0]


@pytest.mark.parametrize("unknown", ["0" * 40, "", "v1"])
def test_of_a_commit_that_is_not_there_the_files_of_the_checkout_stand(
    root: Path, commit: str, unknown: str, tmp_path: Path
) -> None:
    assert unknown != commit
    found = Sources(root, tmp_path / "out", partial(archive, root), tmp_path / "cache")
    found.learn([(unknown, FOLDER)])
    texts = {"runtime.toml": "title = 'x'", "spawn.go": "package new"}
    assert shown(found, tmp_path / "out", unknown) == (False, texts)


@pytest.mark.parametrize(
    ("commit", "folder"),
    [("--output=x", FOLDER), ("a" * 40, "../secret"), ("a" * 40, ":(top)go/x"), ("a" * 40, "--remote/x"), ("a" * 40, "go")],
)
def test_what_a_run_says_does_not_reach_git_as_it_is(commit: str, folder: str, root: Path, tmp_path: Path) -> None:
    asked: list[Sequence[str]] = []

    def noted(_commit: str, folders: Sequence[str], _target: Path) -> bool:
        asked.append(folders)
        return False

    Sources(root, tmp_path / "out", noted, tmp_path / "cache").learn([(commit, folder)])
    assert asked == []


def test_the_command_line_reads_the_history(root: Path, commit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The half that reports starts no programs: it is handed what asks git."""

    def build(*_: Path, archive: reproduce.Archive, **__: object) -> list[Path]:
        assert archive(commit, [FOLDER], tmp_path / "made.tar")
        return [tmp_path]

    monkeypatch.setattr("corobench.report.build.build", build)
    assert report._site(root, None, [], False) == tmp_path
    assert (tmp_path / "made.tar").is_file()


def test_sources_come_only_from_folders_of_runtimes_in_the_checkout(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "runtime.toml").write_text("secret")
    found = Sources(root, tmp_path / "out")
    assert shown(found, tmp_path / "out", "") == (False, {"runtime.toml": "title = 'x'", "spawn.go": "package old"})
    assert (tmp_path / "out/source/go/goroutines/spawn.go.txt").is_file()
    for hostile in ("../secret", "/etc", "", "go", "."):
        assert found.show("", hostile).files == []


def test_the_commit_of_a_checkout_is_read_from_its_files(tmp_path: Path) -> None:
    assert reproduce.checkout_commit(tmp_path) == ""
    (tmp_path / ".git/refs/heads").mkdir(parents=True)
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / ".git/packed-refs").write_text(f"# pack-refs\n{'b' * 40} refs/heads/main\n")
    assert reproduce.checkout_commit(tmp_path) == "b" * 40
    (tmp_path / ".git/refs/heads/main").write_text("a" * 40 + "\n")
    assert reproduce.checkout_commit(tmp_path) == "a" * 40
