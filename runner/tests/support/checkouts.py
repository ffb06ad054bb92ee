"""Small copies of this checkout that tests may change, and the command line in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import patience

REPOSITORY = Path(__file__).resolve().parents[3]
EXAMPLES = Path(__file__).parents[1] / "examples"
BOX = "testbox"


def copy(root: Path, *parts: str) -> Path:
    """A checkout with these files and folders of ours (paths from the root), without what tools
    leave in them.
    """
    for part in parts:
        source, target = REPOSITORY / part, root / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy(source, target)
    return root


def add(root: Path, example: str) -> list[Path]:
    """Puts an example into a checkout; the files that it added, from the root. It may replace
    none.
    """
    base = EXAMPLES / example
    files = sorted(
        file.relative_to(base)
        for file in base.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    )
    for file in files:
        assert not (root / file).exists(), f"{file} is already there"
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(base / file, root / file)
    return files


def corobench(
    root: Path,
    *arguments: str,
    source: Path = REPOSITORY,
    root_is: Path | None = None,
    timeout_s: float = patience.SECONDS,
) -> subprocess.CompletedProcess[str]:
    """`corobench` for a root, with the package of `source`; its own lock and box, so that the box's
    own runs aren't in the way.

    `root_is`: the checkout that the command works on, where `root` only holds the lock.
    """
    own = {
        "COROBENCH_ROOT": root_is or root,
        "COROBENCH_LOCK": root / "lock",
        "COROBENCH_BOX": BOX,
        "PYTHONPATH": source / "runner" / "src",
    }
    env = {**os.environ, **{name: str(value) for name, value in own.items()}}
    words = [sys.executable, "-P", "-m", "corobench", *arguments]
    return subprocess.run(
        words, env=env, cwd=root, capture_output=True, text=True, timeout=timeout_s, check=False
    )


def source_files(root: Path) -> list[str]:
    """Paths of the files that are no build output. Without .git, as in an archive, .gitignore alone
    decides.
    """
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    with tempfile.TemporaryDirectory() as made:
        env = dict(os.environ)
        if not (root / ".git").exists():
            subprocess.run(["git", "init", "--quiet", made], check=True)
            env |= {"GIT_DIR": f"{made}/.git", "GIT_WORK_TREE": str(root)}
        done = subprocess.run(listed, cwd=root, env=env, capture_output=True, check=True)
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]
