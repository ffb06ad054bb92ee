"""The runs of a site: entries, cached summaries, newest numbers, files.

A summary is kept under the hash of the run's raw files and of the code that makes summaries, so
that it can't be stale; beside it lies its card, the little that pages over many runs need. A
summary is only read when a page needs it. What is kept carries a seal of the folder that it was
made in: nothing that came with a clone, or that somebody edited, is believed.

A run of a few workloads answers a question of its own, and does not hide what another one measured.
Runs are chosen by their cards, so that of a thousand runs of one profile one summary is read.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache as once
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import msgspec

from corobench.errors import RunFailed, UserError, plain
from corobench.report import text
from corobench.report.text import box_fact
from corobench.results import log
from corobench.statistics.summary import summarise_given
from corobench.statistics.types import Cell, RunSummary

Piece = TypeVar("Piece")
Made = TypeVar("Made")

WORTH_IT = 4  # a process takes as long to start as a run's pages take to be made
_LOADED = 48  # summaries that are held at a time
_PACKAGE = Path(__file__).resolve().parents[1]
# which statistics can't import: no summary depends on them
_PAGES_ONLY = ("cli", "execute", "fleet", "report", "toolchains")


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A download: its address relative to the page's folder."""

    title: str
    href: str


def place(folder: Path) -> str:
    """The folder of a run's pages in the site, relative to the root."""
    return f"runs/{text.slug(folder.parent.name)}/{text.slug(folder.name)}/"


def run_folders(results: Path) -> list[Path]:
    """The run folders, hidden folders and the site itself aside."""
    found = (file.parent for file in results.glob("*/*/run.json"))
    return sorted(
        f for f in found if not any(part.startswith(".") for part in f.relative_to(results).parts)
    )


def each(function: Callable[[Piece], Made], pieces: Iterable[Piece]) -> list[Made]:
    """What `function` makes of each piece, in their order. An error in one is raised here; function
    and pieces are pickled.
    """
    waiting = list(pieces)
    workers = min(len(waiting), len(os.sched_getaffinity(0)))
    if len(waiting) < WORTH_IT or workers < 2:
        return [function(piece) for piece in waiting]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return list(pool.map(function, waiting))


def digest_of(files: Iterable[Path]) -> str:
    """A hash of the contents of files, in their order."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


@once
def code_digest() -> str:
    """A hash of all code that may decide what a summary says."""
    files = sorted(
        file
        for file in _PACKAGE.rglob("*.py")
        if file.relative_to(_PACKAGE).parts[0] not in _PAGES_ONLY
    )
    return digest_of(files)


def make_folder(path: Path) -> Path:
    """Makes a folder where it is missing. RunFailed where it can't be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFailed(f"{path}: cannot be made: {error.strerror}") from error
    return path


def write(path: Path, data: bytes) -> Path:
    """Writes a file whole or not at all, its folder made where it is missing. RunFailed where it
    can't be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            temporary.write_bytes(data)
        except (FileNotFoundError, NotADirectoryError):
            make_folder(path.parent)
            temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise RunFailed(f"{path}: cannot be written: {error.strerror}") from error
    return path


CACHE = ".report-cache"  # below the results
_KEY = ".key"
_KEY_BYTES = 32


def seal_of(folder: Path) -> bytes:
    """The secret by which what is kept in a folder is known. RunFailed where none can be made.

    It is made of a file's content, its number on the disk and the time of its last change: a
    commit, an archive or a copy may bring the first, and none the others.
    """
    file = make_folder(folder) / _KEY
    try:
        try:
            made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass
        else:
            with os.fdopen(made, "wb") as new:
                new.write(secrets.token_bytes(_KEY_BYTES))
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW), "rb") as key:
            facts = os.fstat(key.fileno())
            said = f"{facts.st_ino} {facts.st_ctime_ns}".encode()
            return hashlib.sha256(key.read(_KEY_BYTES) + said).digest()
    except OSError as error:
        raise RunFailed(f"{file}: cannot be made: {error.strerror}; remove it") from error


def sealed(seal: bytes, name: str, data: bytes) -> bytes:
    """Data as it is kept under a name."""
    return hmac.digest(seal, f"{name}\0".encode() + data, "sha256").hex().encode() + b"\n" + data


def read_sealed(seal: bytes, file: Path) -> bytes | None:
    """What was kept in a file under this seal; None for anything else, and where there is none."""
    try:
        log.check_plain(file)
        found, _, data = file.read_bytes().partition(b"\n")
    except (OSError, UserError):
        return None
    return (
        data if hmac.compare_digest(found + b"\n" + data, sealed(seal, file.name, data)) else None
    )


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A run on an index. `measured`: workload -> runtimes with a number; `tracks`: those that have
    one.
    """

    created: str
    profile: str
    claims: bool
    blocks: int
    commit: str
    noise_floor: float | None
    cpu: str
    warnings: list[str]
    runtimes: list[str]
    workloads: list[str]
    tracks: list[str]
    measured: dict[str, list[str]]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A run in the site. `digest` is of its raw files and of the statistics' code; `kept` is where
    its summary lies, under `seal`.
    """

    box: str
    name: str
    folder: Path
    card: Card
    digest: str
    kept: Path
    seal: bytes

    @property
    def place(self) -> str:
        """Its folder in the site, relative to the root."""
        return place(self.folder)

    @property
    def key(self) -> str:
        return f"{self.box}/{self.name}"

    @property
    def summary(self) -> RunSummary:
        """All of its numbers."""
        return _summary(self.folder, self.kept, self.seal)


def collect(results: Path, cache: Path, only: list[Path] | None = None) -> list[Entry]:
    """All runs, or only some of them, the newest first. UserError for one that can't be read: none
    is left out silently.
    """
    folders = run_folders(results) if only is None else only
    entries = each(partial(_entry, cache=cache, seal=seal_of(cache)), folders)
    return sorted(entries, key=lambda e: (e.card.created, e.key), reverse=True)


def _entry(folder: Path, cache: Path, seal: bytes) -> Entry:
    """A run, summarised where its summary isn't kept yet."""
    digest = _digest(folder)
    card_file, kept = cache / f"{digest}.card.json", cache / f"{digest}.summary.json"
    told = read_sealed(seal, card_file) if kept.exists() else None
    if told is None:
        card = _card(_summarised(folder, kept, seal))
        write(card_file, sealed(seal, card_file.name, msgspec.json.encode(card)))
    else:
        card = msgspec.json.decode(told, type=Card)
    return Entry(
        box=plain(folder.parent.name),
        name=plain(folder.name),
        folder=folder,
        card=card,
        digest=digest,
        kept=kept,
        seal=seal,
    )


def _summarised(folder: Path, kept: Path, seal: bytes) -> RunSummary:
    summary = summarise_given(log.read(folder))
    write(kept, sealed(seal, kept.name, msgspec.json.encode(summary)))
    return summary


def _digest(folder: Path) -> str:
    raw = hashlib.sha256(code_digest().encode())
    for file in (folder / "run.json", *(folder / name for name in log.LOGS)):
        if file.is_file():  # log.read says what is wrong where it isn't
            raw.update(file.read_bytes())
    return raw.hexdigest()[:40]


def _card(summary: RunSummary) -> Card:
    measured: dict[str, dict[str, None]] = {}
    for cell in summary.cells:
        if cell.median is not None:
            measured.setdefault(cell.workload, {})[cell.runtime] = None
    return Card(
        created=summary.created,
        profile=summary.profile,
        claims=summary.claims,
        blocks=summary.blocks,
        commit=summary.commit,
        noise_floor=summary.noise_floor,
        cpu=box_fact(summary.box, "cpu.model", "cpu_model"),
        warnings=summary.warnings,
        runtimes=[runtime.name for runtime in summary.runtimes],
        workloads=[workload.name for workload in summary.workloads],
        tracks=sorted({cell.track for cell in summary.cells if cell.median}),
        measured={workload: list(names) for workload, names in measured.items()},
    )


@lru_cache(maxsize=_LOADED)
def _summary(folder: Path, kept: Path, seal: bytes) -> RunSummary:
    told = read_sealed(seal, kept)
    if told is None:
        return _summarised(folder, kept, seal)
    return msgspec.json.decode(told, type=RunSummary)


def recent(entries: list[Entry], most: int) -> list[Entry]:
    """The newest runs of each box, in their order."""
    seen: Counter[str] = Counter()
    found = []
    for entry in entries:
        seen[entry.box] += 1
        if seen[entry.box] <= most:
            found.append(entry)
    return found


def header(entry: Entry) -> log.RunHeader:
    """What the run knew before it began, without its log."""
    return _header(entry.folder, entry.digest)


@lru_cache(maxsize=_LOADED)
def _header(folder: Path, _digest: str) -> log.RunHeader:
    return log.read_header(folder)


RAW_FILES = [
    File(title="Run (JSON)", href="run.json"),
    File(title="Raw log (JSON lines, Zstandard)", href=log.PACKED),
]


def ship_raw(entry: Entry, out: Path) -> None:
    """Header and packed log."""
    folder = out / entry.place
    write(folder / "run.json", (entry.folder / "run.json").read_bytes())
    write(folder / log.PACKED, log.packed(entry.folder))


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A number, or the reason why there is none, and the run that says so."""

    cell: Cell
    entry: Entry


def newest(entries: Iterable[Entry]) -> list[Told]:
    """One for each case of each box, of entries that are the newest first; in the order of the runs
    and of their cells.

    Runs that make claims go before those that make none, and what was measured (or failed) before
    what was not run.
    """
    found: dict[tuple[str, str], Told] = {}
    for entry in telling(claiming_first(entries)):
        for cell in entry.summary.cells:
            key = (entry.box, cell.key)
            if key not in found or (found[key].cell.gap and not cell.gap):
                found[key] = Told(cell=cell, entry=entry)
    return list(found.values())


def claiming_first(entries: Iterable[Entry]) -> list[Entry]:
    """In their order otherwise."""
    return sorted(entries, key=lambda entry: not entry.card.claims)


def telling(entries: Iterable[Entry]) -> list[Entry]:
    """Those that may hold the first number of a case: a profile measures the same points of a
    workload in each of its runs.
    """
    seen: set[tuple[object, ...]] = set()
    found = []
    for entry in entries:
        new = {(entry.box, *kind) for kind in _kinds(entry.card)} - seen
        if new:
            seen |= new
            found.append(entry)
    return found


def _kinds(card: Card) -> Iterable[tuple[object, ...]]:
    return (
        (card.profile, *card.tracks, workload, name)
        for workload in card.workloads
        for name in card.runtimes
    )
