"""Rust's own installer as the last way to Rust: what is fetched is held to its SHA-256 before
anything of it runs.
"""

from __future__ import annotations

import hashlib
import platform
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import toolchain_suites as fake

INSTALL = fake.RUNNER.parent / "rust/tools/install.py"
TARGET = f"{platform.machine()}-unknown-linux-gnu"
# Does as the real one: puts a component's files under the prefix.
SCRIPT = """#!/bin/bash
for word; do case $word in --prefix=*) prefix=${word#*=} ;; --components=*) echo "${word#*=}" > /dev/stderr ;; esac; done
mkdir "$prefix/bin"; printf '#!/bin/sh\\necho cargo 1.95.0\\n' > "$prefix/bin/cargo"; chmod +x "$prefix/bin/cargo"
"""


@pytest.fixture
def archives(tmp_path: Path) -> Path:
    """A folder with an installer of this machine, and the list of its sum."""
    name = f"rust-1.95.0-{TARGET}"
    fake.script(tmp_path / name / "install.sh", SCRIPT)
    folder = tmp_path / "archives"
    folder.mkdir()
    with tarfile.open(folder / f"{name}.tar.xz", "w:xz") as archive:
        archive.add(tmp_path / name, name)
    digest = hashlib.sha256((folder / f"{name}.tar.xz").read_bytes()).hexdigest()
    (folder / "sums").write_text(
        f"{'0' * 64}  rust-1.95.0-vax-unknown-linux-gnu.tar.xz\n{digest}  {name}.tar.xz\n"
    )
    return folder


def install(archives: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    words = [sys.executable, INSTALL, folder, archives / "sums", archives.as_uri()]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_it_is_installed_into_the_folder(archives: Path, tmp_path: Path) -> None:
    done = install(archives, tmp_path / "made")
    assert done.returncode == 0, done.stderr
    assert f"rustc,cargo,rust-std-{TARGET}" in done.stderr
    assert subprocess.check_output([tmp_path / "made/bin/cargo"], text=True) == "cargo 1.95.0\n"
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["bin"], (
        "nothing of the archive stays"
    )


def test_another_file_is_refused_before_it_runs(archives: Path, tmp_path: Path) -> None:
    sums = archives / "sums"
    sums.write_text(sums.read_text().replace(sums.read_text().splitlines()[1][:8], "deadbeef"))
    done = install(archives, tmp_path / "made")
    assert done.returncode == 1
    assert "SHA-256 is" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "made/bin").exists()


def test_what_cannot_be_fetched_is_one_line(archives: Path, tmp_path: Path) -> None:
    next(archives.glob("*.xz")).unlink()
    done = install(archives, tmp_path / "made")
    assert done.returncode == 1
    assert "failed to fetch" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_pinned_sums_are_of_both_architectures() -> None:
    lines = [
        line.split() for line in INSTALL.with_name("installer.sha256").read_text().splitlines()
    ]
    assert {name.partition("-1.95.0-")[2] for _, name in lines} == {
        "x86_64-unknown-linux-gnu.tar.xz",
        "aarch64-unknown-linux-gnu.tar.xz",
    }
    assert all(len(digest) == 64 for digest, _ in lines)
