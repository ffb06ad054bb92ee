"""Every run under results/<box>/<run>/, each with a card: the little that pages over many runs need of it.

A card and its summary are found by the hash of the raw files and of the code that made them, so that they can never be
stale: in the cache, or in the site itself beside the pages of the run, where a fresh checkout has them. A summary is only
read when a page needs it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache as once
from functools import lru_cache, partial
from pathlib import Path

import msgspec

from corobench import store
from corobench.report.code import digest_of, summary_code
from corobench.report.facts import box_fact
from corobench.report.hashes import RAW, Hashes
from corobench.report.layout import STAMP, place, run_folders
from corobench.report.workers import each
from corobench.report.writing import make_folder, write
from corobench.statistics.summary import summarise
from corobench.statistics.values import RunSummary

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


def header(entry: Entry) -> store.RunHeader:
    """What the run knew before it began, without its log."""
    return _header(entry.folder, entry.digest)


@lru_cache(maxsize=_LOADED)
def _header(folder: Path, _digest: str) -> store.RunHeader:
    return store.decode_header((folder / "run.json").read_bytes())


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
        summary = summarise(store.read(folder))
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
        return summarise(store.read(folder))
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
