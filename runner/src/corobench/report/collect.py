"""Every run under results/<box>/<run>/, with its summary: made once for each content and remembered.

A remembered summary is found by the hash of the raw files and of the code that made it, so that it can never be stale.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from corobench import statistics, store
from corobench.report import slugs
from corobench.report.workers import each
from corobench.report.writing import write
from corobench.statistics.summary import summarise
from corobench.statistics.values import RunSummary

_RAW = ("run.json", "log.jsonl")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A run in the site. `digest` is of its raw files and of the statistics' code."""

    box: str
    name: str
    folder: Path
    summary: RunSummary
    digest: str

    @property
    def place(self) -> str:
        """Its folder in the site, relative to the root."""
        return f"runs/{slugs.slug(self.box)}/{slugs.slug(self.name)}/"

    @property
    def key(self) -> str:
        return f"{self.box}/{self.name}"


def collect(results: Path, cache: Path, only: list[Path] | None = None) -> list[Entry]:
    """All runs, or only some of them, the newest first. UserError for one that can't be read: none is left out silently."""
    cache.mkdir(parents=True, exist_ok=True)
    code = code_digest()
    folders = run_folders(results) if only is None else only
    digests = each(partial(_digest, cache=cache, code=code), folders)
    found = [_entry(folder, digest, cache) for folder, digest in zip(folders, digests, strict=True)]
    return sorted(found, key=lambda e: (e.summary.created, e.key), reverse=True)


def header(entry: Entry) -> store.RunHeader:
    """What the run knew before it began, without its log."""
    return msgspec.json.decode((entry.folder / "run.json").read_bytes(), type=store.RunHeader)


def run_folders(results: Path) -> list[Path]:
    """The run folders, hidden folders and the site itself aside."""
    found = (file.parent for file in results.glob("*/*/run.json"))
    return sorted(f for f in found if not any(part.startswith(".") for part in f.relative_to(results).parts))


def code_digest() -> str:
    """A hash of everything that decides what a summary says."""
    package = Path(next(iter(statistics.__path__)))
    files = [*sorted(package.glob("*.py")), package.parent / "store.py", package.parent / "model.py"]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _digest(folder: Path, cache: Path, code: str) -> str:
    """The digest of a run, whose summary is remembered from now on."""
    digest = hashlib.sha256(code.encode())
    for chunk in _chunks(folder):
        digest.update(chunk)
    kept = _kept(cache, digest.hexdigest())
    if _remembered(kept) is None:
        write(kept, msgspec.json.encode(summarise(store.read(folder))))
    return digest.hexdigest()


def _entry(folder: Path, digest: str, cache: Path) -> Entry:
    summary = msgspec.json.decode(_kept(cache, digest).read_bytes(), type=RunSummary)
    return Entry(box=folder.parent.name, name=folder.name, folder=folder, summary=summary, digest=digest)


def _kept(cache: Path, digest: str) -> Path:
    return cache / f"{digest[:40]}.summary.json"


def _chunks(folder: Path) -> Iterator[bytes]:
    for name in _RAW:
        path = folder / name
        if path.is_file():  # store.read says what is wrong where it isn't
            yield path.read_bytes()


def _remembered(path: Path) -> RunSummary | None:
    """None where it isn't there or was cut off: it is only a memory."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=RunSummary)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
