"""An attempt at a job: a folder that is sealed on its box, sent as one stream, and checked where it
arrives.

    attempt.json      what was asked, where it ran, how it ended
    job.log           what the runner said
    run/NAME/         the run, as in results/ (none where it failed)
    MANIFEST.sha256   a digest of each of them, as sha256sum writes it

Nothing crosses from a box to the collector but this.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, Literal

import msgspec

from corobench.errors import RunFailed, UserError
from corobench.fleet.campaign import Job, unlike
from corobench.results import log
from corobench.results.log import RunHeader
from corobench.suite.workload import Value

FACTS, LOG, MANIFEST, RUN = "attempt.json", "job.log", "MANIFEST.sha256", "run"
_MOST_FILES, _MOST_BYTES = 100, 1 << 30
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
_ID = re.compile(r"[0-9a-f]{32}")


class Attempt(Value, frozen=True, kw_only=True):
    """`attempt.json`. `box`: all facts of the box; `restarts`: how often the queue had begun it
    before. `sealed`: when it ended (ISO 8601, UTC).
    """

    id: str
    job: Job
    box: dict[str, Any]
    started: str
    sealed: str
    outcome: Literal["measured", "failed"]
    reason: str = ""
    restarts: int = 0

    @property
    def place(self) -> str:
        """Its folder at the collector."""
        return f"{self.job.key}/{self.id}"


def new_id() -> str:
    """Made on the box: a queue's job number comes again."""
    return secrets.token_hex(16)


def seal(folder: Path, attempt: Attempt) -> None:
    """Writes what it is and the digests of all that is in the folder; on the disk when it
    returns.
    """
    log.write_atomically(
        folder / FACTS, msgspec.json.format(msgspec.json.encode(attempt), indent=2)
    )
    lines = [f"{_digest(file)}  {file.relative_to(folder).as_posix()}\n" for file in _files(folder)]
    log.write_atomically(folder / MANIFEST, "".join(lines).encode())


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if not file.is_dir() and file.name != MANIFEST)


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def send(folder: Path, stream: IO[bytes]) -> None:
    """Writes a sealed folder as the tar that `receive` reads."""
    with tarfile.open(fileobj=stream, mode="w|") as archive:
        for file in [*_files(folder), folder / MANIFEST]:
            archive.add(file, file.relative_to(folder).as_posix(), recursive=False)


def receive(stream: IO[bytes], inbox: Path) -> str:
    """Stores what a box sends and says so: `STORED place`, `DUPLICATE place` or `REJECT reason`.

    At least once is enough: what is there already is answered for, and nothing there is changed.
    """
    coming = inbox / ".coming" / new_id()
    coming.mkdir(parents=True)
    try:
        _unpack(stream, coming)
        if wrong := problems(coming):
            return f"REJECT {wrong[0]}"
        place = read(coming).place
        home = inbox / place
        home.parent.mkdir(exist_ok=True)
        if (home / MANIFEST).is_file():
            same = (home / MANIFEST).read_bytes() == (coming / MANIFEST).read_bytes()
            return f"DUPLICATE {place}" if same else f"REJECT {place} is there with other content"
        coming.rename(home)
        _sync(home.parent)
        return f"STORED {place}"
    except (UserError, tarfile.TarError, OSError) as error:
        return f"REJECT {error}"
    finally:
        shutil.rmtree(coming, ignore_errors=True)


def _unpack(stream: IO[bytes], folder: Path) -> None:
    """Regular files with plain names, and no more of them than an attempt has. UserError for
    anything else.
    """
    files, left = 0, _MOST_BYTES
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            parts = PurePosixPath(member.name).parts
            plain = all(_PART.fullmatch(part) for part in parts)
            if not (member.isreg() and plain and len(parts) <= 5):
                raise UserError(f"{member.name!r} is no file of an attempt")
            files, left = files + 1, left - member.size
            if files > _MOST_FILES or left < 0:
                raise UserError(f"more than {_MOST_FILES} files or {_MOST_BYTES >> 30} GiB")
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            content = archive.extractfile(member)
            assert content is not None
            with target.open("xb") as file:
                shutil.copyfileobj(content, file)
                os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(folder: Path) -> Attempt:
    """UserError where attempt.json is missing or is none."""
    file = folder / FACTS
    try:
        return msgspec.json.decode(file.read_bytes(), type=Attempt)
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        raise UserError(f"{file.name} can't be read: {error}") from error


def problems(folder: Path) -> list[str]:
    """What is wrong with a sealed folder, digests and run; empty for one that counts."""
    try:
        return list(_problems(folder))
    except UserError as error:
        return [str(error)]


def _problems(folder: Path) -> Iterator[str]:
    yield from _altered(folder)
    attempt = read(folder)
    if not _ID.fullmatch(attempt.id):
        yield f"{FACTS}: {attempt.id!r} is no id of an attempt"
    # its run will lie in a folder of this name
    if not _PART.fullmatch(name := str(attempt.box.get("name", ""))):
        yield f"{FACTS}: box.name: {name!r} is no name of a box"
    for name in ("started", "sealed"):
        with suppress(ValueError):
            if datetime.fromisoformat(getattr(attempt, name)).tzinfo is not None:
                continue
        yield f"{FACTS}: {name} is no time with a zone"
    if attempt.outcome == "measured":
        yield from (f"the box: {fact}" for fact in unlike(attempt.job.facts, attempt.box))
        yield from _run_problems(folder, attempt)


def _altered(folder: Path) -> Iterator[str]:
    try:
        lines = (folder / MANIFEST).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{MANIFEST} can't be read: {error}") from error
    listed = {}
    for line in lines:
        if not (match := _LINE.fullmatch(line)):
            raise UserError(f"{MANIFEST}: {line!r} is no line of sha256sum")
        listed[match[2]] = match[1]
    there = {file.relative_to(folder).as_posix(): file for file in _files(folder)}
    for name in sorted(there.keys() | listed.keys()):
        if name not in listed:
            yield f"{name} is not in {MANIFEST}"
        elif name not in there:
            yield f"{name} is missing"
        elif there[name].is_symlink() or _digest(there[name]) != listed[name]:
            yield f"{name} is not what was sealed"


def run_folder(folder: Path) -> Path:
    """The run in an attempt. UserError where there is not just one."""
    found = list((folder / RUN).glob("*/run.json"))
    if len(found) != 1:
        raise UserError(f"{RUN}/ holds {len(found)} runs, and an attempt has one")
    return found[0].parent


def _run_problems(folder: Path, attempt: Attempt) -> Iterator[str]:
    """Whether it is the run that was asked for, whole, of the box that says so."""
    found = run_folder(folder)
    header: RunHeader = log.read_header(found)
    job = attempt.job
    asked = {
        "commit": (header.commit, job.commit),
        "selection": (header.selection, job.selection),
        "plan.seed": (header.plan.seed, job.seed),
        "box.class": (header.box.get("class"), job.box_class),
        "box.name": (header.box.get("name"), attempt.box.get("name")),
    }
    for key, (is_there, was_asked) in asked.items():
        if is_there != was_asked:
            yield f"run.json: {key} is {is_there!r}, and the job asked for {was_asked!r}"
    if not finished(found):
        yield "the run did not come to its end"


def finished(run: Path) -> bool:
    """Whether a run came to its end. UserError for a log that can't be read."""
    try:
        return any(mark.event == "finished" for mark in log.read(run).marks)
    except RunFailed as error:
        raise UserError(str(error)) from error
