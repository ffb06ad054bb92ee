"""The programs of a runtime as text files of the site: as they were at the commit of a run, where the checkout knows it."""

from __future__ import annotations

import hashlib
import re
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from corobench.report.drawing import File
from corobench.report.slugs import slug
from corobench.report.writing import make_folder, write

Archive = Callable[[str, Sequence[str], Path], bool]
"""Writes folders as they were at a commit to a tar; False where they can't be had."""

_MADE = {"node_modules", "target", "__pycache__", "build", "dist"}
_LARGEST = 64 * 1024
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_FOLDER = re.compile(r"\w[\w.-]*/\w[\w.-]*", re.ASCII)
_SHORT = 10


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The files of a runtime. `committed`: they are those of the commit that was asked for; else those of the checkout."""

    files: list[File]
    committed: bool


class Sources:
    """Where the site has its sources from: the history of a checkout, which `archive` reads, and its files as they are.

    What a commit held never changes, so it is kept in `cache`, which may be emptied at any time.
    """

    def __init__(self, root: Path, out: Path, archive: Archive | None = None, cache: Path | None = None) -> None:
        self._root, self._out, self._archive = root, out, archive
        self._cache = make_folder(cache) if cache else None
        self._held: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self.commit = checkout_commit(root)

    def learn(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Gets (commit, folder) from the history, all folders of a commit at once. What is not there is left to the checkout.

        Both come from runs, so that only what looks like a commit and a runtime's folder reaches git.
        """
        commits: dict[str, set[str]] = {}
        for commit, folder in wanted:
            if _COMMIT.fullmatch(commit) and _FOLDER.fullmatch(folder):
                commits.setdefault(commit, set()).add(folder)
        for commit, folders in commits.items():
            for name, text in self._kept(commit, sorted(folders)):
                folder = "/".join(PurePosixPath(name).parts[:2])
                self._held.setdefault((commit, folder), []).append((name, text))

    def show(self, commit: str, folder: str) -> Shown:
        """Writes the files of a folder into the site."""
        held = self._held.get((commit, folder), [])
        if any(name == f"{folder}/runtime.toml" for name, _ in held):
            base = f"source/{commit[:_SHORT]}"
            return Shown(files=[self._write(base, folder, name, text) for name, text in held], committed=True)
        return Shown(files=[self._write("source", folder, *one) for one in _of_checkout(self._root, folder)], committed=False)

    def _write(self, base: str, folder: str, name: str, text: str) -> File:
        href = "/".join([base, *map(slug, PurePosixPath(name).parts)]) + ".txt"
        write(self._out / href, text.encode())
        return File(title=name.removeprefix(f"{folder}/"), href=href)

    def _kept(self, commit: str, folders: list[str]) -> list[tuple[str, str]]:
        """Path and text of the files of folders at a commit, from the cache or from git."""
        if self._archive is None or self._cache is None:
            return []
        tar = self._cache / f"{hashlib.sha256(' '.join([commit, *folders]).encode()).hexdigest()[:40]}.tar"
        if not tar.is_file():
            made = tar.with_suffix(".new")
            if not self._archive(commit, folders, made):
                return []
            made.replace(tar)
        return list(_of_tar(tar))


def _of_tar(tar: Path) -> Iterator[tuple[str, str]]:
    with tarfile.open(tar) as opened:
        for member in sorted(opened.getmembers(), key=lambda one: one.name):
            if not _is_source(PurePosixPath(member.name).parts, member.size):
                continue
            if (stream := opened.extractfile(member)) is not None and (text := _text(stream.read())) is not None:
                yield member.name, text


def _of_checkout(root: Path, folder: str) -> Iterator[tuple[str, str]]:
    """Path and text of the files of a folder; none where the folder isn't a runtime's.

    The folder's name comes from a run, so that it is believed only where it lies in the checkout and holds a manifest.
    """
    place = (root / folder).resolve()
    if not folder or not place.is_relative_to(root.resolve()) or not (place / "runtime.toml").is_file():
        return
    for file in sorted(place.rglob("*")):
        if file.is_symlink() or not file.is_file():
            continue
        inside = file.relative_to(place).as_posix()
        if _is_source(PurePosixPath(inside).parts, file.stat().st_size) and (text := _text(file.read_bytes())) is not None:
            yield f"{folder}/{inside}", text


def _is_source(parts: Iterable[str], size: int) -> bool:
    """Whether a file was written by somebody, and is small enough to be read by somebody."""
    return size <= _LARGEST and not any(part in _MADE or part.startswith(".") for part in parts)


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def checkout_commit(root: Path) -> str:
    """The commit that a checkout is at, read from its files; empty where it can't be told."""
    git = root / ".git"
    try:
        if git.is_file():  # a worktree
            git = root / git.read_text("utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref:"):
            return head if _COMMIT.fullmatch(head) else ""
        name = head.removeprefix("ref:").strip()
        common = git / (git / "commondir").read_text("utf-8").strip() if (git / "commondir").is_file() else git
        loose = common / name
        if loose.is_file():
            return loose.read_text("utf-8").strip()
        packed = (common / "packed-refs").read_text("utf-8").splitlines()
        return next((line.split()[0] for line in packed if line.endswith(f" {name}")), "")
    except OSError:
        return ""  # no git checkout: the page says that the commit is not known
