"""The programs of a runtime as text files of the site, and whether they are those that a run was made from."""

from __future__ import annotations

import re
from pathlib import Path

from corobench.report.drawing import File
from corobench.report.slugs import slug
from corobench.report.writing import write

_MADE = {"node_modules", "target", "__pycache__", "build", "dist"}
_LARGEST = 64 * 1024
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


def checkout_commit(root: Path) -> str:
    """The commit that a checkout is at, read from its files; empty where it can't be told."""
    git = root / ".git"
    try:
        if git.is_file():  # a worktree
            git = root / git.read_text().removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref:"):
            return head if _COMMIT.fullmatch(head) else ""
        name = head.removeprefix("ref:").strip()
        common = git / (git / "commondir").read_text().strip() if (git / "commondir").is_file() else git
        loose = common / name
        if loose.is_file():
            return loose.read_text().strip()
        packed = (common / "packed-refs").read_text().splitlines()
        return next((line.split()[0] for line in packed if line.endswith(f" {name}")), "")
    except OSError:
        return ""  # no git checkout: the page says that the commit is not known


def copy_sources(root: Path, folder: str, out: Path) -> list[File]:
    """The text files under a runtime's folder, each as <site>/source/....txt; none where the folder isn't a runtime's.

    The folder's name comes from a run, so that it is believed only where it lies in the checkout and holds a manifest.
    """
    place = (root / folder).resolve()
    if not folder or not place.is_relative_to(root.resolve()) or not (place / "runtime.toml").is_file():
        return []
    found = []
    for file in sorted(place.rglob("*")):
        parts = file.relative_to(place).parts
        if not file.is_file() or file.is_symlink() or any(p in _MADE or p.startswith(".") for p in parts):
            continue
        if (text := _text(file)) is not None:
            href = "/".join(["source", *map(slug, Path(folder).parts), *map(slug, parts)]) + ".txt"
            write(out / href, text.encode())
            found.append(File(title="/".join(parts), href=href))
    return found


def _text(file: Path) -> str | None:
    if file.stat().st_size > _LARGEST:
        return None
    try:
        return file.read_text()
    except UnicodeDecodeError:
        return None
