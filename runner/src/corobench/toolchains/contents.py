"""Identities by content: hashes over files and words, never over times or machine paths."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from corobench.errors import UserError

# What tools leave in a source tree.
_MADE = frozenset({"node_modules", "target", "__pycache__"})
_TESTS = frozenset({"test", "tests"})
_MAGIC = frozenset("*?[")


def hash_of(*parts: str) -> str:
    """A hash of 64 hex digits over words, in order."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part.encode())}:{part}".encode())
    return digest.hexdigest()


def hash_files(files: Iterable[Path], base: Path) -> str:
    """A hash over names (relative to a folder) and contents, whatever their order."""
    parts: list[str] = []
    for file in sorted(set(files)):
        name = str(file.relative_to(base)) if file.is_relative_to(base) else file.name
        with file.open("rb") as stream:
            parts += [name, hashlib.file_digest(stream, "sha256").hexdigest()]
    return hash_of(*parts)


def matching(pattern: str, where: str) -> list[Path]:
    """The files of an absolute glob, sorted. UserError for a plain name that doesn't exist."""
    if _MAGIC.isdisjoint(pattern):
        if not Path(pattern).is_file():
            raise UserError(f"{where}: {pattern} does not exist")
        return [Path(pattern)]
    parts = Path(pattern).parts
    plain = next(place for place, part in enumerate(parts) if not _MAGIC.isdisjoint(part))
    base = Path(*parts[:plain])
    found = base.glob("/".join(parts[plain:]))
    return sorted(file for file in found if file.is_file() and not any(_is_made(part) for part in file.relative_to(base).parts))


def sources(language: Path, runtime: Path) -> list[Path]:
    """The files that people wrote for a runtime: its folder, and what the language's runtimes share, but for tests."""
    return sorted(_walk(language, skip={manifest.parent for manifest in language.glob("*/runtime.toml")} - {runtime}))


def _is_made(name: str) -> bool:
    return name.startswith(".") or name in _MADE


def _walk(folder: Path, skip: set[Path]) -> Iterable[Path]:
    for entry in folder.iterdir():
        if _is_made(entry.name) or entry.name in _TESTS or entry in skip or entry.suffix == ".md":
            continue
        if entry.is_dir():
            yield from _walk(entry, skip)
        elif entry.is_file():
            yield entry
