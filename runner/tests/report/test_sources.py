"""Programs beside a runtime's numbers, as the checkout has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from corobench.report import reproduce
from corobench.report.reproduce import read_checkout, write_sources

FOLDER = "go/goroutines"


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


def test_sources_come_only_from_folders_of_runtimes_in_the_checkout(
    root: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "runtime.toml").write_text("secret")
    out = tmp_path / "out"
    found = {
        file.title: (out / file.href).read_text()
        for file in write_sources(read_checkout(root, [FOLDER]), out, FOLDER)
    }
    assert found == {"runtime.toml": "title = 'x'", "spawn.go": "package old"}
    assert (out / "source/go/goroutines/spawn.go.txt").is_file()
    for hostile in ("../secret", "/etc", "", "go", "."):
        assert write_sources(read_checkout(root, [hostile]), out, hostile) == []


def test_the_commit_of_a_checkout_is_read_from_its_files(tmp_path: Path) -> None:
    assert reproduce.checkout_commit(tmp_path) == ""
    (tmp_path / ".git/refs/heads").mkdir(parents=True)
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / ".git/packed-refs").write_text(f"# pack-refs\n{'b' * 40} refs/heads/main\n")
    assert reproduce.checkout_commit(tmp_path) == "b" * 40
    (tmp_path / ".git/refs/heads/main").write_text("a" * 40 + "\n")
    assert reproduce.checkout_commit(tmp_path) == "a" * 40
