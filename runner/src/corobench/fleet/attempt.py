"""An attempt at a job: a folder that is sealed on its box, sent as one stream, and checked where it
arrives.

    attempt.json      what was asked, where it ran, how it ended
    job.log           what the runner said
    run/NAME/         the run, as in results/ (none where it failed)
    MANIFEST.sha256   a digest of each of them, as sha256sum writes it

Nothing crosses from a box to the collector but this, as a tar of plain files (POSIX ustar).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import shutil
import stat
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
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
_CHUNK = 1 << 20
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,200}")
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


def now() -> str:
    """The time as it is written down (ISO 8601, UTC, milliseconds)."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


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
    with tarfile.open(fileobj=stream, mode="w|", format=tarfile.USTAR_FORMAT) as archive:
        for file in [*_files(folder), folder / MANIFEST]:
            archive.add(file, file.relative_to(folder).as_posix(), recursive=False)


class _Ended(Exception):
    """A stream that ended before its archive did."""


def receive(stream: IO[bytes], inbox: Path) -> str:
    """Stores what a box sends and says so: `STORED place`, `DUPLICATE place`, `REJECT reason` for
    what is no attempt, or `LATER reason` where the link or this disk failed it.

    At least once is enough: what is there already is answered for, and nothing there is changed.
    """
    try:
        with _coming(inbox) as folder:
            _unpack(stream, folder)
            return _stored(folder, inbox)
    except (UserError, tarfile.HeaderError) as error:
        return f"REJECT {error}"
    except _Ended:
        return "LATER the stream ended before the attempt did"
    except OSError as error:
        return f"LATER the collector can't store it: {error.strerror}"


def _stored(folder: Path, inbox: Path) -> str:
    if wrong := problems(folder):
        return f"REJECT {wrong[0]}"
    place = read(folder).place
    home = inbox / place
    home.parent.mkdir(exist_ok=True)
    if (home / MANIFEST).is_file():
        same = (home / MANIFEST).read_bytes() == (folder / MANIFEST).read_bytes()
        return f"DUPLICATE {place}" if same else f"REJECT {place} is there with other content"
    folder.rename(home)
    _sync(home.parent)
    return f"STORED {place}"


@contextmanager
def _coming(inbox: Path) -> Iterator[Path]:
    """A folder to unpack into, which is locked. What others have left that were killed, and so is
    not locked, is removed.
    """
    everything = inbox / ".coming"
    everything.mkdir(parents=True, exist_ok=True)
    with _held(everything):
        for left in everything.iterdir():
            with suppress(BlockingIOError), _held(left, fcntl.LOCK_NB):
                shutil.rmtree(left)
        folder = everything / new_id()
        folder.mkdir()
        own = os.open(folder, os.O_RDONLY)
        fcntl.flock(own, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(own)


@contextmanager
def _held(folder: Path, how: int = 0) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | how)
        yield
    finally:
        os.close(descriptor)


def _unpack(stream: IO[bytes], folder: Path) -> None:
    """Regular files with plain names, and no more of them than an attempt has. UserError for
    anything else, _Ended for half of it.

    Header after header, and not as `tarfile` opens an archive: that would read what links, sparse
    files and names of any length claim before it could be refused.
    """
    files, left = 0, _MOST_BYTES
    while any(header := _exactly(stream, tarfile.BLOCKSIZE)):
        member = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        parts = PurePosixPath(member.name).parts
        plain = bool(parts) and all(_PART.fullmatch(part) for part in parts)
        if not (member.type == tarfile.REGTYPE and plain and len(parts) <= 5 and member.size >= 0):
            raise UserError(f"{member.name!r} is no file of an attempt")
        files, left = files + 1, left - member.size
        if files > _MOST_FILES or left < 0:
            raise UserError(f"more than {_MOST_FILES} files or {_MOST_BYTES >> 30} GiB")
        target = folder.joinpath(*parts)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            made = target.open("xb")
        except (FileExistsError, NotADirectoryError) as error:
            raise UserError(f"two of its files have one place: {member.name!r}") from error
        with made as file:
            for start in range(0, member.size, _CHUNK):
                file.write(_exactly(stream, min(_CHUNK, member.size - start)))
            file.flush()
            os.fsync(file.fileno())
        _exactly(stream, -member.size % tarfile.BLOCKSIZE)
    stream.read(tarfile.RECORDSIZE)  # an archive is filled up, and who sends it waits for a reader


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise _Ended
    return data


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
        log.check_plain(file)
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
        log.check_plain(folder / MANIFEST)
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
        elif not _plain(there[name]) or _digest(there[name]) != listed[name]:
            yield f"{name} is not what was sealed"


def _plain(file: Path) -> bool:
    """A link might lead anywhere, and a FIFO is never read to its end."""
    return stat.S_ISREG(file.lstat().st_mode)


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
        return log.read(run).finished is not None
    except RunFailed as error:
        raise UserError(str(error)) from error
