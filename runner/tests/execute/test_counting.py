"""What counts events: the tables of its tools are read right, and a real run is counted, once."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import msgspec
import planted
import pytest
from needed import tool
from runs import command, corobench, only, suite, wait_for_lines

from corobench.execute import counting, reader
from corobench.execute.counting import Counter, Missed, counters
from corobench.execute.process import Outcome, Trouble
from corobench.execute.program import Program, track_cpus
from corobench.machine.proc import Host
from corobench.results import log
from corobench.results.log import Witness
from corobench.suite.load import load_suite
from corobench.suite.runtime import Counting
from corobench.suite.workload import parse_case
from corobench.toolchains.tools import MissingTool, Tool

REPOSITORY = planted.REPOSITORY
SEEN = Outcome(
    exit_status=0,
    stopped=None,
    stderr="",
    witness=Witness(
        wall_ns=1,
        user_ns=1,
        system_ns=1,
        voluntary=7,
        involuntary=3,
        minor_faults=900,
        major_faults=2,
    ),
    survivors=False,
)
# strace 6.1, whose total has a column more than that of 5.3
STRACE = """\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 95.61    0.256001           6     40006           getpid
  1.23    0.003285           4       704        42 newfstatat
  0.00    0.000000           0         1           execve
------ ----------- ----------- --------- --------- ----------------
100.00    0.259286           6     40711        42 total
"""
BUILT = ("valgrind", "strace")  # perf only where the system has it
GONE = MissingTool(name="valgrind", reason="Valgrind is not installed", help="apt install valgrind")


class Metal(Host, frozen=True):
    """A machine whose kernel knows counters of its processor."""

    def texts(self, pattern: str) -> dict[str, str]:
        return {"/sys/bus/event_source/devices/cpu/type": "4"}


def way(
    event: log.Event, host: Host | None = None, **tools: Tool | MissingTool
) -> Counter | Missed:
    gone = dict.fromkeys(counting.TOOLS, GONE)
    return next(one for one in counters({**gone, **tools}, host or Metal()) if event in one.events)


def made_up(name: str) -> Tool:
    return Tool(name=name, path=Path(f"/usr/bin/{name}"), version="1", origin="system")


def read(event: log.Event, folder: Path, **tools: Tool) -> dict[log.Event, int]:
    found = way(event, **tools)
    assert isinstance(found, Counter)
    return found.read(folder, SEEN)


def test_the_kernel_tells_switches_and_faults(tmp_path: Path) -> None:
    assert read("faults", tmp_path) == {"switches": 7, "faults": 902}


def test_the_table_of_strace_is_read_without_its_total(tmp_path: Path) -> None:
    (tmp_path / "strace").write_text(STRACE)
    assert read("system-calls", tmp_path, strace=made_up("strace")) == {"system-calls": 40711}


@pytest.mark.parametrize("text", ["", "strace: ptrace: Operation not permitted\n"])
def test_no_table_is_no_count(tmp_path: Path, text: str) -> None:
    (tmp_path / "strace").write_text(text)
    with pytest.raises(Trouble, match="table without system calls"):
        read("system-calls", tmp_path, strace=made_up("strace"))


def test_the_instructions_of_all_processes_are_added(tmp_path: Path) -> None:
    for pid, count in ((7, 282), (8, 715)):
        (tmp_path / f"{pid}.cachegrind").write_text(
            f"events: Ir\nfn=main\n1 {count}\nsummary: {count}\n"
        )
    assert read("instructions", tmp_path, valgrind=made_up("valgrind")) == {"instructions": 997}


# what DHAT 3.19 writes, without most of its keys
DHAT = """{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","te":9,"pps":
[{"tb":512,"tbk":2,"fs":[1]},{"tb":88,"tbk":1,"fs":[2]}],"ftbl":["[root]","malloc"]}"""


def test_the_allocations_of_all_processes_are_added(tmp_path: Path) -> None:
    for pid in (7, 8):
        (tmp_path / f"{pid}.dhat").write_text(DHAT)
    found = read("allocations", tmp_path, valgrind=made_up("valgrind"))
    assert found == {"allocations": 6, "allocated-bytes": 1200}


def test_valgrind_leaves_such_an_account(tmp_path: Path) -> None:
    """Of a program that asks malloc for 300 blocks more than another."""
    found = way("allocations", valgrind=tool("valgrind"))
    assert isinstance(found, Counter)
    counts = []
    for times in (100, 400):
        folder = tmp_path / str(times)
        folder.mkdir()
        script = f"for i in $(seq {times}); do set -- $i$i$i$i; done"
        words = [*found.words(folder, {}), "/bin/sh", "-c", script]
        subprocess.run(words, env=dict(found.env), check=True)
        counts.append(found.read(folder, SEEN))
    assert counts[1]["allocations"] - counts[0]["allocations"] >= 300
    assert counts[1]["allocated-bytes"] > counts[0]["allocated-bytes"]


@pytest.mark.parametrize(
    ("text", "reason"), [(None, "left no account"), (DHAT[:60], "account of the heap is cut off")]
)
def test_half_an_account_is_no_count(tmp_path: Path, text: str | None, reason: str) -> None:
    if text is not None:
        (tmp_path / "7.dhat").write_text(text)
    with pytest.raises(Trouble, match=reason):
        read("allocations", tmp_path, valgrind=made_up("valgrind"))


def program(name: str, heap: dict[str, str] | None) -> Program:
    """Its spawn; `heap`: what its manifest says of it."""
    repository = load_suite(REPOSITORY)
    runtime = repository.runtimes[name]
    toolchain = msgspec.structs.replace(runtime.toolchain, count=Counting(heap=heap))
    runtime = msgspec.structs.replace(runtime, toolchain=toolchain)
    return Program(runtime, repository.workloads["spawn"], planted.prepared(name), "", {})


def test_allocations_are_those_of_malloc() -> None:
    ways = way("allocations", valgrind=made_up("valgrind"))
    for heap in ({}, {"POOLS": "off"}):
        suited = counting.suited(ways, program("asyncio", heap))
        assert isinstance(suited, Counter)
        assert suited.env == heap


@pytest.mark.parametrize(
    ("name", "heap", "reason"),
    [
        ("go", None, "programs of Go have a heap of their own, which malloc doesn't see"),
        (
            "asyncio-jemalloc",
            {},
            "another malloc is preloaded, in whose place Valgrind would put its own",
        ),
        (
            "pthread-musl",
            {},
            "it is linked statically, and Valgrind puts its own malloc only where one is loaded",
        ),
    ],
)
def test_a_heap_that_malloc_does_not_see_is_a_reason(
    name: str, heap: dict[str, str] | None, reason: str
) -> None:
    suited = counting.suited(way("allocations", valgrind=made_up("valgrind")), program(name, heap))
    assert isinstance(suited, Missed)
    assert (suited.reason, suited.mends) == (reason, False)
    # what doesn't look at the heap is for every program
    other = way("system-calls", strace=made_up("strace"))
    assert counting.suited(other, program(name, heap)) == other


def test_no_file_of_valgrind_is_no_count(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="Valgrind left no count"):
        read("instructions", tmp_path, valgrind=made_up("valgrind"))


# `perf stat -x; -e cycles:u,...` of perf 6.1: on a machine, on one without counters, with too few
PERF = """\
# started on Fri Nov 27 22:00:00 2026

1234567;;cycles:u;9000000;100.00;;
34567;;cycles:k;9000000;100.00;;
2469134;;instructions:u;9000000;100.00;2.00;insn per cycle
45678;;instructions:k;9000000;100.00;1.32;insn per cycle
"""


def test_the_counters_of_the_processor_are_read(tmp_path: Path) -> None:
    (tmp_path / "perf").write_text(PERF)
    assert read("cycles", tmp_path, perf=made_up("perf")) == {
        "cycles": 1234567,
        "kernel-cycles": 34567,
        "retired": 2469134,
        "kernel-instructions": 45678,
    }


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1234567;", "<not supported>;", "counter cycles:u can't be read here (<not supported>)"),
        ("1234567;", "<not counted>;", "can't be read here (<not counted>): corobench doctor"),
        ("100.00;;", "66.67;;", "cycles:u was counted during 66.67 % of the time"),
        ("cycles:k", "cycles", "cycles:k can't be read here (no line)"),
    ],
)
def test_counters_that_are_absent_or_shared_give_no_number(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    (tmp_path / "perf").write_text(PERF.replace(old, new, 1))
    with pytest.raises(Trouble) as wrong:
        read("cycles", tmp_path, perf=made_up("perf"))
    assert reason in wrong.value.reason


def test_a_tool_that_is_missing_is_a_reason() -> None:
    found = way("instructions")
    assert isinstance(found, Missed)
    assert found.reason == "Valgrind is not installed; apt install valgrind"


# What Valgrind 3.19 says, shortened.
ENDED = """\
--17254-- warning: L3 cache found, using its data for the LL simulation.
==17254== Process terminating with default action of signal 11 (SIGSEGV): dumping core
==17254==  If you believe this happened as a result of a stack overflow
==17254==  The main thread stack size used in this run was 8388608.
"""
THREADS = """\
Use --max-threads=INT to specify a larger number of threads
and rerun valgrind
valgrind: the 'impossible' happened:
   Max number of threads is too low
In the bug report, send all the above text, the valgrind
version, and what OS and version you are using.  Thanks.
"""


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        (ENDED, "Valgrind: Process terminating with default action of signal 11 (SIGSEGV)"),
        (THREADS, "Valgrind: Max number of threads is too low"),
        (
            "epoll_pwait2: Function not implemented\n",
            "it ended (epoll_pwait2: Function not implemented)",
        ),
        ("--6623-- warning: simulated LL cache: line_size 64\n", "it ended"),
        ("", "it ended"),
    ],
)
def test_why_valgrind_ended_a_program_is_told(errors: str, told: str) -> None:
    seen = msgspec.structs.replace(SEEN, stderr=errors)
    assert counting._told(Trouble("status", "it ended", seen)) == told


def test_more_threads_are_counted_than_valgrind_expects(tmp_path: Path) -> None:
    way = counting.instructions(tool("valgrind"))
    assert isinstance(way, Counter)
    many = (
        "import threading; gate = threading.Event(); "
        "threads = [threading.Thread(target=gate.wait) for _ in range(600)]; "
        "[one.start() for one in threads]; gate.set(); [one.join() for one in threads]"
    )
    words = [*way.words(tmp_path, {}), sys.executable, "-S", "-c", many]
    subprocess.run(words, env=dict(way.env), check=True, capture_output=True)
    assert way.read(tmp_path, SEEN)["instructions"] > 0


def test_what_a_tool_needs_does_not_reach_the_program(tmp_path: Path) -> None:
    unpacked = msgspec.structs.replace(made_up("strace"), env={"LD_LIBRARY_PATH": "/unpacked"})
    found = way("system-calls", strace=unpacked)
    assert isinstance(found, Counter)
    without, with_own = (found.words(tmp_path, env) for env in ({}, {"LD_LIBRARY_PATH": "/own"}))
    assert without[1:3] == ["-E", "LD_LIBRARY_PATH"]
    assert with_own[1:3] == ["-E", "LD_LIBRARY_PATH=/own"]


@pytest.mark.parametrize(
    ("workload", "point", "operation_s", "expected"),
    [
        ("startup", "mode=bare", 1e-3, [1]),
        ("switch", "k=2,m=500", 1e-6, [16, 32]),  # 10 ms are 10,000 operations of 1 us
        ("switch", "k=2,m=500", 1e-9, [4096, 8192]),  # at most 4,000,000 are asked for
        ("switch", "k=2,m=500", 1.0, [1, 2]),  # at least 1,000
        ("spawn-chain", "n=10000", 1e-6, [1, 2]),
    ],
)
def test_lengths_last_long_enough(
    workload: str, point: str, operation_s: float, expected: list[int]
) -> None:
    spec = load_suite(REPOSITORY).workloads[workload]
    named = next(one for one in spec.point if one.name == point)
    assert counting.lengths(spec, named, operation_s, 10.0) == expected


def test_lengths_that_take_the_same_are_no_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As of LuaJIT's fan-in, which now and then compiles another loop."""
    took = iter([(1000, {"instructions": 220_797}), (2000, {"instructions": 221_000})])
    monkeypatch.setattr(counting, "_process", lambda *_: next(took))
    spec = load_suite(REPOSITORY).workloads["spawn"]
    task = counting.Task(
        "spawn/n=1000/one-cpu/asyncio", program("asyncio", None), spec.point[0], 1e-6
    )
    line = counting.count(task, frozenset({0}), [way("instructions", valgrind=made_up("valgrind"))])
    assert line.tallies == {}
    assert line.reasons["instructions"].startswith("2,000 operations took 221,000 instructions")


def told(case: str, *, counted: bool = False) -> log.Count:
    return log.Count(
        case=case,
        at="2026-11-29T12:00:00+00:00",
        tools={},
        tallies={"instructions": [[log.Tally(1, 2), log.Tally(2, 4)]]} if counted else {},
        reasons={} if counted else {"instructions": "signal 11"},
    )


@pytest.mark.parametrize(
    ("tried", "given_up"),
    [
        ([told("spawn/n=1000/one-cpu/java")], False),
        # the same workload at another point may only be too long
        ([told("spawn/n=1000/one-cpu/java"), told("spawn/n=10000/one-cpu/java")], False),
        ([told("spawn/n=1000/one-cpu/java"), told("switch/k=2,m=500/one-cpu/erlang")], False),
        ([told("spawn/n=1000/one-cpu/java"), told("switch/k=2,m=500/one-cpu/java")], True),
        (
            [
                told("spawn/n=1000/one-cpu/java"),
                told("switch/k=2,m=500/one-cpu/java"),
                told("baseline/n=1000/one-cpu/java", counted=True),
            ],
            False,
        ),
    ],
)
def test_a_runtime_that_can_not_run_under_a_counter_is_not_tried_on_and_on(
    tried: list[log.Count], given_up: bool
) -> None:
    found = way("instructions", valgrind=made_up("valgrind"))
    assert isinstance(found, Counter)
    missed = counting.hopeless(found, "java", tried)
    assert (missed is not None) == given_up
    if missed:
        assert missed.events == ("instructions",)
        assert missed.reason == "not tried, since spawn and switch failed (signal 11)"


def test_times_under_a_tool_say_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """strace slows a virtual machine down until its clocks no longer agree."""
    planted_suite = planted.plant(tmp_path, {"spawn": planted.honest("spawn")})
    program = planted.program(planted_suite, "spawn")
    monkeypatch.setattr(reader, "_impossible", lambda *_: "impossible times")
    cpus = track_cpus("one-cpu")
    arguments, expected = program.ask({"n": 10}, 1, 1)
    with pytest.raises(Trouble, match="impossible times"):
        reader.converse(program.launch(cpus, arguments), expected)
    nothing = Counter(("faults",), lambda *_: [], lambda *_: {"faults": 7})
    point = program.workload.point[0]
    task = counting.Task(f"spawn/{point.name}/one-cpu/planted", program, point, 1e-5)
    counted = counting.count(task, cpus, [nothing])
    assert counted.reasons == {}
    assert len(counted.tallies["faults"]) == log.COUNTED_PROCESSES


def counting_suite(root: Path, *names: str) -> Path:
    """With these tools of this checkout. Under Valgrind a process of CPython takes seconds: whoever
    doesn't look at instructions does without.
    """
    suite(root)
    for name in names:
        tool(name)
        place = root / f"runner/tools/{name}.toml"
        place.parent.mkdir(exist_ok=True)
        shutil.copy(REPOSITORY / f"runner/tools/{name}.toml", place)
    (root / ".toolchain").symlink_to(REPOSITORY / ".toolchain")
    return root


def measured(root: Path) -> Path:
    arguments = ["--profile", "smoke", "--workloads", "spawn,baseline"]
    made = corobench(root, "run", *arguments)
    assert made.returncode == 0, made.stderr
    return only(root)


def rewrite(folder: Path, lines: Iterable[log.Line]) -> None:
    """The log of a run as it would be with these lines alone."""
    (folder / log.PACKED).unlink()
    encode = msgspec.json.Encoder().encode
    (folder / log.LOG).write_bytes(b"".join(encode(line) + b"\n" for line in lines))


def test_a_run_is_counted_once_and_stays_as_it_was(tmp_path: Path) -> None:
    folder = measured(counting_suite(tmp_path, *BUILT))
    before = log.read(folder)
    first = corobench(tmp_path, "count", "--workloads", "spawn")
    assert first.returncode == 0, first.stderr
    found = log.read(folder)
    assert found.lines[: len(before.lines)] == before.lines
    (line,) = found.counts.values()
    assert line.case.startswith("spawn/")
    assert set(BUILT) <= set(line.tools)
    everywhere: list[log.Event] = ["instructions", "system-calls", "switches", "faults"]
    assert {len(line.tallies[event]) for event in everywhere} == {log.COUNTED_PROCESSES}
    assert line.tallies.keys() | line.reasons.keys() == set(get_args(log.Event))
    for short, long in line.tallies["instructions"]:
        assert long.ops == 2 * short.ops
        assert long.events - short.events > 1000 * short.ops, "a task of asyncio takes thousands"
    assert "have a heap of their own" in line.reasons["allocations"], "its manifest says no more"
    assert (folder / log.PACKED).exists()
    assert not (folder / log.LOG).exists()
    (tmp_path / "runner/tools/valgrind.toml").unlink()  # from here nothing looks at instructions
    rest = corobench(tmp_path, "count")
    assert rest.returncode == 0, rest.stderr
    assert len(log.read(folder).counts) == 2
    none = corobench(tmp_path, "count")
    assert "0 cases counted" in none.stderr
    again = corobench(tmp_path, "count", "--workloads", "spawn", "--again")
    assert again.returncode == 0, again.stderr
    assert len(log.read(folder).lines) == len(before.lines) + 3


def test_an_event_of_which_nothing_is_told_is_counted_later(tmp_path: Path) -> None:
    """A run that was counted before there was this event: the others are not counted again."""
    folder = measured(counting_suite(tmp_path, "strace"))
    assert corobench(tmp_path, "count").returncode == 0
    run = log.read(folder)
    gone: log.Event = "faults"
    lines = [
        msgspec.structs.replace(line, tallies={e: t for e, t in line.tallies.items() if e != gone})
        if isinstance(line, log.Count)
        else line
        for line in run.lines
    ]
    rewrite(folder, lines)
    later = corobench(tmp_path, "count")
    assert later.returncode == 0, later.stderr
    found = log.read(folder)
    added = [line for line in found.lines[len(run.lines) :] if isinstance(line, log.Count)]
    assert [line.told for line in added] == [{"switches", "faults"}] * 2
    for case, line in found.counts.items():
        assert gone in line.tallies
        assert line.tallies["system-calls"] == run.counts[case].tallies["system-calls"]


def test_a_count_that_is_interrupted_goes_on(tmp_path: Path) -> None:
    folder = measured(counting_suite(tmp_path, "strace"))
    words, env = command(tmp_path, "count")
    lines = len(log.read(folder).lines)
    process = subprocess.Popen(
        words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=False
    )
    wait_for_lines(tmp_path, lines, process)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate()
    assert process.returncode == 130, errors
    assert b"What was counted is saved; go on with" in errors
    assert log.read(folder).warnings == []
    again = corobench(tmp_path, "count")
    assert again.returncode == 0, again.stderr
    assert len(log.read(folder).counts) == 2


def test_without_counters_of_the_processor_all_their_events_are_missed_at_once(
    tmp_path: Path,
) -> None:
    found = way("cycles", Host(root=tmp_path), perf=made_up("perf"))
    assert isinstance(found, Missed)
    assert {"cycles", "retired", "branch-misses"} <= set(found.events)
    assert "virtual machines" in found.reason


def test_what_nothing_counts_is_said_once(tmp_path: Path) -> None:
    folder = measured(suite(tmp_path))
    none = corobench(tmp_path, "count")
    assert none.stderr.count("no instructions: ") == 1
    told = next(line for line in none.stderr.splitlines() if line.startswith("[1/"))
    assert "faults" in told
    assert "instructions" not in told
    assert log.read(folder).counts


def test_what_can_not_be_counted_is_said(tmp_path: Path) -> None:
    folder = measured(suite(tmp_path))
    unknown = corobench(tmp_path, "count", "--runtimes", "plantet")
    assert (unknown.returncode, "did you mean 'planted'" in unknown.stderr) == (2, True)
    # this checkout of the test's own has no tools
    none = corobench(tmp_path, "count")
    assert none.returncode == 0, none.stderr
    assert "count: no instructions: " in none.stderr
    line = next(iter(log.read(folder).counts.values()))
    assert {"instructions", "system-calls", "cycles"} <= set(line.reasons)
    assert "faults" in line.tallies
    source = tmp_path / "planted" / "one" / "spawn.py"
    source.write_text(source.read_text() + "\n# changed\n")
    changed = corobench(tmp_path, "count", "--again")
    assert changed.returncode == 2
    assert "can't be counted: the hash of the " in changed.stderr


def test_what_is_not_counted_may_be_another_by_now(tmp_path: Path) -> None:
    first, second = suite(tmp_path) / "planted/one", tmp_path / "planted/two"
    shutil.copytree(first, second)
    manifest = (first / "runtime.toml").read_text()
    (second / "runtime.toml").write_text(manifest.replace('"planted"', '"other"'))
    folder = measured(tmp_path)
    source = first / "spawn.py"
    source.write_text(source.read_text() + "\n# changed\n")
    assert "the hash of the" in corobench(tmp_path, "count").stderr
    counted = corobench(tmp_path, "count", "--runtimes", "other")
    assert counted.returncode == 0, counted.stderr
    assert {parse_case(case).runtime for case in log.read(folder).counts} == {"other"}


def test_an_unfinished_run_is_not_counted(tmp_path: Path) -> None:
    folder = measured(suite(tmp_path))
    run = log.read(folder)
    rewrite(folder, run.lines[:-1])
    result = corobench(tmp_path, "count")
    assert result.returncode == 2
    assert "is not finished; go on with it first" in result.stderr
