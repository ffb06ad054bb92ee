"""Counts the events that a case takes: instructions, system calls, context switches, page faults,
allocations.

The program is that of a timed invocation, with the same arguments but for their length. What it
needs to start and to end is in both of two lengths, and gone from their difference. Counts don't
depend on the speed of the box or on its load, so that several cases are counted side by side.
"""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from corobench.execute import process
from corobench.execute.monitor import Limits
from corobench.execute.process import Launch, Outcome, Trouble, published
from corobench.execute.program import Program
from corobench.execute.reader import converse
from corobench.execute.watchdog import scratch
from corobench.machine.proc import Host, has_counters
from corobench.plan import Plan
from corobench.results.log import COUNTED_PROCESSES, Count, Event, Run, Tally, between
from corobench.suite import expression
from corobench.suite.runtime import fill
from corobench.suite.workload import WARM_MS, Point, Workload, parse_case
from corobench.toolchains.tools import MissingTool, Tool

TOOLS = ("valgrind", "strace", "perf")
_OPERATIONS = (1_000, 4_000_000)  # of the shorter length
# Milliseconds of it, untold by any tool. Under Valgrind they are fifty times as many, and a JIT has
# compiled after fewer than it takes until times are settled.
_LENGTH_MS, _LENGTH_COMPILED_MS = 10, 100
_TIMEOUT_S = 180.0
_FAILURES = 2  # workloads of a runtime, before a counter is given up for it
_THREADS = "--max-threads=4000"  # that Valgrind keeps in mind; it gives up at 500 otherwise
# What Valgrind says where it ends a program; after it come words of how to report a bug.
_ENDED = re.compile(
    r"Max number of threads is too low"
    r"|Process terminating with default action of signal \d+ \(\w+\)"
    r"|memory management: out of memory"
    r"|Unrecognised instruction at address"
)
_WARNING = re.compile(r"--\d+--")
_NO_COUNTERS = "this kernel knows no counters of the processor, as in most virtual machines"


class Counter(msgspec.Struct, frozen=True):
    """What counts some events of a process. `words`: what stands before its command line, of a
    folder for the output and of the program's own environment; `read` takes the counts from that
    folder and from how the process ended. `env`: of the tool. `heap`: whether it sees allocations,
    where they are malloc's.
    """

    events: tuple[Event, ...]
    words: Callable[[Path, Mapping[str, str]], list[str]]
    read: Callable[[Path, Outcome], dict[Event, int]]
    env: Mapping[str, str] = {}
    tools: Mapping[str, str] = {}
    heap: bool = False


class Missed(msgspec.Struct, frozen=True):
    """Events that nothing here counts, and why. `mends`: whether what is to be installed helps."""

    events: tuple[Event, ...]
    reason: str
    mends: bool = True


def counters(tools: Mapping[str, Tool | MissingTool], host: Host) -> list[Counter | Missed]:
    """What counts each event on this box; `tools` are those of TOOLS."""
    return [
        Counter(("switches", "faults"), lambda _folder, _env: [], _of_kernel),
        instructions(tools["valgrind"]),
        _system_calls(tools["strace"]),
        _allocations(tools["valgrind"]),
        *(
            (_hardware(tools["perf"], names) for names in _HARDWARE)
            if has_counters(host)
            else [
                Missed(tuple(event for names in _HARDWARE for event in names), _NO_COUNTERS, False)
            ]
        ),
    ]


# As perf calls them. Apart, so that each finds enough counters at once.
_HARDWARE: tuple[dict[Event, str], ...] = (
    {
        "cycles": "cycles:u",
        "kernel-cycles": "cycles:k",
        "retired": "instructions:u",
        "kernel-instructions": "instructions:k",
    },
    {"branch-misses": "branch-misses:u", "cache-misses": "cache-misses:u"},
)


def _hardware(tool: Tool | MissingTool, names: Mapping[Event, str]) -> Counter | Missed:
    if isinstance(tool, MissingTool):
        return Missed(tuple(names), f"{tool.reason}; {tool.help}")
    return Counter(
        tuple(names),
        lambda folder, _env: [
            *(str(tool.path), "stat", "-x;", "-o", str(folder / "perf")),
            *("-e", ",".join(names.values()), "--"),
        ],
        lambda folder, outcome: _of_perf(folder, outcome, names),
        tool.env,
        {"perf": tool.version},
    )


def _of_perf(folder: Path, outcome: Outcome, names: Mapping[Event, str]) -> dict[Event, int]:
    """Its lines are `value;unit;event;ns that it was counted;% of the time that it was`."""
    try:
        lines = (folder / "perf").read_text("utf-8", errors="replace").splitlines()
    except FileNotFoundError as error:
        raise Trouble("wrong", "perf left no count", outcome) from error
    rows = {row[2]: row for line in lines if len(row := line.split(";")) >= 5}
    found: dict[Event, int] = {}
    for event, name in names.items():
        value, share = (rows[name][0], rows[name][4]) if name in rows else ("", "")
        if not value.isdigit():
            raise Trouble(
                "wrong",
                f"the processor's counter {name} can't be read here ({value or 'no line'}): "
                "corobench doctor says what to allow",
                outcome,
            )
        if share.partition(".")[0] != "100":
            text = f"{name} was counted during {share} % of the time: too few counters at once"
            raise Trouble("wrong", text, outcome)
        found[event] = int(value)
    return found


def instructions(tool: Tool | MissingTool) -> Counter | Missed:
    """What counts instructions by this Valgrind."""
    if isinstance(tool, MissingTool):
        return Missed(("instructions",), f"{tool.reason}; {tool.help}")
    if (fixed := shutil.which("setarch")) is None:
        return Missed(("instructions",), "setarch is not installed; install util-linux")
    return Counter(
        ("instructions",),
        # Without random addresses: where a table is hashed by them, others cost other instructions.
        lambda folder, _env: [fixed, "-R", *_cachegrind(tool, folder)],
        _of_cachegrind,
        tool.env,
        {"valgrind": tool.version},
    )


def _system_calls(tool: Tool | MissingTool) -> Counter | Missed:
    if isinstance(tool, MissingTool):
        return Missed(("system-calls",), f"{tool.reason}; {tool.help}")
    return Counter(
        ("system-calls",),
        lambda folder, env: [
            str(tool.path),
            *(option for name in tool.env for option in ("-E", _own(name, env))),
            *("-f", "-c", "-o", str(folder / "strace")),
        ],
        _of_strace,
        tool.env,
        {"strace": tool.version},
    )


def _own(name: str, env: Mapping[str, str]) -> str:
    """What strace sets of a variable that it needs itself: as the program has it, or nothing."""
    return f"{name}={env[name]}" if name in env else name


def _cachegrind(tool: Tool, folder: Path) -> list[str]:
    """Not Callgrind, which follows calls and ends at Go's signals on its other stacks (3.19)."""
    return [
        str(tool.path),
        "-q",
        "--tool=cachegrind",
        "--cache-sim=no",
        _THREADS,
        # With it a block is translated together with what it jumps to: code that a JIT writes anew
        # would be seen too late.
        "--vex-guest-chase=no",
        "--trace-children=yes",
        f"--cachegrind-out-file={folder}/%p.cachegrind",
    ]


def _of_cachegrind(folder: Path, outcome: Outcome) -> dict[Event, int]:
    """Of the process and of all that it started."""
    totals = [
        int(line.split()[1])
        for file in folder.glob("*.cachegrind")
        for line in file.read_text("utf-8", errors="replace").splitlines()
        if line.startswith("summary:")
    ]
    if not totals:
        raise Trouble("wrong", "Valgrind left no count", outcome)
    return {"instructions": sum(totals)}


def _of_strace(folder: Path, outcome: Outcome) -> dict[Event, int]:
    """The fourth column of its table, of which only the fifth may be empty."""
    try:
        lines = (folder / "strace").read_text("utf-8", errors="replace").splitlines()
    except FileNotFoundError as error:
        raise Trouble("wrong", "strace left no count", outcome) from error
    rows = [line.split() for line in lines]
    calls = [
        int(row[3])
        for row in rows
        if len(row) in (5, 6) and row[3].isdigit() and row[-1] != "total"
    ]
    if not calls:
        raise Trouble("wrong", "strace left a table without system calls", outcome)
    return {"system-calls": sum(calls)}


def _allocations(tool: Tool | MissingTool) -> Counter | Missed:
    events: tuple[Event, ...] = ("allocations", "allocated-bytes")
    if isinstance(tool, MissingTool):
        return Missed(events, f"{tool.reason}; {tool.help}")
    return Counter(
        events,
        lambda folder, _env: [
            str(tool.path),
            "-q",
            "--tool=dhat",
            _THREADS,
            "--trace-children=yes",
            f"--dhat-out-file={folder}/%p.dhat",
        ],
        _of_dhat,
        tool.env,
        {"valgrind": tool.version},
        heap=True,
    )


class _Site(msgspec.Struct, frozen=True, rename={"blocks": "tbk", "bytes": "tb"}):
    """A place that allocates, and what it has over the whole life of the process."""

    blocks: int
    bytes: int


class _Dhat(msgspec.Struct, frozen=True):
    pps: list[_Site]


def _of_dhat(folder: Path, outcome: Outcome) -> dict[Event, int]:
    """Of the process and of all that it started."""
    files = list(folder.glob("*.dhat"))
    if not files:
        raise Trouble("wrong", "Valgrind left no account of the heap", outcome)
    try:
        sites = [s for f in files for s in msgspec.json.decode(f.read_bytes(), type=_Dhat).pps]
    except msgspec.DecodeError as error:
        raise Trouble("wrong", "Valgrind's account of the heap is cut off", outcome) from error
    return {
        "allocations": sum(site.blocks for site in sites),
        "allocated-bytes": sum(site.bytes for site in sites),
    }


def suited(way: Counter | Missed, program: Program) -> Counter | Missed:
    """The way for a program, or why it would see nothing of what the program does."""
    if isinstance(way, Missed) or not way.heap:
        return way
    toolchain = program.runtime.toolchain
    if toolchain.count.heap is None:
        text = f"programs of {toolchain.title} have a heap of their own, which malloc doesn't see"
        return Missed(way.events, text, mends=False)
    if "LD_PRELOAD" in program.runtime.variant.env:
        text = "another malloc is preloaded, in whose place Valgrind would put its own"
        return Missed(way.events, text, mends=False)
    if "-static" in str(program.runtime.variant.settings.get("flags", "")).split():
        text = "it is linked statically, and Valgrind puts its own malloc only where one is loaded"
        return Missed(way.events, text, mends=False)
    return msgspec.structs.replace(way, env={**way.env, **toolchain.count.heap})


def _of_kernel(_folder: Path, outcome: Outcome) -> dict[Event, int]:
    seen = outcome.witness
    return {"switches": seen.voluntary, "faults": seen.minor_faults + seen.major_faults}


def counted_cases(run: Run) -> dict[str, float]:
    """The cases of a run whose events are counted, with the seconds that an operation took: on one
    CPU, where threads taking turns is what happens anyway, each once, and only where there is a
    time.
    """
    took: dict[str, float] = {}
    for one in run.invocations:
        seconds = min(i.elapsed_ns / i.ops for i in one.iterations) * 1e-9
        took[one.case] = min(seconds, took.get(one.case, math.inf))
    plan = run.header.plan
    return {key: took[key] for key in plan.cases if key in took and _is_counted(plan, key)}


def _is_counted(plan: Plan, key: str) -> bool:
    case = parse_case(key)
    point = plan.points[f"{case.workload}/{case.point}"]
    return point.counted and case.track == "one-cpu" and not case.twin


class Task(msgspec.Struct, frozen=True):
    """A case to count: its key, program and point, and the seconds that an operation took."""

    key: str
    program: Program
    point: Point
    operation_s: float


def count(task: Task, cpus: frozenset[int], ways: Iterable[Counter | Missed]) -> Count:
    """Counts a case. Never raises for what the program does: its events have a reason then."""
    tallies: dict[Event, list[list[Tally]]] = {}
    reasons: dict[Event, str] = {}
    versions: dict[str, str] = {}
    for way in ways:
        if isinstance(way, Missed):
            reasons |= dict.fromkeys(way.events, way.reason)
            continue
        try:
            tallies |= _by(way, task, cpus)
            versions |= way.tools
        except Trouble as wrong:
            reasons |= dict.fromkeys(way.events, published(_told(wrong), task.program.root))
    return Count(
        case=task.key,
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        tools=versions,
        tallies=tallies,
        reasons=reasons,
    )


def hopeless(way: Counter | Missed, runtime: str, counted: Iterable[Count]) -> Missed | None:
    """Of a runtime that failed under a counter in two workloads, and succeeded in none, the other
    cases are not tried: a virtual machine under Valgrind takes its time to fail. `counted`: what
    the same command has tried, with the same tools.
    """
    if isinstance(way, Missed):
        return None
    event = way.events[0]
    failed: dict[str, str] = {}
    for one in counted:
        case = parse_case(one.case)
        if case.runtime != runtime:
            continue
        if event in one.tallies:
            return None
        if event in one.reasons:
            failed.setdefault(case.workload, one.reasons[event])
    if len(failed) < _FAILURES:
        return None
    workloads = " and ".join(list(failed)[:_FAILURES])
    reason = next(iter(failed.values()))
    return Missed(way.events, f"not tried, since {workloads} failed ({reason})", mends=False)


def _told(wrong: Trouble) -> str:
    """With what Valgrind says of a program that it can't run, in its last words if it doesn't say
    why.
    """
    errors = wrong.outcome.stderr.strip() if wrong.outcome else ""
    if ended := _ENDED.search(errors):
        return f"Valgrind: {ended[0]}"
    lines = [line.strip() for line in errors.splitlines() if not _WARNING.match(line)]
    last = lines[-1][:200] if lines else ""
    return wrong.reason if not last or last in wrong.reason else f"{wrong.reason} ({last})"


def _by(way: Counter, task: Task, cpus: frozenset[int]) -> dict[Event, list[list[Tally]]]:
    program = task.program
    # What asks for more warm time than others compiles while it runs.
    compiled = program.runtime.manifest.warm_ms > WARM_MS
    least_ms = _LENGTH_COMPILED_MS if compiled else _LENGTH_MS
    found: dict[Event, list[list[Tally]]] = {event: [] for event in way.events}
    for number in range(1, COUNTED_PROCESSES + 1):
        each: dict[Event, list[Tally]] = {event: [] for event in way.events}
        for iterations in lengths(program.workload, task.point, task.operation_s, least_ms):
            ops, counted = _process(way, task, cpus, number, iterations)
            for event in way.events:
                each[event].append(Tally(ops, counted[event]))
        for event, tallies in each.items():
            if event == "instructions":
                _check_length(tallies)
            found[event].append(tallies)
    return found


def _check_length(tallies: Sequence[Tally]) -> None:
    """Trouble where the longer process took hardly more instructions than the shorter one."""
    more = between(tallies)
    if more.events < more.ops:
        first, last = tallies[0], tallies[-1]
        text = (
            f"{last.ops:,} operations took {last.events:,} instructions, and {first.ops:,} took "
            f"{first.events:,}: what is compiled while it runs differs from process to process"
        )
        raise Trouble("wrong", text)


def lengths(workload: Workload, point: Point, operation_s: float, least_ms: float) -> list[int]:
    """Iterations of the processes that are compared, the shorter of at least so many milliseconds,
    of an operation that takes so many seconds; a start of a process is its only one.

    In powers of two, so that another box seldom has others.
    """
    if workload.kind == "startup":
        return [1]
    ops = int(expression.evaluate(workload.evidence["ops"].removeprefix("== "), point.params))
    fewest, most = _OPERATIONS
    wanted = min(max(least_ms * 1e-3 / operation_s, fewest), most)
    least = 2 ** max(0, math.ceil(math.log2(wanted / ops)))
    return [least, 2 * least]


def _process(
    way: Counter, task: Task, cpus: frozenset[int], number: int, iterations: int
) -> tuple[int, dict[Event, int]]:
    """The operations of a process, which its evidence proves, and its events."""
    program, point = task.program, task.point
    starts = program.workload.kind == "startup"
    arguments, expected = program.ask(point.params, len(cpus), iterations)
    if starts:
        arguments = program.arguments(point.params)
    plain = program.launch(cpus, arguments, _TIMEOUT_S)
    with scratch(program.token) as name:
        launch = under(plain, way, program, Path(name), number)
        if starts:
            ops, outcome = 1, process.run_well(launch, lambda _line, _pid: None)
        else:
            reading = converse(launch, expected, timed=False)
            ops = sum(iteration.ops for iteration in reading.iterations)
            outcome = reading.outcome
        return ops, way.read(Path(name), outcome)


def under(launch: Launch, way: Counter, program: Program, folder: Path, number: int) -> Launch:
    """The same process under a counter, which leaves its output in `folder`; `number`: which of
    several processes it is, which decides its seed.
    """
    toolchain = program.runtime.toolchain
    own = {
        name: fill(value, {"process": str(number)}, f"{toolchain.folder}: count.env.{name}")
        for name, value in toolchain.count.env.items()
    }
    return msgspec.structs.replace(
        launch,
        argv=[*way.words(folder, launch.env), *launch.argv],
        env={**launch.env, **way.env, **own},
        # Valgrind maps more than the program does; what the machine has bounds it all the same.
        limits=Limits(timeout_s=launch.limits.timeout_s, memory=launch.limits.memory),
    )
