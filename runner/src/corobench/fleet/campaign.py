"""What a campaign asks for: classes of boxes x selections x repetitions, as jobs.

A job is one whole run on one box: every runtime that is compared, interleaved there. Its key is a
hash of what was asked, so that asking again finds what is there.
"""

from __future__ import annotations

import fnmatch
import hashlib
import math
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from corobench.errors import UserError, unknown
from corobench.machine.doctor import CHECKS
from corobench.machine.facts import leaves
from corobench.plan import PROFILE, Selection
from corobench.suite.load import decode_file
from corobench.suite.workload import Value

_COMMIT = re.compile(r"[0-9a-f]{40}")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_BUILD_S = 3600.0  # before a run: its toolchains and programs, on a box that has none of them
_MOST_JOBS = 10_000
SPEED = "speed"  # as a class may tolerate it, beside the names of `doctor`

Fact = str | int | float | bool


class BoxClass(Value, frozen=True, kw_only=True):
    """A kind of box. `facts`: what a box of it must have, by the names of `corobench doctor`; a
    text is a pattern (`*`, `?`).

    `tolerates`: what `doctor` may warn of there. `checkout`, `outbox`: folders on the box. `hosts`,
    `cpus`, `memory_mb`: for the queue's configuration alone.
    """

    checkout: str
    outbox: str = "/var/lib/corobench/outbox"
    facts: dict[str, Fact] = {}
    tolerates: list[str] = []
    hosts: str = ""
    cpus: int = 0
    memory_mb: int = 0


class Measure(Selection, frozen=True, kw_only=True):
    """What is measured on each box class, or on those of `boxes`: a selection, as of `run`."""

    budget_s: float | None = None
    repetitions: int = 1
    boxes: list[str] | None = None

    @property
    def selection(self) -> Selection:
        return Selection(**{name: getattr(self, name) for name in Selection.__struct_fields__})


def told(chosen: Selection) -> str:
    """A selection in words: the profile, and what of it is not all that the profile measures."""
    narrowed = [chosen.runtimes, chosen.workloads, chosen.tracks]
    parts = [chosen.profile, *(",".join(names) for names in narrowed if names)]
    return " ".join([*parts, chosen.points] if chosen.points else parts)


class Campaign(Value, frozen=True, kw_only=True):
    """A campaign file. `engine` names the queue and holds its settings; `inbox`: where results come
    home, relative to the file.

    `deliver`: the command that a box pipes a sealed attempt into; without it the box and the inbox
    are on one machine. `patience_s`: how long a result may be on its way after its job has left the
    queue.
    """

    title: str
    commit: str
    engine: dict[str, Any]
    boxes: dict[str, BoxClass]
    measure: list[Measure]
    inbox: str = "inbox"
    deliver: str = ""
    patience_s: float = 900.0
    name: str = ""
    file: str = ""

    @property
    def inbox_folder(self) -> Path:
        return (Path(self.file).parent / self.inbox).resolve()


class Job(Value, frozen=True, kw_only=True):
    """One run that a campaign asks for, and what its box must be like."""

    commit: str
    box_class: str
    facts: dict[str, Fact]
    tolerates: list[str]
    selection: Selection
    budget_s: float
    repetition: int

    @property
    def key(self) -> str:
        """16 hex digits, the same for whoever asks the same."""
        text = msgspec.json.encode(self, order="sorted")
        return hashlib.sha256(text).hexdigest()[:16]

    @property
    def seed(self) -> int:
        """Of the run's order: repetitions are measured in different ones."""
        return int(self.key[:8], 16)

    @property
    def limit_s(self) -> float:
        """After which the queue ends it."""
        return self.budget_s * 1.5 + _BUILD_S

    @property
    def title(self) -> str:
        return f"{told(self.selection)} on {self.box_class} #{self.repetition}"


def load_campaign(file: Path) -> Campaign:
    """UserError with file and key for what is wrong in it."""
    found = msgspec.structs.replace(
        decode_file(file, Campaign), name=file.stem, file=str(file.resolve())
    )
    for wrong in _wrong(found):
        raise UserError(f"{file}: {wrong}")
    return found


def _wrong(found: Campaign) -> Iterator[str]:
    if not _NAME.fullmatch(found.name):
        yield "a campaign is called by its file: small letters, digits and hyphens, at most 32"
    if not _COMMIT.fullmatch(found.commit):
        yield (
            f"commit: {found.commit!r} is not a whole commit (40 hex digits); "
            "`git rev-parse HEAD` says this checkout's"
        )
    if not isinstance(found.engine.get("name"), str):
        yield 'engine.name is missing: "local" for this box, "slurm" for a cluster'
    if not found.boxes:
        yield "boxes: no box class; write one as [boxes.NAME]"
    if not found.measure:
        yield "measure: nothing is asked for; write one as [[measure]]"
    if not (math.isfinite(found.patience_s) and found.patience_s >= 0):
        yield f"patience_s: {found.patience_s} is no time"
    yield from _wrong_command(found.deliver)
    for name, box in found.boxes.items():
        if not _NAME.fullmatch(name):
            yield f"boxes.{name}: small letters, digits and hyphens only"
        yield from (f"boxes.{name}.{wrong}" for wrong in _wrong_of(box))
    for place, measure in enumerate(found.measure, 1):
        yield from (f"measure {place}.{wrong}" for wrong in _wrong_in(measure, found.boxes))
    if sum(one.repetitions * len(found.boxes) for one in found.measure) > _MOST_JOBS:
        yield f"more than {_MOST_JOBS:,} runs; split it"


def _wrong_command(deliver: str) -> Iterator[str]:
    try:
        shlex.split(deliver)
    except ValueError as error:
        yield f"deliver: {deliver!r} is no command: {error}"


def _wrong_of(box: BoxClass) -> Iterator[str]:
    for key in ("checkout", "outbox"):
        if not Path(getattr(box, key)).is_absolute():
            yield f"{key}: {getattr(box, key)!r} is no whole path"
    for name in box.tolerates:
        if name not in CHECKS and name != SPEED:
            yield f"tolerates: {unknown('check', name, [*CHECKS, SPEED])}"


def _wrong_in(measure: Measure, boxes: Mapping[str, BoxClass]) -> Iterator[str]:
    if measure.profile not in PROFILE:
        yield f"profile: {unknown('profile', measure.profile, PROFILE)}"
    if measure.repetitions < 1:
        yield f"repetitions: {measure.repetitions} is no number of runs"
    if measure.budget_s is not None and not 0 < measure.budget_s < math.inf:
        yield f"budget_s: {measure.budget_s} is no time that passes"
    for name in measure.boxes or []:
        if name not in boxes:
            yield f"boxes: {unknown('box class', name, boxes)}"


def jobs(campaign: Campaign) -> dict[str, Job]:
    """All of a campaign by key: repetition after repetition, so that a campaign that ends early has
    each run rather than some of them often.
    """
    found = [
        _job(campaign, name, measure, repetition)
        for repetition in range(1, 1 + max(one.repetitions for one in campaign.measure))
        for measure in campaign.measure
        if repetition <= measure.repetitions
        for name in measure.boxes or campaign.boxes
    ]
    return {job.key: job for job in found}


def _job(campaign: Campaign, name: str, measure: Measure, repetition: int) -> Job:
    box = campaign.boxes[name]
    return Job(
        commit=campaign.commit,
        box_class=name,
        facts=box.facts,
        tolerates=sorted(box.tolerates),
        selection=measure.selection,
        # one kind of number, since the key is a hash of what is written
        budget_s=float(measure.budget_s or PROFILE[measure.profile].budget_s),
        repetition=repetition,
    )


def unlike(wanted: Mapping[str, Fact], box: Mapping[str, Any]) -> list[str]:
    """Which facts a box has otherwise than its class says."""
    known = dict(leaves(box))
    return [
        f"{name} is {known.get(name)!r}, and its class has {fact!r}"
        for name, fact in wanted.items()
        if not _fits(known.get(name), fact)
    ]


def _fits(found: object, wanted: Fact) -> bool:
    if isinstance(wanted, str):
        return isinstance(found, str) and fnmatch.fnmatchcase(found, wanted)
    return found == wanted


CAMPAIGNS = "campaigns"


class Collected(Value, frozen=True, kw_only=True):
    """A job in the record of a campaign: its run in the results, or why there is none. `others`:
    further attempts at it.
    """

    key: str
    box_class: str
    selection: Selection
    repetition: int
    word: str
    run: str = ""
    reason: str = ""
    others: list[str] = []
    refused: list[str] = []


class Record(Value, frozen=True, kw_only=True):
    """`results/campaigns/NAME.json`: which runs are of one campaign. It holds no number: those are
    the runs' own.
    """

    title: str
    commit: str
    jobs: list[Collected]


def records(results: Path) -> dict[str, Record]:
    """The campaigns that a folder of runs knows of, by name. UserError for one that can't be
    read.
    """
    found = {}
    for file in sorted((results / CAMPAIGNS).glob("*.json")):
        try:
            found[file.stem] = msgspec.json.decode(file.read_bytes(), type=Record)
        except (OSError, msgspec.DecodeError) as error:
            raise UserError(f"{file}: no record of a campaign: {error}") from error
    return found
