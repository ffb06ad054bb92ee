"""A run on disk: its header, and the log of which each line is on the disk before the next
measurement starts.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import signal
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from io import FileIO
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec

from corobench.errors import RunFailed, UserError, plain
from corobench.plan import Plan, Selection
from corobench.results.histogram import Distribution
from corobench.suite.load import convert_older, known_fields
from corobench.suite.workload import Parameter, Setting, Workload

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# What no log of ours holds more of; an archive can claim any size.
_MOST_BYTES = 1 << 30
_MOST_HEADER_BYTES = 1 << 24
# No count and no time is larger; what is made of such a number fits into a float.
_MOST = (1 << 62) - 1
Counted = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=_MOST)]
SCHEMA = 1
LOG = "log.jsonl"
PACKED = f"{LOG}.zst"
# the plain one first: where a kill left both, it may have lines that the other lacks
LOGS = (LOG, PACKED, f"{LOG}.gz")
_LEVEL = 12  # larger ones save a few per cent and take several times as long


class Record(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """Base of the lines of a log."""


# a run has 100,000 and more, of numbers alone
class Iteration(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One timed repetition: [elapsed ns by the monotonic clock, process CPU ns, operations]."""

    elapsed_ns: Positive
    cpu_ns: Counted
    ops: Positive


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """A process at a hold point, read from outside (bytes), from smaps_rollup and status."""

    units: Counted
    private_dirty: Counted
    pss: Counted
    swap: Counted
    rss: Counted
    rss_high: Counted
    threads: Counted


class Witness(msgspec.Struct, frozen=True, kw_only=True):
    """What else happened while a program ran: nanoseconds, counts; None where the box doesn't tell.

    `helpers_ns`: CPU time of what the runner itself started beside it (a load generator, a
    companion): no neighbours. `busy_ns` and `steal_ns` are of all `box_cpus` CPUs together; those
    called here_ are of the CPUs that the program could use.
    """

    wall_ns: Counted
    user_ns: Counted
    system_ns: Counted
    voluntary: Counted
    involuntary: Counted
    minor_faults: Counted
    major_faults: Counted
    busy_ns: Counted | None = None
    steal_ns: Counted | None = None
    pressure_ns: Counted | None = None
    load: float | None = None
    mhz: float | None = None
    helpers_ns: Counted = 0
    box_cpus: Counted | None = None
    here_cpus: Counted | None = None
    here_busy_ns: Counted | None = None
    here_steal_ns: Counted | None = None
    here_helpers_ns: Counted = 0


# What is drawn for each process whose results must contain it.
NONCES = (1_000_000, 9_999_999)


class Invocation(Record, frozen=True, kw_only=True, tag="invocation"):
    """One process of a case that did what the spec asks. `evidence` is that of the last iteration;
    all were checked.

    `series` are the samples that it wrote, as distributions; `raw` those that are kept as they are;
    `nonce` is what its results had to contain, where its spec has one; `observed` what the runner
    saw from outside, in seconds, bytes and counts (corobench.suite.variables).
    """

    case: str
    block: Counted
    position: Counted
    started: str
    witness: Witness
    iterations: list[Iteration]
    evidence: dict[str, Parameter]
    settings: dict[str, Setting]
    version: str
    language_version: str
    holds: dict[str, Memory] = {}
    series: dict[str, Distribution] = {}
    raw: dict[str, list[Counted]] = {}
    observed: dict[str, float] = {}
    nonce: Counted = 0


class Failure(Record, frozen=True, kw_only=True, tag="failure"):
    """An invocation that gave no number. `kind` is a short fixed word, `reason` a sentence for the
    page.
    """

    case: str
    block: int
    position: int
    started: str
    kind: str
    reason: str
    exit_status: int | None
    stderr: str
    wall_ns: Counted


NULL_CONTROL = "null"
CROSSCHECK = "crosscheck"
CONTROLS = frozenset({"canary", "wake-up", NULL_CONTROL, CROSSCHECK})


class Control(Record, frozen=True, kw_only=True, tag="control"):
    """A measurement of the box or of the instrument: canary, wake-up calibration, cross-check.

    `wall_ns`: what taking it took; of several lines that one program gave, the first has it. 0 in
    older runs.
    """

    name: str
    block: int | None
    values: dict[str, Any]
    wall_ns: Counted = 0


COUNTED_PROCESSES = 3  # of a case: fewer don't show how far they are apart
Event = Literal[
    "instructions",
    "system-calls",
    "switches",
    "faults",
    "allocations",
    "allocated-bytes",
    "cycles",
    "kernel-cycles",
    "retired",
    "kernel-instructions",
    "branch-misses",
    "cache-misses",
]
EVENTS: tuple[Event, ...] = get_args(Event)


class Tally(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What one process did: [operations, events counted]."""

    ops: Positive
    events: Counted


def between(tallies: Sequence[Tally]) -> Tally:
    """What lies between the first and the last of some lengths; of a single one, all of it."""
    first, last = tallies[0], tallies[-1]
    if len(tallies) == 1:
        return first
    return Tally(last.ops - first.ops, last.events - first.events)


class Count(Record, frozen=True, kw_only=True, tag="count"):
    """What a case takes, counted after its run was finished, in processes of its own.

    `tallies`: event -> for each of the processes one tally, or two of different lengths, of which
    the difference counts. `reasons`: event -> why there is none. `switches` are voluntary ones of
    context, `faults` those of pages; `allocations` and their bytes are malloc's. `retired` are
    instructions of user space as the processor's own counters have them, as all after them are of
    these counters, and of user space where they don't say. `tools`: name -> version of what
    counted.
    """

    case: str
    at: str
    tools: dict[str, str]
    tallies: dict[Event, list[list[Tally]]]
    reasons: dict[Event, str] = {}

    @property
    def told(self) -> set[Event]:
        """The events of which it has a number, or why there is none."""
        return {*self.tallies, *self.reasons}

    def after(self, before: Count) -> Count:
        """With what only an earlier count of the case told."""
        tallies, reasons = before.tallies | self.tallies, before.reasons | self.reasons
        return msgspec.structs.replace(
            self,
            tools=before.tools | self.tools,
            tallies={e: found for e, found in tallies.items() if e not in self.reasons},
            reasons={e: found for e, found in reasons.items() if e not in self.tallies},
        )


class Mark(Record, frozen=True, kw_only=True, tag="mark"):
    """Something that happened to the run itself: block-complete, look, interrupted, resumed,
    finished.

    `values["used_s"]`: what of the budget the run had used by then, all of its parts together.
    """

    event: str
    at: str
    block: int | None = None
    reason: str = ""
    values: dict[str, Any] = {}


Line = Invocation | Failure | Control | Mark | Count


class RunHeader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """`run.json`: everything about a run that is known before its first program starts.

    `tools`: version, origin, SHA-256, recipe of those that are no language (hyperfine, the load
    generator); older runs have none. `budget_s`: what it was begun with, of which it goes on if it
    is interrupted; None in older runs. `selection`: what was asked for, of which the plan was made;
    None in older runs.
    """

    schema: int
    run: str
    created: str
    corobench: str
    commit: str
    dirty: bool
    plan: Plan
    box: dict[str, Any]
    runtimes: dict[str, dict[str, Any]]
    workloads: dict[str, dict[str, Any]]
    true_switches: dict[str, float]
    claims: bool
    tools: dict[str, dict[str, str]] = {}
    budget_s: float | None = None
    selection: Selection | None = None

    @cached_property
    def specs(self) -> dict[str, Workload]:
        """The specs that the run was made with, by name: it can be read without its checkout.

        Those of the first runs don't tell what a program makes before its clock starts.
        """
        return {name: recorded({"prepared": None, **spec}) for name, spec in self.workloads.items()}


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run as read back: header and lines, and warnings of the reading itself."""

    folder: Path
    header: RunHeader
    lines: list[Line]
    warnings: list[str]

    @property
    def invocations(self) -> list[Invocation]:
        return [line for line in self.lines if isinstance(line, Invocation)]

    @property
    def failures(self) -> list[Failure]:
        return [line for line in self.lines if isinstance(line, Failure)]

    @property
    def controls(self) -> list[Control]:
        return [line for line in self.lines if isinstance(line, Control)]

    @property
    def marks(self) -> list[Mark]:
        return [line for line in self.lines if isinstance(line, Mark)]

    @property
    def finished(self) -> Mark | None:
        """How it came to its end, the last time where it went on; None where it has not."""
        return next((mark for mark in reversed(self.marks) if mark.event == "finished"), None)

    @property
    def complete(self) -> int:
        """The blocks that are done."""
        return complete(self.lines)

    @property
    def counts(self) -> dict[str, Count]:
        """By case; of an event that was counted again, the last."""
        found: dict[str, Count] = {}
        for line in self.lines:
            if isinstance(line, Count):
                before = found.get(line.case)
                found[line.case] = line.after(before) if before else line
        return found


class Log:
    """Appends lines to a run; each is on the disk when `append` returns."""

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._end = file.seek(0, os.SEEK_END)
        self._encode = msgspec.json.Encoder().encode

    def append(self, line: Line) -> None:
        """Raises RunFailed where the disk refuses; what was written before stays valid.

        Interrupts wait until the line is whole: what follows a torn line would make the log
        corrupt.
        """
        before = signal.pthread_sigmask(
            signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
        )
        try:
            self._write(line)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _write(self, line: Line) -> None:
        whole = self._encode(line) + b"\n"
        rest = memoryview(whole)
        try:
            self._drop_torn()
            while rest:  # a raw write may be short, on a disk that fills up for instance
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
            if moved := self._moved():
                raise RunFailed(f"{self._file.name}: was {moved}")
        except OSError as error:
            # the next line tries again; without one it is dropped when the log is read
            with contextlib.suppress(OSError):
                self._drop_torn()
            raise RunFailed(
                f"{self._file.name}: cannot write: {error.strerror}; what was measured before is "
                "kept (resume it)"
            ) from error
        self._end += len(whole)

    def _moved(self) -> str | None:
        """What became of the file that is written to, where it is no longer the run's log."""
        ours = os.fstat(self._file.fileno())
        if not ours.st_nlink:
            return "removed while the run was going on; what was measured is lost"
        try:
            there = Path(str(self._file.name)).stat()
        except FileNotFoundError:
            there = None
        if there is None or not os.path.samestat(ours, there):
            return "moved while the run was going on; what was measured is where it was moved to"
        return None

    def _drop_torn(self) -> None:
        """Cuts off what an append has left behind that failed."""
        if self._file.seek(0, os.SEEK_END) > self._end:
            self._file.truncate(self._end)
            self._file.seek(self._end)

    def close(self) -> None:
        try:
            self._file.close()
        except OSError as error:
            raise RunFailed(f"{self._file.name}: cannot write: {error.strerror}") from error


def create(folder: Path, header: RunHeader) -> Log:
    """A new run folder with its header. RunFailed where it can't be written."""
    try:
        folder.mkdir(parents=True, exist_ok=False)
        write_atomically(
            folder / "run.json", msgspec.json.format(msgspec.json.encode(header)) + b"\n"
        )
        return Log((folder / LOG).open("xb", buffering=0))
    except OSError as error:
        raise RunFailed(f"{folder}: cannot be written: {error.strerror}") from error


def reopen(run: Run) -> Log:
    """The log of an interrupted run, its torn last line cut off; a packed one is unpacked first."""
    path = run.folder / LOG
    try:
        if not path.exists():
            write_atomically(path, log_bytes(run.folder))
        for packed in LOGS[1:]:
            (run.folder / packed).unlink(missing_ok=True)
        data = path.read_bytes()
        os.truncate(path, data.rfind(b"\n") + 1)
        return Log(path.open("ab", buffering=0))
    except OSError as error:
        raise RunFailed(f"{path}: cannot be written: {error.strerror}") from error


def log_file(folder: Path) -> Path:
    """The log of a run, plain or packed; that of a plain one where there is none."""
    return next((folder / name for name in LOGS if (folder / name).exists()), folder / LOG)


_OPENING: dict[str, Callable[[Path], Any]] = {".zst": zstd.ZstdFile, ".gz": gzip.GzipFile}


def log_bytes(folder: Path) -> bytes:
    """The JSON lines of a run. OSError where there is no log, UserError for an archive that is not
    whole.
    """
    file = log_file(folder)
    check_plain(file)
    try:
        with _OPENING.get(file.suffix, partial(Path.open, mode="rb"))(file) as lines:
            data: bytes = lines.read(_MOST_BYTES + 1)
    except (zstd.ZstdError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{file}: the archive is damaged: {error}") from error
    if len(data) > _MOST_BYTES:
        raise UserError(
            f"{file}: holds more than {_MOST_BYTES >> 20} MiB, which no run of ours does"
        )
    return data


def check_plain(file: Path) -> None:
    """UserError where a file of a run is a FIFO, a device or a folder: reading it might never end.
    OSError where it isn't there.
    """
    mode = file.stat().st_mode
    if not stat.S_ISREG(mode):
        kind = {
            stat.S_IFIFO: "a FIFO",
            stat.S_IFCHR: "a device",
            stat.S_IFBLK: "a device",
            stat.S_IFSOCK: "a socket",
            stat.S_IFDIR: "a folder",
        }.get(stat.S_IFMT(mode), "no file")
        raise UserError(f"{file}: is {kind}; a run keeps its lines in a plain file")


def log_lines(folder: Path) -> Iterator[bytes]:
    """The lines of a log one by one, a torn last one left out; for who needs only the first of
    them. Errors as of `log_bytes`.
    """
    file = log_file(folder)
    check_plain(file)
    try:
        with _OPENING.get(file.suffix, partial(Path.open, mode="rb"))(file) as lines:
            yield from (line for line in lines if line.endswith(b"\n"))
    except (zstd.ZstdError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{file}: the archive is damaged: {error}") from error


def packed(folder: Path) -> bytes:
    """The log of a run as Zstandard. The same lines give the same bytes."""
    file = log_file(folder)
    return file.read_bytes() if file.name == PACKED else zstd.compress(log_bytes(folder), _LEVEL)


def pack(folder: Path) -> None:
    """Packs the log of a run that is over; killed at any moment, it leaves a whole log. RunFailed
    where the disk refuses.
    """
    try:
        write_atomically(folder / PACKED, packed(folder))
        for other in LOGS:
            if other != PACKED:
                (folder / other).unlink(missing_ok=True)
    except OSError as error:
        raise RunFailed(
            f"{folder / PACKED}: cannot be written: {error.strerror}; {LOG} is kept"
        ) from error


def read(folder: Path) -> Run:
    """A run from its folder. UserError with file and line for anything that isn't a run."""
    try:
        header = read_header(folder)
        data = log_bytes(folder)
    except OSError as error:
        raise UserError(f"{error.filename}: not a run: {error.strerror}") from error
    if header.schema != SCHEMA:
        raise UserError(
            f"{folder / 'run.json'}: schema {header.schema}; this version reads schema {SCHEMA}"
        )
    warnings: list[str] = []
    return Run(
        folder=folder,
        header=header,
        lines=list(_lines(log_file(folder), data, warnings)),
        warnings=warnings,
    )


def read_header(folder: Path) -> RunHeader:
    """What is known of a run without its log. UserError with the file for anything that is no
    header, OSError where there is none.
    """
    file = folder / "run.json"
    check_plain(file)
    if file.stat().st_size > _MOST_HEADER_BYTES:
        raise UserError(
            f"{file}: holds more than {_MOST_HEADER_BYTES >> 20} MiB, which no run of ours does"
        )
    try:
        return decode_header(file.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: {error}") from error
    except RecursionError as error:
        raise UserError(f"{file}: nested too deeply") from error


def decode_header(data: bytes) -> RunHeader:
    """What run.json holds. Its plan may have points from before a key was renamed or removed.
    msgspec.DecodeError.
    """
    found = _plain(msgspec.json.decode(data))
    if isinstance(found, dict) and "plan" in found:
        found["plan"] = known_fields(found["plan"], Plan)
    return msgspec.convert(found, RunHeader)


def _lines(file: Path, data: bytes, warnings: list[str]) -> Iterator[Line]:
    decode = msgspec.json.Decoder(Line).decode
    complete, _, torn = data.rpartition(b"\n")
    if torn:
        warnings.append(f"{file}: the last line was torn by an interruption and dropped")
    if not complete:
        return
    for number, text in enumerate(complete.split(b"\n"), 1):
        try:
            # Only what is not ASCII or is escaped can be what nobody sees.
            if b"\\" in text or not text.isascii():
                yield msgspec.convert(_plain(msgspec.json.decode(text)), Line)
            else:
                yield decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UserError(f"{file}:{number}: corrupt line: {error}") from error
        except RecursionError as error:
            raise UserError(f"{file}:{number}: corrupt line: nested too deeply") from error


def _plain(value: Any) -> Any:
    """JSON values with their texts as they may be shown: a run may come from anybody."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {plain(key): _plain(one) for key, one in value.items()}
    return value


def write_atomically(path: Path, data: bytes) -> None:
    """Either the old content or the new one, never half of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


GIVE_UP_AFTER = 2  # failures of a case that never succeeded


def complete(lines: Iterable[Line]) -> int:
    """The blocks that are done after these lines."""
    return sum(isinstance(line, Mark) and line.event == "block-complete" for line in lines)


def given_up(lines: Iterable[Line]) -> set[str]:
    """The keys of the cases that are not measured again after these lines."""
    measured = [line for line in lines if isinstance(line, Invocation | Failure)]
    failed = [line for line in measured if isinstance(line, Failure)]
    succeeded = {line.case for line in measured if isinstance(line, Invocation)}
    often = {
        case
        for case, count in Counter(line.case for line in failed).items()
        if count >= GIVE_UP_AFTER
    }
    return {line.case for line in failed if line.kind == "verify"} | (often - succeeded)


def recorded(spec: dict[str, Any]) -> Workload:
    """A spec as a run carries it, also an older one's. msgspec.ValidationError where it is none."""
    return convert_older(spec, Workload)
