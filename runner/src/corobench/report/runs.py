"""The runs of a site: entries, cached summaries, newest numbers, files.

A card and its summary are found by the hash of the raw files and of the code that made them, so that they can never be
stale: in the cache, or in the site itself beside the pages of the run, where a fresh checkout has them. A summary is only
read when a page needs it.

A run of a few workloads answers a question of its own, and does not hide what another one measured. Runs are chosen by their
cards, so that of a thousand runs of one profile one summary is read.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache as once
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import msgspec

from corobench.errors import RunFailed
from corobench.report import text
from corobench.report.text import box_fact
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, RunSummary


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A download: its address relative to the page's folder."""

    title: str
    href: str


STAMP = ".made-from"


def place(folder: Path) -> str:
    """The folder of a run's pages in the site, relative to the root."""
    return f"runs/{text.slug(folder.parent.name)}/{text.slug(folder.name)}/"


def run_folders(results: Path) -> list[Path]:
    """The run folders, hidden folders and the site itself aside."""
    found = (file.parent for file in results.glob("*/*/run.json"))
    return sorted(f for f in found if not any(part.startswith(".") for part in f.relative_to(results).parts))


def without_pages(folders: Iterable[Path], site: Path) -> int:
    """How many runs have all of their charts to be drawn."""
    return sum(not (site / place(folder) / STAMP).is_file() for folder in folders)


Piece = TypeVar("Piece")
Made = TypeVar("Made")

WORTH_IT = 4  # a process takes as long to start as a run's pages take to be made


def cpus() -> int:
    """Those of this process."""
    return len(os.sched_getaffinity(0))


def each(function: Callable[[Piece], Made], pieces: Iterable[Piece]) -> list[Made]:
    """What `function` makes of each piece, in their order. An error in one is raised here; function and pieces are pickled."""
    waiting = list(pieces)
    workers = min(len(waiting), cpus())
    if len(waiting) < WORTH_IT or workers < 2:
        return [function(piece) for piece in waiting]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:  # none shares another's painter
        return list(pool.map(function, waiting))


_PACKAGE = Path(__file__).resolve().parents[1]
_FIRST = ("corobench.results.log", "corobench.statistics.summary", "corobench.statistics.compare")
_IMPORT = re.compile(r"^[ \t]*from (corobench[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def digest_of(files: Iterable[Path]) -> str:
    """A hash of the contents of files, in their order."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def summary_code(package: Path = _PACKAGE) -> list[Path]:
    """The files of the modules that make summaries and comparisons, and of all that these import; sorted."""
    found: set[Path] = set()
    wanted = list(_FIRST)
    while wanted:
        file = _file(package, wanted.pop())
        if file is not None and file not in found:
            found.add(file)
            wanted += _imported(file.read_text("utf-8"))
    return sorted(found)


def _imported(text: str) -> list[str]:
    """Modules that a file may import from, and those that may be among the names that it imports."""
    found = []
    for module, names in _IMPORT.findall(text):
        found += [module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))]
    return found


def _file(package: Path, module: str) -> Path | None:
    """None for a name that is no module."""
    place = package.joinpath(*module.split(".")[1:])
    return next((file for file in (place.parent / f"{place.name}.py", place / "__init__.py") if file.is_file()), None)


_RECORDED: ContextVar[set[Path] | None] = ContextVar("recorded", default=None)


@contextmanager
def recorded() -> Iterator[set[Path]]:
    """The files that are written inside, also those that held the same already."""
    files: set[Path] = set()
    token = _RECORDED.set(files)
    try:
        yield files
    finally:
        _RECORDED.reset(token)


def make_folder(path: Path) -> Path:
    """Makes a folder where it is missing. RunFailed where it can't be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFailed(f"{path}: cannot be made: {error.strerror}") from error
    return path


def sweep(folder: Path, kept: set[Path]) -> None:
    """Removes the other files of a folder, and folders that become empty by it: files of an older form would stay."""
    for path in sorted(folder.rglob("*"), reverse=True):  # what is in a folder before the folder
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in kept:
            path.unlink()


def write(path: Path, data: bytes) -> Path:
    """Replaces the file, its folder made where it is missing; one that holds the same already is left alone.

    Replacing a file makes ext4 flush it, which takes longer than comparing. RunFailed where it can't be written.
    """
    if (files := _RECORDED.get()) is not None:
        files.add(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
            return path
        make_folder(path.parent)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise RunFailed(f"{path}: cannot be written: {error.strerror}") from error
    return path


RAW = ("run.json", *log.LOGS)
_SETTLED_NS = 2_000_000_000  # a younger file may change again within one tick of the file system's clock


class State(msgspec.Struct, frozen=True, array_like=True):
    """What tells that a file was changed, as in git's index."""

    mtime_ns: int
    ctime_ns: int
    size: int
    inode: int


class _Known(msgspec.Struct, frozen=True, array_like=True):
    states: list[State]
    digest: str


class Hashes:
    """Run folder -> hash of its raw files; `file` is where they are remembered, and may be removed at any time."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, _Known] = {}
        self._learned = False
        try:
            self._known = msgspec.json.decode(file.read_bytes(), type=dict[str, _Known])
        except (FileNotFoundError, msgspec.DecodeError):  # it is only a memory
            self._learned = True

    def of(self, folder: Path) -> str | None:
        """None where it is not known, or the files are not what they were."""
        known = self._known.get(_name(folder))
        return known.digest if known and known.states == _states(folder) else None

    def learn(self, folder: Path, digest: str) -> None:
        """Files that changed just now are not remembered: another change would not show in their times."""
        states = _states(folder)
        if all(time.time_ns() - max(s.mtime_ns, s.ctime_ns) > _SETTLED_NS for s in states):
            self._known[_name(folder)] = _Known(states, digest)
            self._learned = True

    def keep(self) -> None:
        """For the next build."""
        if self._learned:
            write(self._file, msgspec.json.encode(self._known))


def _name(folder: Path) -> str:
    return str(folder.absolute())


def _states(folder: Path) -> list[State]:
    found = [(folder / name).stat() for name in RAW if (folder / name).is_file()]
    return [State(s.st_mtime_ns, s.st_ctime_ns, s.st_size, s.st_ino) for s in found]


_LOADED = 48  # summaries that are held at a time


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A run on an index. `measured`: workload -> runtimes with a number; `tracks`: those that have one.

    `summary`: hash of the whole summary as JSON.
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
    summary: str


class Stamp(msgspec.Struct, frozen=True, kw_only=True):
    """What lies beside the pages of a run: what they were made from, and what the next build wants to know of it."""

    made_from: str
    digest: str = ""
    card: Card | None = None
    outcome: dict[str, str] = {}


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A run in the site. `digest` is of its raw files and of the statistics' code; `kept` is where its summary lies."""

    box: str
    name: str
    folder: Path
    card: Card
    digest: str
    kept: Path

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
        return _summary(self.folder, self.kept, self.card.summary)


def collect(results: Path, cache: Path, only: list[Path] | None = None, site: Path | None = None) -> list[Entry]:
    """All runs, or only some of them, the newest first. UserError for one that can't be read: none is left out silently.

    `site`: where pages of runs may lie already, with their summaries.
    """
    make_folder(cache)
    folders = run_folders(results) if only is None else only
    known = Hashes(cache / "hashes.json")
    code = code_digest()
    found = {f: entry for f in folders if (raw := known.of(f)) and (entry := _recalled(f, _digest(code, raw), cache, site))}
    missing = [folder for folder in folders if folder not in found]
    for folder, raw in zip(missing, each(partial(_learn, cache=cache, code=code, site=site), missing), strict=True):
        known.learn(folder, raw)
        entry = _recalled(folder, _digest(code, raw), cache, site)
        assert entry is not None
        found[folder] = entry
    known.keep()
    return sorted(found.values(), key=lambda e: (e.card.created, e.key), reverse=True)


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
    return log.decode_header((folder / "run.json").read_bytes())


@once
def code_digest() -> str:
    """A hash of everything that decides what a summary says."""
    return digest_of(summary_code())


def read_stamp(folder: Path) -> Stamp | None:
    """None where there is none, or one of an older form."""
    try:
        return msgspec.json.decode((folder / STAMP).read_bytes(), type=Stamp)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _digest(code: str, raw: str) -> str:
    return hashlib.sha256(f"{code} {raw}".encode()).hexdigest()


def _learn(folder: Path, cache: Path, code: str, site: Path | None) -> str:
    """The hash of a run's raw files; its card and summary are kept from now on."""
    raw = hashlib.sha256()
    for chunk in _chunks(folder):
        raw.update(chunk)
    digest = _digest(code, raw.hexdigest())
    if _recalled(folder, digest, cache, site) is None:
        summary = summarise(log.read(folder))
        text = msgspec.json.encode(summary)
        write(_kept(cache, digest), text)
        write(_card_file(cache, digest), msgspec.json.encode(_card(summary, text)))
    return raw.hexdigest()


def _card(summary: RunSummary, text: bytes) -> Card:
    """`text`: the summary as it is kept."""
    measured: dict[str, dict[str, None]] = {}
    for cell in summary.cells:
        if cell.typical is not None:
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
        tracks=sorted({cell.track for cell in summary.cells if cell.typical}),
        measured={workload: list(names) for workload, names in measured.items()},
        summary=hashlib.sha256(text).hexdigest(),
    )


def _recalled(folder: Path, digest: str, cache: Path, site: Path | None) -> Entry | None:
    """A run whose card is known: from the cache, or from the pages that were made of the same content by the same code."""
    try:
        card, kept = msgspec.json.decode(_card_file(cache, digest).read_bytes(), type=Card), _kept(cache, digest)
    except (FileNotFoundError, msgspec.DecodeError):  # it is only a memory
        stamp = read_stamp(site / place(folder)) if site else None
        if site is None or stamp is None or stamp.card is None or stamp.digest != digest:
            return None
        card, kept = stamp.card, site / place(folder) / "summary.json"
    return Entry(box=folder.parent.name, name=folder.name, folder=folder, card=card, digest=digest, kept=kept)


@lru_cache(maxsize=_LOADED)
def _summary(folder: Path, kept: Path, known: str) -> RunSummary:
    """The summary as it was kept; made again from the raw files where it is gone or was changed."""
    try:
        text = kept.read_bytes().rstrip(b"\n")
    except FileNotFoundError:
        text = b""
    if hashlib.sha256(text).hexdigest() != known:
        return summarise(log.read(folder))
    return msgspec.json.decode(text, type=RunSummary)


def _kept(cache: Path, digest: str) -> Path:
    return cache / f"{digest[:40]}.summary.json"


def _card_file(cache: Path, digest: str) -> Path:
    return cache / f"{digest[:40]}.card.json"


def _chunks(folder: Path) -> Iterator[bytes]:
    for name in RAW:
        path = folder / name
        if path.is_file():  # store.read says what is wrong where it isn't
            yield path.read_bytes()


RAW_FILES = [File(title="Run (JSON)", href="run.json"), File(title="Raw log (JSON lines, Zstandard)", href=log.PACKED)]


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
    """One for each case of each box, of entries that are the newest first; in the order of the runs and of their cells.

    Runs that make claims go before those that make none, and what was measured (or failed) before what was not run.
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
    """Those that may hold the first number of a case: a profile measures the same points of a workload in each of its runs."""
    seen: set[tuple[object, ...]] = set()
    found = []
    for entry in entries:
        new = {(entry.box, *kind) for kind in _kinds(entry.card)} - seen
        if new:
            seen |= new
            found.append(entry)
    return found


def _kinds(card: Card) -> Iterable[tuple[object, ...]]:
    return ((card.profile, *card.tracks, workload, name) for workload in card.workloads for name in card.runtimes)
