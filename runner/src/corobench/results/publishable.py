"""Whether a run may be published: whole, evident, plausible, and of the commit that it names.

A run is compared with itself and with the repository. Numbers that agree with each other can't be
told from true ones; docs/method.md says which forgeries are seen.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, pairwise
from operator import truediv
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from corobench.contract import checks
from corobench.contract.traces import ALL_AT_ONCE
from corobench.errors import UserError
from corobench.plan import PROFILE, Plan, Selection, block_order, make_plan
from corobench.results import histogram
from corobench.results.log import (
    CONTROLS,
    COUNTED_PROCESSES,
    LOGS,
    NONCES,
    NULL_CONTROL,
    Control,
    Count,
    Event,
    Failure,
    Invocation,
    Line,
    Mark,
    Memory,
    Run,
    Tally,
    between,
    given_up,
    log_file,
    recorded,
)
from corobench.suite import expression, variables
from corobench.suite.runtime import Runtime, Suite
from corobench.suite.validate import CPUS, NAME, NAME_RULE
from corobench.suite.workload import (
    WARM_MS,
    Case,
    Parameter,
    Point,
    Setting,
    Workload,
    parse_case,
    some_cpus,
)

T = TypeVar("T")

_FASTEST_NS = 0.05  # an operation, on any machine of today: less is no work
# Of five thousand numbers drawn out of nine million one or two are equal.
_NONCES_AGAIN, _NONCES_AGAIN_SHARE = 5, 0.01
_MOST_ITERATIONS = 10_000  # of an invocation (docs/contract.md)
COMMIT = re.compile(r"[0-9a-f]{40}")
_FOLDER = re.compile(r"\w[\w.+-]*")
_MOST_BLOCKS = 1000  # whose order is made again; a run of ours has 51 at most
_PAGE = 4096
# Linux counts resident pages by thread and adds them up after 64 events (mm/memory.c,
# TASK_RSS_EVENTS_THRESH), and status is read after smaps_rollup.
_UNCOUNTED = 64 * _PAGE
_CLOCK_S = 0.1  # by which a clock that is being set may be off from the monotonic one
_MS = 1_000_000
_LONGEST = 1000  # characters of a problem: names come from the run
_NAMED_BY_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d{6}")  # as the runner names a run when it is asked
_DAY_S = 24 * 3600  # within which all programs are made and verified
# What a spec that was made up may end in.
_ODD = (ValueError, TypeError, ArithmeticError, LookupError)
_UNCHECKED = "what it says can't be checked against the spec that it carries"


class Origin(msgspec.Struct, frozen=True):
    """What the repository holds at the commit that a run names.

    `hashed`: whether the sources of a runtime may have been recorded with a hash (what is hashed
    has grown), `version`: what its lock file says, None where the version is that of the language.
    `committed`: when it was made, in seconds since 1970. `corobench`: the version of its runner.
    Of that runner: `records_selection`: whether it writes down what was asked for; `same_order`:
    whether a seed gives it the order that it gives today; `watches`: whether it looks at how large
    a program is whose tasks are all alive at once.
    """

    suite: Suite
    hashed: Callable[[Runtime, str], bool]
    version: Callable[[Runtime], str | None]
    committed: float
    corobench: str
    records_selection: bool
    same_order: bool
    watches: bool


class Problem(NamedTuple):
    """What is wrong, and where: a line of the log, or keys of run.json from the outermost."""

    text: str
    at: Line | tuple[str, ...] = ()


class _Facts(msgspec.Struct, frozen=True):
    """What a header must say of a runtime to be checked; older ones say less than today's."""

    version: str
    language_version: str = ""
    language: str = ""
    unit: str = ""
    tracks: list[str] = []
    collector: bool = False
    settings: dict[str, Setting] = {}
    hashes: dict[str, str] = {}


class _Read(NamedTuple):
    """A run with its specs, cases and runtimes as values; what can't be read is missing here."""

    run: Run
    specs: dict[str, Workload]
    facts: dict[str, _Facts]
    origin: Origin | None

    @property
    def plan(self) -> Plan:
        return self.run.header.plan


def problems(run: Run, origin: Origin | None = None) -> list[str]:
    """What keeps a run from being published, a sentence each with file and line; empty for one that
    can be. Nothing is raised, whatever it holds.

    Without an `origin` nothing is compared with the repository.
    """
    numbers = {id(line): number for number, line in enumerate(run.lines, 1)}
    return list(dict.fromkeys(_told(run, problem, numbers) for problem in _found(run, origin)))


def unknown_commit(run: Run) -> str:
    """That the commit which it names is not in the repository."""
    text = f"its commit {run.header.commit[:12]!r} is not in the history of this repository"
    return _told(run, Problem(text, ("commit",)), {})


def _found(run: Run, origin: Origin | None) -> Iterator[Problem]:
    read = _Read(run, {}, {}, origin)
    yield from _unreadable(read)
    yield from _course(run)
    yield from _place(run)
    yield from _planned(read)
    yield from _completeness(run)
    yield from _order(run, origin)
    yield from _blocks(run)
    yield from _controls(run)
    yield from _evidence(read)
    yield from _copies(run)
    yield from _counts(read)
    if origin is not None:
        yield from _unlike_commit(read, origin)


def _told(run: Run, problem: Problem, numbers: Mapping[int, int]) -> str:
    text = problem.text if len(problem.text) <= _LONGEST else f"{problem.text[:_LONGEST]}..."
    if isinstance(problem.at, tuple):
        return f"run.json:{_line_of(run.folder / 'run.json', problem.at)}: {text}"
    return f"{log_file(run.folder).name}:{numbers[id(problem.at)]}: {text}"


def _line_of(file: Path, keys: tuple[str, ...]) -> int:
    """The line at which a key stands in a formatted header: each deeper by two spaces. The last
    that is found of the keys; 1 where none is.
    """
    try:
        lines = file.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return 1  # a run that only a test has
    found = 0
    for depth, key in enumerate(keys, 1):
        start = " " * (2 * depth) + msgspec.json.encode(key).decode() + ":"
        after = (n for n, line in enumerate(lines[found:], found + 1) if line.startswith(start))
        found = next(after, found)
    return max(found, 1)


def _unreadable(read: _Read) -> Iterator[Problem]:
    """Fills in specs and facts, and says which can't be read."""
    header = read.run.header
    for name, spec in header.workloads.items():
        try:
            read.specs[name] = recorded(spec)
        except (msgspec.ValidationError, RecursionError) as error:
            text = f"the spec of {name} that it carries can't be read: {error}"
            yield Problem(text, ("workloads", name))
    for name, facts in header.runtimes.items():
        try:
            read.facts[name] = msgspec.convert(facts, _Facts)
        except msgspec.ValidationError as error:
            text = f"what it says of the runtime {name!r} can't be read: {error}"
            yield Problem(text, ("runtimes", name))


def _course(run: Run) -> Iterator[Problem]:
    header = run.header
    if header.dirty:
        text = (
            "made from a checkout with uncommitted changes: nobody else can have the same programs"
        )
        yield Problem(text, ("dirty",))
    if not header.commit:
        yield Problem("it names no commit", ("commit",))
    elif not COMMIT.fullmatch(header.commit):
        yield Problem(f"{header.commit[:60]!r} is no commit: 40 hex digits", ("commit",))
    if header.plan.profile not in PROFILE:
        yield Problem(f"there is no profile {header.plan.profile!r}", ("plan", "profile"))
    elif header.claims != PROFILE[header.plan.profile].claims:
        text = f"claims is {header.claims}, which is not what {header.plan.profile} runs make"
        yield Problem(text, ("claims",))
    finished = run.finished
    # a finished run may be counted
    last = next((line for line in reversed(run.lines) if not isinstance(line, Count)), None)
    if finished is None:
        yield Problem("it was not finished; go on with corobench run --resume")
    elif last is not None and finished is not last:
        yield Problem("it goes on after it was finished", last)
    else:
        yield from _ended(run, finished)
    yield from map(Problem, run.warnings)
    logs = [run.folder / name for name in LOGS if (run.folder / name).exists()]
    if len(logs) > 1:
        yield Problem(f"it has {len(logs)} logs: {' and '.join(file.name for file in logs)}")
    for file in (run.folder / "run.json", *logs):
        if file.is_symlink():
            yield Problem(f"{file.name} is a link to another file")


def _ended(run: Run, last: Mark) -> Iterator[Problem]:
    """A run that was cut short after what suited: it had budget for more blocks."""
    blocks = run.complete
    profile = PROFILE.get(run.header.plan.profile)
    given = [mark.values["budget_s"] for mark in run.marks if "budget_s" in mark.values]
    budget, used = (given or [run.header.budget_s])[-1], last.values.get("used_s")
    if last.values.get("precise", True) or not (profile and blocks and budget and used):
        return
    if not all(isinstance(value, int | float) for value in (budget, used)):
        yield Problem("its budget or what it used of that is no number", last)
    elif blocks < profile.looks[-1] and used + 2 * used / blocks < budget:
        text = f"it ended after {blocks} blocks in {used:.0f} s, with {budget:.0f} s to use"
        yield Problem(text, last)


def _place(run: Run) -> Iterator[Problem]:
    """A run lies where its header says: results/<box>/<run>, from which pages take both names."""
    for what, said, folder, keys in (
        ("box", run.header.box.get("name"), run.folder.parent, ("box", "name")),
        ("run", run.header.run, run.folder, ("run",)),
    ):
        if said != folder.name:
            text = (
                f"its header calls the {what} {said!r}, and its folder {folder.name!r}: they must "
                "be the same"
            )
            yield Problem(text, keys)
        elif not _FOLDER.fullmatch(said):
            text = f"{said!r} is no name of a {what}: letters, digits, and . _ + - after the first"
            yield Problem(text, keys)


def _planned(read: _Read) -> Iterator[Problem]:
    """The plan in itself: each case once, at a point of its spec; each cell with its control."""
    plan = read.plan
    named = _NAMED_BY_TIME.match(read.run.header.run)
    began, created = (
        _moment(f"{named[0]}+00:00") if named else None,
        _moment(read.run.header.created),
    )
    if began is not None and created is not None and not 0 <= created - began < _DAY_S:
        text = f"its folder is named {read.run.header.run[:17]}, and it was begun at another time"
        yield Problem(text, ("created",))
    cells: dict[str, list[Case]] = {}
    for key, count in Counter(plan.cases).items():
        if count > 1:
            yield Problem(f"{key} stands {count} times in its plan", ("plan", "cases"))
        try:
            case = parse_case(key)
        except ValueError:
            text = f"{key[:80]!r} is no case; a case is workload/point/track/runtime"
            yield Problem(text, ("plan", "cases"))
            continue
        cells.setdefault(case.cell, []).append(case)
        if not NAME.fullmatch(case.runtime):
            text = f"{case.runtime!r} is no name of a runtime: it {NAME_RULE}"
            yield Problem(text, ("plan", "cases"))
    for cell, cases in cells.items():
        twins = [case.runtime for case in cases if case.twin]
        if twins != [plan.references.get(cell)]:
            text = f"{cell} has no control: the reference runtime must take part twice"
            yield Problem(text, ("plan", "cases"))
    for name, point in plan.points.items():
        workload, _, called = name.partition("/")
        spec = read.specs.get(workload)
        if spec and (problem := _no_point_of(spec, called, point, plan.profile)):
            yield Problem(f"the point {called} of {workload} {problem}", ("plan", "points", name))
    yield from _switches(read)


def _no_point_of(spec: Workload, called: str, point: Point, profile: str) -> str | None:
    if called != point.name:
        return f"has other parameters, {point.name}"
    like = [
        one
        for one in spec.points(profile)
        if {**point.params, **one.params, **{k: point.params.get(k, "") for k in one.derived}}
        == point.params
    ]
    if not like:
        return f"is not in the spec for the profile {profile}"
    if all(one.iterations != point.iterations for one in like):
        return f"has {point.iterations} iterations, the spec asks for {like[0].iterations}"
    return None


def _switches(read: _Read) -> Iterator[Problem]:
    """The counted shares by which times are divided: one for each point with several tasks."""
    shares = read.run.header.true_switches
    for key, share in shares.items():
        if not 0 < share <= 1:
            text = f"{share} of the resumes at {key} are switches; a share is above 0, at most 1"
            yield Problem(text, ("true_switches", key))
    for line in read.run.invocations:
        found = _case(line.case)
        spec = read.specs.get(found.workload) if found else None
        if not found or not spec or not spec.true_switches:
            continue
        point = read.plan.points.get(f"{found.workload}/{found.point}")
        key = f"{found.runtime}/{found.workload}/{found.point}"
        try:
            owed = point is not None and int(expression.evaluate(spec.tasks, point.params)) > 1
        except (ValueError, ArithmeticError):
            continue  # said of the invocation
        if owed and key not in shares:
            yield Problem(
                f"it does not say how many of the resumes at {key} are switches", ("true_switches",)
            )


def _case(key: str) -> Case | None:
    try:
        return parse_case(key)
    except ValueError:
        return None


def _completeness(run: Run) -> Iterator[Problem]:
    planned = set(run.header.plan.cases)
    lines = _measured(run)
    seen: dict[tuple[str, int], list[Invocation | Failure]] = defaultdict(list)
    for line in lines:
        seen[line.case, line.block].append(line)
    refused = {f.case for f in run.failures if f.kind == "verify"}
    for (case, block), found in seen.items():
        if case not in planned:
            yield Problem(f"{case} is not in its plan", found[0])
        elif len(found) > 1 and case not in refused:
            yield Problem(f"{case} stands {len(found)} times in block {block}", found[-1])
    if missing := sorted(planned - {case for case, _ in seen}):
        text = (
            f"{len(missing)} planned cases have neither a measurement nor a failure (first: "
            f"{missing[0]})"
        )
        yield Problem(text, ("plan", "cases"))
    gaps = {(gap.workload, gap.runtime, gap.point) for gap in run.header.plan.gaps}
    for key in sorted(planned):
        named = _case(key)
        if named and {(named.workload, named.runtime, p) for p in (None, named.point)} & gaps:
            yield Problem(f"{key} is planned, and a gap", ("plan", "gaps"))


def _counts(read: _Read) -> Iterator[Problem]:
    """Events that were counted: of planned cases, in enough processes, of lengths that differ. What
    was counted again later is no number of the run.
    """
    known = read.run.counts
    for line in read.run.lines:
        if not isinstance(line, Count):
            continue
        case = _case(line.case)
        spec = read.specs.get(case.workload) if case else None
        if case is None or spec is None or line.case not in read.plan.cases:
            yield Problem(f"{line.case[:80]} was counted and is not in its plan", line)
            continue
        if not line.tallies and not line.reasons:
            yield Problem(f"{_called(line)} has neither numbers nor a reason", line)
        lengths = 1 if spec.kind == "startup" else 2
        for event, processes in line.tallies.items():
            if known[line.case].tallies.get(event) is not processes:
                continue
            if len(processes) < COUNTED_PROCESSES:
                text = f"{len(processes)} of {COUNTED_PROCESSES} processes: {event}"
                yield Problem(f"{_called(line)} has {text}", line)
            for tallies in processes:
                if wrong := _wrong_tallies(event, tallies, lengths):
                    yield Problem(f"{_called(line)}, {event}: {wrong}", line)


def _wrong_tallies(event: Event, tallies: list[Tally], lengths: int) -> str | None:
    if len(tallies) != lengths:
        return f"{len(tallies)} lengths of a process, where {lengths} are asked for"
    first, last = tallies[0], tallies[-1]
    if lengths > 1 and last.ops <= first.ops:
        return f"{last.ops} operations in the longer process, {first.ops} in the shorter"
    counted = between(tallies)
    if event == "instructions" and counted.events < counted.ops:
        return "less than one instruction an operation"
    return None


def _measured(run: Run) -> list[Invocation | Failure]:
    return [line for line in run.lines if isinstance(line, Invocation | Failure)]


def _order(run: Run, origin: Origin | None) -> Iterator[Problem]:
    """One program after the other, block after block, in the order that the seed fixes."""
    yield from _times(run)
    timed = [line for line in _measured(run) if line.position >= 0]  # verify failed at -1
    places: dict[int, list[Invocation | Failure]] = defaultdict(list)
    for line in timed:
        places[line.block].append(line)
    for lines in places.values():
        for before, after in pairwise(lines):
            if after.position <= before.position:
                text = f"position {after.position} comes after position {before.position}"
                yield Problem(f"{after.case}, block {after.block}: {text}", after)
    orders = {block: block_order(run.header.plan, block) for block in sorted(places)[:_MOST_BLOCKS]}
    wrong = [
        one
        for block, order in orders.items()
        for one in places[block]
        if one.position >= len(order) or order[one.position] != one.case
    ]
    # Where nobody knows the runner, one by which most is wrong had another order.
    if origin.same_order if origin else len(wrong) < len(timed) / 2:
        for one in wrong:
            text = f"the seed does not put it at position {one.position}"
            yield Problem(f"{_called(one)}: {text}", one)
    done: set[int] = set()
    for told in run.lines:
        if isinstance(told, Mark) and told.event == "block-complete" and told.block is not None:
            done.add(told.block)
        elif isinstance(told, Invocation | Failure) and told.position >= 0 and told.block in done:
            yield Problem(f"{told.case}: block {told.block} was complete before", told)


def _times(run: Run) -> Iterator[Problem]:
    """Times of day only go on, and no program starts before the one before it has ended."""
    ended, used = _moment(run.header.created), 0.0
    if ended is None:
        yield Problem(f"{run.header.created[:40]!r} is no time", ("created",))
    for line in run.lines:
        if isinstance(line, Control):
            continue
        told = line.at if isinstance(line, Mark | Count) else line.started
        began = _moment(told)
        if began is None:
            yield Problem(f"{told[:40]!r} is no time", line)
            continue
        if ended is not None and began < ended - _CLOCK_S:
            text = f"it begins {ended - began:.3f} s before what stands before it has ended"
            yield Problem(f"{_called(line)}: {text}", line)
        ended = began + _wall_ns(line) * 1e-9
        if isinstance(line, Mark) and isinstance(said := line.values.get("used_s"), int | float):
            if said < used:
                yield Problem(f"{line.event}: it has used {said} s, and {used} s before", line)
            used = said


def _moment(text: str) -> float | None:
    """Seconds since 1970; None for what is no time of a known zone."""
    try:
        found = datetime.fromisoformat(text)
        return found.timestamp() if found.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def _wall_ns(line: Line) -> int:
    match line:
        case Invocation():
            return line.witness.wall_ns
        case Failure():
            return line.wall_ns
        case _:
            return 0


def _called(line: Line) -> str:
    match line:
        case Invocation() | Failure():
            return f"{line.case}, block {line.block}"
        case Count():
            return f"the count of {line.case}"
        case Control():
            return line.name
        case Mark():
            return line.event


def _blocks(run: Run) -> Iterator[Problem]:
    """In every complete block each case has its line: a measurement, a failure, or a reason why
    there is none any more.
    """
    marks = {
        mark.block: mark
        for mark in run.marks
        if mark.event == "block-complete" and mark.block is not None
    }
    complete = sorted(marks)
    if complete != list(range(len(complete))):
        listed = ", ".join(map(str, complete[:60]))
        text = f"its complete blocks are {listed}: one between them is missing"
        yield Problem(text, marks[complete[-1]])
    lines = _measured(run)
    begun = {line.case for line in lines}
    for block in complete:
        gone = given_up(
            line
            for line in lines
            if line.block < block or (isinstance(line, Failure) and line.kind == "verify")
        )
        owed = (
            (set(run.header.plan.cases) & begun)
            - gone
            - {line.case for line in lines if line.block == block}
        )
        if owed:
            text = (
                f"block {block} is complete, but has no line for {len(owed)} of its cases "
                f"(first: {min(owed)})"
            )
            yield Problem(text, marks[block])


def _controls(run: Run) -> Iterator[Problem]:
    """The canary of each block; no control that is a copy of another."""
    taken = {line.block for line in run.controls if line.name == "canary"}
    for mark in run.marks:
        if mark.event == "block-complete" and mark.block not in taken:
            yield Problem(f"block {mark.block} has no canary", mark)
    runtimes = {
        block: {str(line.values.get("runtime")) for line in run.controls if _is_null(line, block)}
        for block in {mark.block for mark in run.marks if mark.event == "block-complete"}
    }
    for mark in run.marks:
        if mark.event != "block-complete":
            continue
        if missing := sorted({*chain(*runtimes.values())} - runtimes[mark.block]):
            text = f"block {mark.block} has no null control of {missing[0]}, as another block has"
            yield Problem(text, mark)
    seen: dict[bytes, Control] = {}
    for line in run.controls:
        if line.name not in CONTROLS:
            yield Problem(f"there is no control {line.name[:40]!r}", line)
        if (named := line.values.get("runtime")) and str(named) not in run.header.runtimes:
            yield Problem(f"{line.name}: its header does not say what {str(named)[:80]} is", line)
        if any(isinstance(v, int | float) and v < 0 for v in line.values.values()):
            yield Problem(f"{line.name}: a value below 0", line)
        if line.name == "wake-up" or line.values.get("failed"):
            continue
        said = msgspec.json.encode((line.name, line.values), order="deterministic")
        if seen.setdefault(said, line) is not line:
            text = (
                f"{line.name} of block {line.block} is a copy of that of block {seen[said].block}"
            )
            yield Problem(text, line)


def _is_null(line: Control, block: int | None) -> bool:
    return line.name == NULL_CONTROL and line.block == block


def _evidence(read: _Read) -> Iterator[Problem]:
    """Every invocation against the spec that the run itself carries."""
    owed: dict[str, _Owed | str] = {}
    for line in read.run.invocations:
        if line.case not in owed:
            owed[line.case] = _owed(read, line.case)
        if problem := _invocation(owed[line.case], line):
            yield Problem(f"{line.case}, block {line.block}: {problem}", line)
    yield from _drawn(read)
    yield from _told_alike(read.run)
    for failure in read.run.failures:
        if not failure.reason.strip():
            yield Problem(
                f"{failure.case}, block {failure.block}: a failure without a reason", failure
            )


def _drawn(read: _Read) -> Iterator[Problem]:
    """Numbers that are drawn for each process are hardly ever the same."""
    seen: dict[int, Invocation] = {}
    again = [
        line
        for line in read.run.invocations
        if line.nonce and seen.setdefault(line.nonce, line) is not line
    ]
    if len(again) > max(_NONCES_AGAIN, len(seen) * _NONCES_AGAIN_SHARE):
        line = again[0]
        yield Problem(
            f"{len(again)} invocations have the nonce of another; the first is {line.case}, block "
            f"{line.block}: that of block {seen[line.nonce].block}",
            line,
        )


def _told_alike(run: Run) -> Iterator[Problem]:
    """A program tells the same settings each time; their values may be what the box gives it."""
    seen: dict[tuple[str, str], Invocation] = {}
    for line in run.invocations:
        if case := _case(line.case):
            first = seen.setdefault((case.runtime, case.workload), line)
            if other := sorted({*first.settings} ^ {*line.settings}):
                text = f"it tells other settings than {_called(first)}: {other[0]}"
                yield Problem(f"{_called(line)}: {text}", line)


def _owed(read: _Read, key: str) -> _Owed | str:
    """What the invocations of a case owe, or why nobody can say."""
    case = _case(key)
    if case is None:
        return "this is no case; a case is workload/point/track/runtime"
    if problem := _undescribed(read, case):
        return problem
    try:
        return _Owed.of(read, case)
    except _ODD as error:
        return f"{_UNCHECKED}: {error}"


def _invocation(owed: _Owed | str, line: Invocation) -> str | None:
    if isinstance(owed, str):
        return owed
    try:
        return _wrong(owed, line)
    except _ODD as error:
        return f"{_UNCHECKED}: {error}"


def _undescribed(read: _Read, case: Case) -> str | None:
    """What its header lacks of a case."""
    if case.workload not in read.specs:
        return f"its header holds no spec of {case.workload!r} that can be read"
    if f"{case.workload}/{case.point}" not in read.plan.points:
        return f"its plan has no point {case.point!r} of {case.workload}"
    if case.runtime not in read.facts:
        return f"its header does not say which version of {case.runtime!r} was measured"
    return None


class _Owed(NamedTuple):
    """What the invocations of a case owe, and where they were taken.

    `asked`: the evidence, `alive`: the units at each hold, `known`: the names that its spec knows.
    """

    case: Case
    spec: Workload
    point: Point
    asked: dict[str, str]
    alive: dict[str, str]
    known: frozenset[str]
    facts: _Facts
    online: int | None
    memory: int | None
    warm_ms: int | None
    settings: dict[str, Setting]
    watched: bool

    @classmethod
    def of(cls, read: _Read, case: Case) -> _Owed:
        cpu = read.run.header.box.get("cpu")
        online = cpu.get("online", cpu.get("cores")) if isinstance(cpu, dict) else None
        memory = read.run.header.box.get("memory")
        total = memory.get("total") if isinstance(memory, dict) else None
        there = read.origin.suite.runtimes.get(case.runtime) if read.origin else None
        spec, facts = read.specs[case.workload], read.facts[case.runtime]
        point = read.plan.points[f"{case.workload}/{case.point}"]
        at_once = spec.kind == "timed" and ALL_AT_ONCE & {*spec.trace}
        return cls(
            case,
            spec,
            point,
            spec.checks(point.params),
            checks.units_at(spec, point.params),
            frozenset(variables.known(spec)),
            facts,
            online if isinstance(online, int) else None,
            total if isinstance(total, int) else None,
            there.manifest.warm_ms if there else None,
            # How its language's programs are built is not in the header.
            {**(there.toolchain.settings if there else {}), **facts.settings},
            bool(at_once and read.origin and read.origin.watches),
        )

    @property
    def params(self) -> dict[str, Parameter]:
        return self.point.params

    def cpus(self, line: Invocation) -> int | None:
        """How many CPUs the program had; None where an older run doesn't tell."""
        said = [line.observed[name] for name in variables.CPUS if name in line.observed]
        if said:
            return int(said[0])
        if line.witness.here_cpus:
            return line.witness.here_cpus
        return 1 if self.case.track == "one-cpu" else some_cpus(self.case.track) or self.online


def _wrong(owed: _Owed, line: Invocation) -> str | None:
    if not line.iterations:
        return "no iteration"
    if len(line.iterations) > _MOST_ITERATIONS:
        return f"{len(line.iterations)} iterations; no invocation has over {_MOST_ITERATIONS}"
    lasted, ops = [one.elapsed_ns for one in line.iterations], [one.ops for one in line.iterations]
    return (
        (_hyperfine(line) if owed.spec.kind == "startup" else _said(owed, line, ops))
        or _repeated(owed, lasted)
        or _impossible(owed, line, lasted, ops)
        or _witness(owed, line)
        or _memory(owed, line)
        or _sampled(owed, line)
        or (_served(line) if owed.spec.kind == "served" else None)
        or _required(owed, line)
    )


def _hyperfine(line: Invocation) -> str | None:
    """What hyperfine tells of the processes that it starts, in place of a program's own words."""
    if {*line.evidence} != {"user_ns", "system_ns"}:
        return "its evidence is not what hyperfine tells: user_ns and system_ns"
    if any(one.ops != 1 for one in line.iterations):
        return "ops is not 1, and a process starts once"
    used = [value for value in line.evidence.values() if isinstance(value, int)]
    if any(abs(one.cpu_ns - sum(used)) > 2 for one in line.iterations):
        return "the CPU time of its processes is not user_ns + system_ns"
    return None


def _said(owed: _Owed, line: Invocation, ops: list[int]) -> str | None:
    """What the program itself said: its versions, its settings, its evidence."""
    for what, said, wanted in (
        ("version", line.version, owed.facts.version),
        ("language version", line.language_version, owed.facts.language_version),
    ):
        if said != wanted:
            return f"{what} {said!r}, the run's is {wanted!r}"
    cpus = owed.cpus(line)
    for name, setting in owed.settings.items():
        due, took = cpus if setting == CPUS else setting, line.settings.get(name)
        if due is not None and took != due:
            return f"the setting {name} is {took!r}, the runtime's is {due!r}"
    return _counted(owed, line, ops)


def _counted(owed: _Owed, line: Invocation, ops: list[int]) -> str | None:
    """Its evidence: all that the spec asks for, and no other."""
    least, most = NONCES if owed.spec.nonce else (0, 0)
    if not least <= line.nonce <= most:
        return f"its nonce is {line.nonce}, and one from {least:,} to {most:,} is drawn"
    asked = owed.asked
    names = checks.evidence_names(owed.spec, owed.params, line.nonce, len(line.iterations) - 1)
    for name, check in asked.items():
        if name == "ops":
            for said in {*ops}:
                if not expression.holds(check, said, names):
                    return f"ops is {said}, the spec asks for {check}"
        elif name != "true_switches":  # counted by verify
            if name not in line.evidence:
                return f"the evidence {name!r} is missing"
            if not expression.holds(check, line.evidence[name], names):
                return f"{name} is {line.evidence[name]!r}, the spec asks for {check}"
    if unknown := sorted(set(line.evidence) - set(asked)):
        return f"the evidence {unknown[0]!r} is not in the spec"
    return None


def _repeated(owed: _Owed, lasted: list[int]) -> str | None:
    """As many iterations as the plan asks for, and of a timed program as many as fill its warm
    time.
    """
    asked, count = owed.point.iterations, len(lasted)
    if owed.spec.kind != "timed":
        return None if count == asked else f"{count} iterations, the plan asks for {asked}"
    if count < asked:
        return f"{count} iterations, the plan asks for {asked} at least"
    warm_ns = sum(lasted) - lasted[0]
    least_ns = (WARM_MS if owed.warm_ms is None else owed.warm_ms) * _MS
    if warm_ns < least_ns and count < _MOST_ITERATIONS:
        return f"its warm iterations lasted {warm_ns:,} ns: it would have gone on to {least_ns:,}"
    before_ns = warm_ns - lasted[-1]
    if owed.warm_ms is not None and count > asked and before_ns >= least_ns:
        return f"it went on after its warm iterations had lasted {before_ns:,} ns"
    return None


def _impossible(owed: _Owed, line: Invocation, lasted: list[int], ops: list[int]) -> str | None:
    """Times that contradict each other or what the kernel tells of the process."""
    witness, cpus = line.witness, owed.cpus(line)
    if min(map(truediv, lasted, ops)) < _FASTEST_NS:
        return f"an operation in less than {_FASTEST_NS} ns"
    if cpus is None:
        return None
    # Under the load of a generator a server sleeps between ticks, at which busy time is counted.
    seen = None if owed.spec.kind in ("served", "startup") else witness.here_busy_ns
    return checks.times(
        lasted,
        [one.cpu_ns for one in line.iterations],
        wall_ns=witness.wall_ns,
        cpu_ns=witness.user_ns + witness.system_ns,
        cpus=cpus,
        busy_ns=seen,
    )


def _witness(owed: _Owed, line: Invocation) -> str | None:
    """What the kernel tells of the box meanwhile."""
    seen = line.witness
    # The box is looked at before the program starts and after it has ended; on a busy one that may
    # be much longer than it ran.
    slack_ns = 1000 * _MS
    for name, used_ns, cpus in (
        ("busy_ns", seen.busy_ns, seen.box_cpus),
        ("steal_ns", seen.steal_ns, seen.box_cpus),
        ("here_busy_ns", seen.here_busy_ns, seen.here_cpus),
        ("here_steal_ns", seen.here_steal_ns, seen.here_cpus),
    ):
        if used_ns is not None and cpus and used_ns > 2 * seen.wall_ns * cpus + slack_ns:
            return f"{name} is {used_ns:,} in {seen.wall_ns:,} ns on {cpus} CPU"
    for part, whole in (
        ("here_busy_ns", "busy_ns"),
        ("here_steal_ns", "steal_ns"),
        ("here_helpers_ns", "helpers_ns"),
        ("here_cpus", "box_cpus"),
    ):
        less, more = getattr(seen, part), getattr(seen, whole)
        if less is not None and more is not None and less > more:
            return f"{part} is {less:,}, and {whole} {more:,}, of which it is a part"
    if owed.case.track == "one-cpu" and seen.here_cpus not in (None, 1):
        return f"it had {seen.here_cpus} CPUs, on the track of one"
    if seen.load is not None and seen.load < 0:
        return f"a load of {seen.load}: none is below 0"
    if seen.box_cpus and owed.online and seen.box_cpus != owed.online:
        return f"the box has {seen.box_cpus} CPUs, and {owed.online} in run.json"
    return None


def _memory(owed: _Owed, line: Invocation) -> str | None:
    """Holds: those that are owed, in their order, with their units, and sizes that can be."""
    spec = owed.spec
    largest = max(
        [held.rss_high for held in line.holds.values()]
        + [line.observed.get(variables.SEEN_HIGH, 0)]
    )
    if owed.memory is not None and largest > owed.memory:
        return f"{largest:,.0f} bytes were resident, and the box has {owed.memory:,}"
    if owed.watched and variables.SEEN_HIGH not in line.observed:
        return f"{variables.SEEN_HIGH} is missing: how large it was with all its tasks alive"
    wanted = {*spec.holds, *(spec.collected if owed.facts.collector else ())}
    if missing := sorted(wanted - set(line.holds)):
        return f"the hold {missing[0]!r} is missing"
    if unknown := sorted(set(line.holds) - wanted):
        return f"the hold {unknown[0]!r} is not in the spec for this runtime"
    return _held(owed, line, wanted)


def _held(owed: _Owed, line: Invocation, wanted: Collection[str]) -> str | None:
    spec, params, alive = owed.spec, owed.params, owed.alive
    order = [point for point in alive if point in wanted]
    if spec.kind != "served" and list(line.holds) != order:
        return f"its holds are in the order {', '.join(line.holds)}, not {', '.join(order)}"
    alive_most = 0
    highest, slack = 0, _UNCOUNTED * max((held.threads for held in line.holds.values()), default=0)
    for point, held in line.holds.items():
        if point in alive and not expression.holds(alive[point], held.units, params):
            return f"{held.units} units at the hold {point}, the spec asks for {alive[point]}"
        # Memory that is given back between the reading of one file and the next is in one of them:
        # that of tasks which have ended, and what a collector that just ran no longer needs.
        falling, alive_most = held.units < alive_most, max(alive_most, held.units)
        resident = held.rss_high if falling or point in spec.collected else held.rss
        if problem := _size(held, resident, whole_pages=spec.kind != "served"):
            return f"at the hold {point} {problem}"
        if held.rss_high + slack < highest:
            return f"the high-water mark falls to {held.rss_high:,} at the hold {point}"
        highest = held.rss_high
    return None


def _size(held: Memory, resident: int, *, whole_pages: bool) -> str | None:
    slack = held.threads * _UNCOUNTED
    if held.threads < 1:
        return "it has no thread"
    if held.private_dirty > held.pss:
        return f"{held.private_dirty:,} private bytes are more than its share, {held.pss:,}"
    if held.private_dirty > resident + slack:
        return (
            f"{held.private_dirty:,} private bytes are more than all that is resident, {resident:,}"
        )
    if held.rss > held.rss_high:
        return f"{held.rss:,} resident bytes are above its high-water mark, {held.rss_high:,}"
    # Of several processes what is shared counts in parts.
    if whole_pages and (held.private_dirty % _PAGE or held.rss % _PAGE):
        return "it has no whole pages"
    return None


def _sampled(owed: _Owed, line: Invocation) -> str | None:
    """Its series: there, as long as asked for, and distributions that add up."""
    spec = owed.spec
    kept_raw = {name for name, asked in spec.series.items() if asked.keep == "raw"}
    for name in line.raw:
        if name not in kept_raw:
            return f"the series {name!r} is not one that is kept as it is"
    counts = {name: len(values) for name, values in line.raw.items()}
    counts |= {name: one.count for name, one in line.series.items() if name not in kept_raw}
    if problem := checks.series(counts, spec, owed.params):
        return problem
    for name, samples in line.series.items():
        if problem := histogram.inconsistency(samples):
            return f"the series {name!r} {problem}"
    return None


_AROUND_TICKS_S = 0.04  # by which four counters in ticks may be off, for each process
_ANSWERS_OVER = 1.01
_ROUNDED_S = 1e-6


def _served(line: Invocation) -> str | None:
    """What the load generator tells, against itself and against what the kernel tells of it."""
    seen, (one, *_) = line.observed, line.iterations
    answers = seen["requests"] + seen["background"]
    parts_s = seen["server_user"] + seen["server_system"]
    generator_ns, helpers_ns = seen["generator_cpu"] * one.elapsed_ns, line.witness.helpers_ns
    streams = {name: s for name, s in seen.items() if name.startswith(variables.elapsed(""))}
    # A client of a closed loop waits for one answer at a time. The oldest runs don't tell the rate.
    is_closed = seen.get("rate") == 0
    waited_ns = max((s.sum_ns for s in line.series.values()), default=0) if is_closed else 0
    for is_wrong, text in (
        (one.ops != answers, f"{one.ops} operations, and {answers:.0f} answers"),
        (
            not one.cpu_ns or abs(one.cpu_ns * 1e-9 - seen["server_cpu"]) > _ROUNDED_S,
            f"{one.cpu_ns:,} ns of CPU, and server_cpu is {seen['server_cpu']}",
        ),
        (
            abs(parts_s - seen["server_cpu"]) > _AROUND_TICKS_S * (1 + seen["processes"]),
            f"server_user and server_system are {parts_s:.3g} s of {seen['server_cpu']:.3g} s",
        ),
        (
            generator_ns > helpers_ns + checks.TICK_NS,
            f"the load generator used {generator_ns:,.0f} ns of CPU, and all of the runner's "
            f"helpers {helpers_ns:,}",
        ),
        (
            max(streams.values(), default=0) > one.elapsed_ns * 1e-9 + _ROUNDED_S,
            f"its streams lasted {streams} s, and all of the load {one.elapsed_ns:,} ns",
        ),
        (
            waited_ns > _ANSWERS_OVER * seen["concurrency"] * one.elapsed_ns,
            f"{seen['concurrency']:.0f} clients waited {waited_ns:,} ns for their answers, in "
            f"{one.elapsed_ns:,} ns",
        ),
    ):
        if is_wrong:
            return text
    return None


def _required(owed: _Owed, line: Invocation) -> str | None:
    """What was observed from outside, and what the spec requires of all quantities."""
    for name, value in line.observed.items():
        if name not in owed.known:
            return f"{name!r} is nothing that is observed of a workload of its kind"
        if not value >= 0:
            return f"{name} is {value}: no quantity is below 0"
    names = variables.of_invocation(owed.params, line)
    for _, text in variables.expressions(owed.spec):
        with suppress(ZeroDivisionError, expression.NoValue):
            expression.evaluate(text, names, line.series)
    return checks.required(owed.spec, names, line.series)


_FEW = 4  # iterations that differ: fewer may be the same by chance
_LONG = 8  # iterations in a row
_PART = f"{_LONG} of its iterations are"
_ALIKE = 5000  # steps in which an iteration is told from the first one by its length
_SPREAD = 1.02  # of those that are told apart so: a calm program repeats itself


def _copies(run: Run) -> Iterator[Problem]:
    """Invocations that are copies of others: as a whole, in another order, in part, or all times by
    one factor. No invocation of the published runs is like another in one of these ways.
    """
    seen: dict[object, Invocation] = {}
    invocations = run.invocations
    outlines = [_Outline.of(line) for line in invocations]
    often = Counter(outline.whole for outline in outlines)
    parts = _in_several([outline.parts for outline in outlines])
    for line, outline in zip(invocations, outlines, strict=True):
        alike = often[outline.whole] > 1 or not parts.isdisjoint(outline.parts)
        for how, mark in _marks(line, alike=alike):
            first = seen.setdefault((how, mark), line)
            if first is not line:
                text = f"{how} those of {_called(first)}"
                yield Problem(f"{_called(line)}: {text}", line)
                break


class _Outline(NamedTuple):
    """What is the same of two invocations whose iterations are, as a whole or in part. A run has
    millions of iterations, and hardly any is looked at again.
    """

    whole: tuple[int, int]
    parts: list[int]

    @classmethod
    def of(cls, line: Invocation) -> _Outline:
        lasted = [one.elapsed_ns for one in line.iterations]
        parts = [hash(row) for row in _rows(lasted) if not row[0] % _LONG]
        return cls((len(lasted), sum(lasted)), parts)


def _rows(values: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """All parts of so many in a row."""
    return zip(*(values[start:] for start in range(_LONG)), strict=False)


def _in_several(given: Iterable[Collection[int]]) -> set[int]:
    """What is in more than one of these."""
    once: set[int] = set()
    again: set[int] = set()
    for one in map(set, given):
        again |= once & one
        once |= one
    return again


def _marks(line: Invocation, *, alike: bool) -> Iterator[tuple[str, object]]:
    """By what an invocation is known. Of parts, which may stand elsewhere in the other, only those
    that begin with a multiple of eight. `alike`: whether another has its outline, or part of it.
    """
    seen = line.witness
    yield (
        "its process has the same times as",
        (seen.wall_ns, seen.user_ns, seen.system_ns, seen.minor_faults),
    )
    if alike:
        counted = Counter((one.elapsed_ns, one.cpu_ns) for one in line.iterations)
        if len(counted) >= _FEW:
            # In any order, and much faster than sorted; a hash of 64 bits is kept of it.
            yield "its iterations are", hash(frozenset(counted.items()))
    first = [one.elapsed_ns for one in line.iterations[:_LONG]]
    if len(first) > _FEW and max(first) > _SPREAD * min(first):
        ratios = tuple(round(_ALIKE * elapsed / first[0]) for elapsed in first)
        yield "the lengths of its iterations are, but for a factor,", ratios
    if alike:
        for row in _rows(line.iterations):
            part = [one.elapsed_ns for one in row]
            if not part[0] % _LONG and len({*part}) == _LONG:
                yield _PART, hash((*part, *[one.cpu_ns for one in row]))
    for name, samples in line.series.items():
        # What is late by whole microseconds, for a clock or a cap as coarse, may be so again.
        if len(samples.buckets) >= _LONG and (samples.least_ns % 1000 or samples.most_ns % 1000):
            yield (
                f"the samples of its series {name} are",
                (name, samples.sum_ns, samples.least_ns, samples.most_ns, *samples.buckets),
            )


def _unlike_commit(read: _Read, origin: Origin) -> Iterator[Problem]:
    """What differs from the repository at the commit that the run names."""
    header, there = read.run.header, origin.suite
    for name, spec in read.specs.items():
        if name not in there.workloads:
            yield Problem(f"there is no workload {name!r} at its commit", ("workloads", name))
        elif spec != there.workloads[name]:
            changed = _changed(
                msgspec.structs.asdict(spec), msgspec.structs.asdict(there.workloads[name])
            )
            text = f"the spec of {name} is not that of its commit: {changed}"
            yield Problem(text, ("workloads", name))
    began = _moment(header.created)
    if began is not None and began < origin.committed - _CLOCK_S:
        text = f"it was begun {origin.committed - began:,.0f} s before its commit was made"
        yield Problem(text, ("created",))
    if header.corobench != origin.corobench:
        text = f"made with corobench {header.corobench[:40]!r}, there {origin.corobench}"
        yield Problem(text, ("corobench",))
    used = {case.runtime for key in read.plan.cases if (case := _case(key))}
    for name, facts in header.runtimes.items():
        runtime = there.runtimes.get(name)
        if runtime is None:
            yield Problem(f"there is no runtime {name!r} at its commit", ("runtimes", name))
            continue
        wanted = runtime.described()
        said = {key: facts[key] for key in wanted if key in facts}
        if changed := _changed(said, wanted):
            text = f"what it says of {name} is not in the manifest of its commit: {changed}"
            yield Problem(text, ("runtimes", name, changed.partition(" ")[0]))
        if name in used and name in read.facts:
            yield from _unlike_sources(name, read.facts[name], runtime, origin)
    yield from _unlike_plan(read, origin)


def _changed(said: Mapping[str, Any], wanted: Mapping[str, Any]) -> str | None:
    """The first key whose values differ, with both."""
    for key in said:
        if said[key] != wanted.get(key):
            return f"{key} is {_short(said[key])}, there {_short(wanted.get(key))}"
    return None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _unlike_sources(
    name: str, facts: _Facts, runtime: Runtime, origin: Origin
) -> Iterator[Problem]:
    try:
        same = origin.hashed(runtime, facts.hashes.get("sources", ""))
        version = origin.version(runtime)
    except (UserError, OSError) as error:
        yield Problem(
            f"the sources of {name} at its commit can't be read: {error}", ("runtimes", name)
        )
        return
    if not same:
        text = f"the hash of the sources of {name} is not that of its commit"
        yield Problem(text, ("runtimes", name, "hashes", "sources"))
    if version is not None and facts.version != version:
        text = (
            f"{name} is version {facts.version!r}, and {version!r} in the lock file of its commit"
        )
        yield Problem(text, ("runtimes", name, "version"))


def _cpus_of_all(box: Mapping[str, Any]) -> int:
    """How many CPUs the track all-cpus had; two where the box does not say."""
    tracks = box.get("tracks")
    cpus = tracks.get("all-cpus") if isinstance(tracks, dict) else None
    return len(cpus) if isinstance(cpus, list) and cpus else 2


def _unlike_plan(read: _Read, origin: Origin) -> Iterator[Problem]:
    """The plan against the one that its selection gives at its commit. An older run doesn't say
    what was selected: there it can only be told that no runtime is missing from a cell.
    """
    header, plan = read.run.header, read.plan
    asked = header.selection
    if asked is None and origin.records_selection:
        yield Problem("it does not say what was selected, as runs of its commit do", ("selection",))
        return
    box = header.box.get("cpu")
    cores = box.get("online") if isinstance(box, dict) else None
    suite = origin.suite if asked else _with_runtimes(origin.suite, header.runtimes)
    selection = asked or Selection(
        profile=plan.profile, runtimes=[*suite.runtimes], workloads=[*header.workloads]
    )
    try:
        made = make_plan(
            suite,
            selection,
            plan.seed,
            cores=cores if isinstance(cores, int) else 1,
            cpus=_cpus_of_all(header.box),
        )
    except UserError as error:
        yield Problem(f"its plan can't be made again at its commit: {error}", ("plan",))
        return
    cells = {case.cell for key in plan.cases if (case := _case(key))}
    gaps = {(gap.workload, gap.runtime, gap.point) for gap in plan.gaps}
    planned = {*plan.cases}
    for key in made.cases:
        case = parse_case(key)
        excused = {(case.workload, case.runtime, point) for point in (None, case.point)} & gaps
        told = asked is not None or case.cell in cells
        if key not in planned and told and not excused and not case.twin:
            yield Problem(f"{key} is left out without a reason", ("plan", "cases"))
    for key in sorted(planned - {*made.cases}):
        case = _case(key)
        if case is not None and not case.twin:
            yield Problem(f"{key} is not what its commit plans", ("plan", "cases"))
    # Manifests of before runs told their selection had other keys for limits.
    given = made.gaps if asked else []
    reasons = {(gap.workload, gap.runtime, gap.point): gap.reason for gap in given}
    for gap in plan.gaps:
        there = reasons.get((gap.workload, gap.runtime, gap.point), gap.reason)
        if gap.reason != there:
            text = f"{gap.workload} of {gap.runtime} is left out for another reason than there: "
            yield Problem(text + _short(there), ("plan", "gaps"))
    for name, point in plan.points.items():
        if name in made.points and made.points[name] != point:
            yield Problem(f"the point {name} is not that of its commit", ("plan", "points", name))


def _with_runtimes(suite: Suite, names: Collection[str]) -> Suite:
    found = {name: one for name, one in suite.runtimes.items() if name in names}
    return msgspec.structs.replace(suite, runtimes=found)
