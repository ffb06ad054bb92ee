"""Brings a campaign home: what is there is done, what is under way is waited for, the rest is
submitted.

Each pass looks at everything anew, the collector first, so it can be ended at any moment and begun
again. The memory of a campaign is a file of events that is only added to.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from corobench.errors import RunFailed, UserError
from corobench.fleet import attempt
from corobench.fleet.attempt import Attempt
from corobench.fleet.campaign import CAMPAIGNS, Campaign, Collected, Job, Record, jobs
from corobench.fleet.engines import Engine, Live
from corobench.locks import locked
from corobench.results import log
from corobench.suite.workload import Value

_MOST_SUBMISSIONS = 4

Word = Literal["done", "failed", "running", "queued", "held", "awaited", "exhausted", "open"]


class State(Value, frozen=True, kw_only=True):
    """Where a job stands. `attempts`: those that count, the chosen one first; `refused`: those that
    don't, with the reason.

    awaited: it has left the queue and its result may be on the way; exhausted: submitted as often
    as is allowed; open: to be submitted.
    """

    key: str
    job: Job
    word: Word
    box: str = ""
    reason: str = ""
    submissions: int = 0
    attempts: list[Attempt] = []
    refused: dict[str, str] = {}

    @property
    def ended(self) -> bool:
        return self.word in ("done", "failed", "exhausted")


class _Event(Value, frozen=True, kw_only=True):
    """What happened to a job: submitted; gone from the queue; cancelled, or asked for again, after
    which it counts from the beginning.

    `id`: the queue's number of what was submitted, or the failed attempt that does not count any
    more. It is named because times won't do: the clock of its box is another one.
    """

    key: str
    event: Literal["submitted", "gone", "cancelled", "again"]
    at: str
    id: str = ""


class _Seen(Value, frozen=True, kw_only=True):
    """An attempt that was checked, as long as its files are the same ones."""

    files: str
    problems: list[str]
    attempt: Attempt | None


class Fleet:
    """A campaign, its collector and its queue."""

    def __init__(self, campaign: Campaign, engine: Engine, say: Callable[[str], None]) -> None:
        self.campaign = campaign
        self.jobs = jobs(campaign)
        self._engine = engine
        self._say = say
        self._inbox = campaign.inbox_folder
        self._home = self._inbox / ".campaigns" / campaign.name
        self._journal = self._home / "events.jsonl"

    def states(self) -> list[State]:
        """Of every job, in their order. RunFailed where some are not there and the queue can't be
        asked.
        """
        held, events = self._held(), self._events()
        ended = {
            key: state
            for key, job in self.jobs.items()
            if (state := _ended(key, job, held.get(key, {}), events.get(key, [])))
        }
        if len(ended) == len(self.jobs):
            return list(ended.values())
        live = self._engine.live()
        return [
            ended.get(key) or self._open(key, job, held.get(key, {}), live, events.get(key, []))
            for key, job in self.jobs.items()
        ]

    def submit(self, *, again: bool = False) -> list[State]:
        """Submits what is open, and says how everything stands then. `again`: also what has failed
        or was submitted too often.
        """
        with self._alone():
            found = self.states()
            if again:
                for state in found:
                    for one in state.attempts if state.word == "failed" else []:
                        self._note(state.key, "again", one.id)
                    if state.word == "exhausted":
                        self._note(state.key, "again")
                found = self.states()
            return [self._submitted(state) if state.word == "open" else state for state in found]

    def cancel(self) -> list[str]:
        """Ends what is queued or running; the keys of it."""
        with self._alone():
            keys = [key for key in self._engine.live() if key in self.jobs]
            self._engine.cancel(keys)
            for key in keys:
                self._note(key, "cancelled")
            return keys

    def _submitted(self, state: State) -> State:
        number = self._engine.submit(state.job)
        self._note(state.key, "submitted", number)
        self._say(f"submitted {state.job.title} as {number}")
        return msgspec.structs.replace(
            state, word="queued", submissions=state.submissions + 1, reason=""
        )

    def _open(
        self,
        key: str,
        job: Job,
        found: Mapping[str, _Seen],
        live: Mapping[str, Live],
        events: list[_Event],
    ) -> State:
        count = _count(events)
        state = State(key=key, job=job, word="open", submissions=count, refused=_refused(found))
        if key in live:
            now = live[key]
            if not events:  # a client was killed between submitting it and writing so
                self._note(key, "submitted", now.id)
            return msgspec.structs.replace(state, word=now.state, box=now.box, reason=now.reason)
        answers = found.keys() - _set_aside(events)
        if events and events[-1].event in ("submitted", "gone") and len(answers) < count:
            if events[-1].event == "submitted":
                self._note(key, "gone")
                waited = 0.0
            else:
                waited = _seconds_since(events[-1].at)
            if 0 <= waited < self.campaign.patience_s:  # a clock may have been set back
                left = f"left the queue {waited:.0f} s ago; its result may be on the way"
                return msgspec.structs.replace(state, word="awaited", reason=left)
        if count >= _MOST_SUBMISSIONS:
            reason = f"submitted {count} times, and no result came home"
            return msgspec.structs.replace(state, word="exhausted", reason=reason)
        return state

    def _events(self) -> dict[str, list[_Event]]:
        """By key. Where one was torn the queue knows better."""
        found: dict[str, list[_Event]] = {}
        file = self._journal
        for line in file.read_bytes().splitlines() if file.is_file() else []:
            with suppress(msgspec.DecodeError):
                event = msgspec.json.decode(line, type=_Event)
                found.setdefault(event.key, []).append(event)
        return found

    def _note(
        self, key: str, event: Literal["submitted", "gone", "cancelled", "again"], number: str = ""
    ) -> None:
        """After a line that a crash tore it begins a new one, so that nothing else is lost with
        it.
        """
        line = msgspec.json.encode(_Event(key=key, event=event, at=attempt.now(), id=number))
        self._journal.parent.mkdir(parents=True, exist_ok=True)
        with self._journal.open("ab+") as journal:
            torn = False
            if journal.seek(0, os.SEEK_END):
                journal.seek(-1, os.SEEK_END)
                torn = journal.read(1) != b"\n"
            journal.write(b"\n" * torn + line + b"\n")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One client at a time of a campaign."""
        with locked(self._home / "lock", lambda who: self._say(f"waiting for {who}")):
            yield

    def _held(self) -> dict[str, dict[str, _Seen]]:
        """The attempts of the campaign's jobs by key and id, each checked once as long as its files
        stay as they are.
        """
        file = self._home / "checked.json"
        known: dict[str, _Seen] = {}
        with suppress(OSError, msgspec.DecodeError):
            known = msgspec.json.decode(file.read_bytes(), type=dict[str, _Seen])
        now: dict[str, _Seen] = {}
        found: dict[str, dict[str, _Seen]] = {}
        for key in self.jobs:
            for folder in self._attempts(key):
                place = f"{key}/{folder.name}"
                signature = _signature(folder)
                seen = known.get(place)
                if seen is None or seen.files != signature:
                    seen = _check(folder, key, signature)
                now[place] = found.setdefault(key, {})[folder.name] = seen
        if now != known:
            self._home.mkdir(parents=True, exist_ok=True)
            log.write_atomically(file, msgspec.json.encode(now))
        return found

    def _attempts(self, key: str) -> list[Path]:
        home = self._inbox / key
        return sorted(home.iterdir()) if home.is_dir() else []

    def collect(self, results: Path) -> list[Collected]:
        """Copies the chosen run of each job to the results, and writes which job has which run.

        Chosen is the attempt that was sealed first, by rule and never by value; the others count as
        repetitions that nobody asked for, and stay in the inbox.
        """
        file = results / CAMPAIGNS / f"{self.campaign.name}.json"
        with self._alone():
            found = [self._collected(state, results) for state in self.states()]
            record = Record(title=self.campaign.title, commit=self.campaign.commit, jobs=found)
            file.parent.mkdir(parents=True, exist_ok=True)
            log.write_atomically(file, msgspec.json.format(msgspec.json.encode(record), indent=2))
            return found

    def _collected(self, state: State, results: Path) -> Collected:
        made = Collected(
            key=state.key,
            box_class=state.job.box_class,
            selection=state.job.selection,
            repetition=state.job.repetition,
            word=state.word,
            reason=state.reason,
            refused=sorted(state.refused.values()),
        )
        if state.word != "done":
            return made
        first = state.attempts[0]
        source = attempt.run_folder(self._inbox / first.place)
        target = results / str(first.box["name"]) / source.name
        _copy(source, target)
        more = [one.place for one in state.attempts[1:] if one.outcome == "measured"]
        return msgspec.structs.replace(made, run=f"{target.parent.name}/{target.name}", others=more)


def _ended(key: str, job: Job, found: Mapping[str, _Seen], events: list[_Event]) -> State | None:
    """Done, or failed for good; None for what still has to come."""
    good = [seen.attempt for seen in found.values() if seen.attempt and not seen.problems]
    aside = _set_aside(events)
    counted = [one for one in good if one.outcome == "measured" or one.id not in aside]
    if not counted:
        return None
    order = sorted(counted, key=lambda one: (one.outcome == "failed", _instant(one.sealed), one.id))
    first = order[0]
    return State(
        key=key,
        job=job,
        word="done" if first.outcome == "measured" else "failed",
        box=str(first.box.get("name", "")),
        reason=first.reason,
        submissions=_count(events),
        attempts=order,
        refused=_refused(found),
    )


def _set_aside(events: list[_Event]) -> set[str]:
    """The failed attempts that were there when the job was asked for again."""
    return {event.id for event in events if event.event == "again"}


def _instant(at: str) -> datetime:
    """As texts two times of different zones have no order."""
    return datetime.fromisoformat(at)


def _count(events: list[_Event]) -> int:
    """Submissions since it was last cancelled or asked for again."""
    count = 0
    for event in events:
        if event.event in ("cancelled", "again"):
            count = 0
        count += event.event == "submitted"
    return count


def _copy(source: Path, target: Path) -> None:
    """The run's own files, whole or not at all. RunFailed where another run has its place."""
    if target.is_dir():
        if (target / "run.json").read_bytes() != (source / "run.json").read_bytes():
            raise RunFailed(f"{target}: another run is there already")
        return
    coming = target.with_name(f".{target.name}")
    shutil.rmtree(coming, ignore_errors=True)
    shutil.copytree(source, coming)
    coming.rename(target)


def _check(folder: Path, key: str, signature: str) -> _Seen:
    wrong = attempt.problems(folder)
    try:
        made = attempt.read(folder)
    except UserError:
        made = None
    if made is not None and made.place != f"{key}/{folder.name}":
        wrong = [*wrong, f"it is the attempt {made.place}"]
    return _Seen(files=signature, problems=wrong, attempt=made)


def _signature(folder: Path) -> str:
    """Changes with each file that is written, replaced, added or removed."""
    told = []
    for file in sorted(folder.rglob("*")):
        stat = file.lstat()
        told.append(f"{file.relative_to(folder)} {stat.st_ino} {stat.st_size} {stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def _refused(found: Mapping[str, _Seen]) -> dict[str, str]:
    return {name: seen.problems[0] for name, seen in found.items() if seen.problems}


def _seconds_since(at: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds()
