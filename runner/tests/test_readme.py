"""Every command of the README and docs is run as it stands there, in a copy of the checkout; what
is generated is up to date.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import patience
import pytest
from checkouts import source_files
from planted import REPOSITORY

from corobench.report.readme import unshown

README = (REPOSITORY / "README.md").read_text()
DOCUMENTS = [
    *(
        REPOSITORY / name
        for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md")
    ),
    *sorted((REPOSITORY / "docs").glob("*.md")),
]
PAGES = [file.read_text() for file in DOCUMENTS]
COMMANDS = [
    line
    for page in PAGES
    for block in re.findall(r"^```sh\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
# The Makefile takes these from the environment: the same commands, on less.
LESS = {"RUNTIMES": "asyncio,go-p1", "WORKLOADS": "spawn,switch", "BUDGET": "8s"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A commit of the files as they are now; the tools are shared with the real checkout."""
    root = tmp_path_factory.mktemp("readme") / "corobench"
    root.mkdir()
    for name in source_files(REPOSITORY):
        if name.startswith("results/") or not (REPOSITORY / name).is_file():
            continue
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes((REPOSITORY / name).read_bytes())
    # Not .build: what this copy builds there would replace what other tests are running just now.
    (REPOSITORY / ".toolchain").mkdir(exist_ok=True)
    (root / ".toolchain").symlink_to(REPOSITORY / ".toolchain", target_is_directory=True)
    (root / ".gitignore").write_text(
        (root / ".gitignore").read_text() + "/.venv\n/.toolchain\n/.build\n"
    )
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "as it is"],
    ):
        subprocess.run(["git", *words], cwd=root, check=True)
    return root


def test_there_are_commands() -> None:
    assert {"make quick", "make all", "make publish"} <= set(COMMANDS)


@pytest.mark.timeout(6 * patience.SECONDS)
def test_every_command_runs_in_the_order_of_the_page(checkout: Path) -> None:
    env = {
        **os.environ,
        **LESS,
        "COROBENCH_ROOT": str(checkout),
        "COROBENCH_LOCK": str(checkout.parent / "lock"),
    }
    for command in COMMANDS:
        if command == "make publish":
            subprocess.run(["git", "add", "results"], cwd=checkout, check=True)
        words = shlex.split(command)
        result = subprocess.run(
            words,
            cwd=checkout,
            env=env,
            capture_output=True,
            text=True,
            timeout=2 * patience.SECONDS,
            check=False,
        )
        assert result.returncode == 0, (
            f"{command}: status "
            f"{result.returncode}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}"
        )
    assert (checkout / "results" / "site" / "index.html").is_file()


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150
    assert len(README.split()) <= 1200


def test_links_lead_to_files() -> None:
    """Of the README and of every document: what is not an address of the web is a file of this
    checkout.
    """
    pages = [REPOSITORY / "results/README.md", *DOCUMENTS]
    links = {
        (page, link)
        for page in pages
        for link in re.findall(r"(?:\]\(|href=\"|src=\"|srcset=\")([^)#\s\"]+)", page.read_text())
    }
    files = {(page, link) for page, link in links if not link.startswith(("https://", "http://"))}
    assert files
    assert [(page.name, link) for page, link in files if not (page.parent / link).exists()] == []


def test_a_picture_that_no_page_shows_is_found(tmp_path: Path) -> None:
    shown, left = (tmp_path / "pictures" / name for name in ("shown.svg", "left.svg"))
    shown.parent.mkdir()
    shown.touch()
    left.touch()
    assert unshown(tmp_path, {shown}) == [left]
    assert unshown(tmp_path / "without", {shown}) == []


def test_what_the_readme_and_the_runs_pages_show_is_up_to_date() -> None:
    words = [str(REPOSITORY / ".venv/bin/corobench"), "readme", "--check"]
    result = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
