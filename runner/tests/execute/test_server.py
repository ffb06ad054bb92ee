"""Servers under load: what is observed of them, what is refused, and that nothing of them stays."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec
import patience
import planted
import pytest
import serving

from corobench.execute.invocation import Place, measure
from corobench.execute.program import Program
from corobench.execute.server import apart
from corobench.execute.verify import check, job
from corobench.results.log import Failure, Invocation
from corobench.statistics import samples
from corobench.suite.load import load_workload
from corobench.suite.workload import Parameter, Point

RUNNER = """
import os, sys
from pathlib import Path
import planted
from corobench.execute.invocation import Place, measure
from corobench.execute.watchdog import Watchdog
from corobench.suite.load import load_suite
from corobench.suite.workload import Point

root, load, mark = sys.argv[1:]
program = planted.program(load_suite(Path(root)), "http", mark, {"load": Path(load)})
cpus = frozenset([max(os.sched_getaffinity(0))])
with Watchdog(mark):
    point = Point(params={"phase": "one-keep", "n": 4, "least_ms": 0}, profiles=["smoke"])
    measure(program, point, cpus, Place(case="x", block=0, position=0))
"""
HTTP = Path(__file__).parents[2] / "workloads/http.toml"
PLACE = Place(case="http/any/one-cpu/planted", block=0, position=0)


def served(
    root: Path,
    load: Path,
    source: str = serving.HONEST,
    params: Mapping[str, Parameter] | None = None,
    timeout_s: float = 90,
    mark: str = "0" * 16,
) -> Invocation | Failure:
    suite = planted.plant(root, {"http": source})
    spec = msgspec.structs.replace(suite.workloads["http"], timeout_s=timeout_s)
    program = Program(suite.runtimes["planted"], spec, planted.prepared(), mark, {"load": load})
    asked: dict[str, Parameter] = {"phase": "many-keep", "n": 200, "least_ms": 0}
    point = Point(params=asked | dict(params or {}), profiles=["smoke"])
    return measure(program, point, frozenset(sorted(os.sched_getaffinity(0))[-1:]), PLACE)


def reason(root: Path, load: Path, source: str, timeout_s: float = 90) -> str:
    found = served(root, load, source, timeout_s=timeout_s)
    assert isinstance(found, Failure)
    return f"{found.kind}: {found.reason}"


def taken(root: Path, load: Path, **params: Parameter) -> Invocation:
    found = served(root, load, params=params)
    assert isinstance(found, Invocation), found
    return found


def test_a_closed_loop_is_counted_and_its_cost_is_the_servers(tmp_path: Path, load: Path) -> None:
    found = taken(tmp_path, load, phase="many-keep", n=400)
    seen = found.observed
    assert (found.iterations[0].ops, found.series["seen"].count) == (400, 400)
    assert (seen["requests"], seen["errors"], seen["over_limit"], seen["connections"]) == (
        400,
        0,
        0,
        100,
    )
    assert found.iterations[0].cpu_ns == pytest.approx(seen["server_cpu"] * 1e9)
    assert 0 < seen["server_cpu"] <= seen["server_cpus"] * found.witness.wall_ns / 1e9
    assert 0 < seen["generator_cpu"] <= 1
    assert seen["memory_high"] >= seen["memory"] > 0
    assert found.holds["serving"].units == 0
    assert seen["processes"] == 1
    elapsed_s = found.iterations[0].elapsed_ns / 1e9
    assert 0 < seen["elapsed_seen"] <= seen["elapsed_latency"] == elapsed_s, (
        "no stream of that name was sent in this phase"
    )


BESIDE = """
[[load]]
name = "latency"
when = "phase == 'one-keep'"
expect = "Blah\\n"
"""


def test_a_stream_beside_has_its_time_up_to_its_last_answer(tmp_path: Path, load: Path) -> None:
    planted.plant(tmp_path, {})
    spec = tmp_path / "runner/workloads/http.toml"
    spec.write_text(spec.read_text() + BESIDE)
    found = taken(tmp_path, load, phase="one-keep", n=200)
    assert found.observed["background"] == found.series["latency"].count > 0
    assert 0 < found.observed["elapsed_latency"] < found.iterations[0].elapsed_ns / 1e9


def test_new_connections_are_one_a_request(tmp_path: Path, load: Path) -> None:
    seen = taken(tmp_path, load, phase="one-new", n=40).observed
    assert (seen["connections"], seen["opened"]) == (40, 0)


def test_kept_connections_are_made_before_the_clock(tmp_path: Path, load: Path) -> None:
    seen = taken(tmp_path, load, phase="many-keep", n=400).observed
    assert (seen["connections"], seen["opened"], seen["rate"]) == (100, 100, 0)


def test_a_region_lasts_as_long_as_the_point_asks(tmp_path: Path, load: Path) -> None:
    found = taken(tmp_path, load, phase="one-keep", n=4, least_ms=100)
    assert found.iterations[0].elapsed_ns >= 100_000_000
    assert found.iterations[0].ops == found.observed["requests"] == found.series["seen"].count > 4


def test_response_times_are_claims_in_an_open_loop_only(tmp_path: Path, load: Path) -> None:
    for phase, has in (("open", True), ("many-keep", False)):
        found = taken(tmp_path, load, phase=phase, n=600)
        spec = load_workload(HTTP)
        params: dict[str, Parameter] = {"phase": phase, "n": 600, "least_ms": 0}
        values = {
            metric.name: samples.expression_value(metric.value or "", params, found)
            for metric in spec.metric
        }
        claims = [values[name] is not None for name in ("p50", "p99", "worst", "asked", "late")]
        assert claims == [has] * len(claims)
        assert (values["seen-p50"] is None) == has
        assert None not in (values["throughput"], values["generator"], values["at-once"])


def test_an_open_loop_runs_at_half_of_what_was_answered_beforehand(
    tmp_path: Path, load: Path
) -> None:
    found = taken(tmp_path, load, phase="open", n=200)
    # The schedule is absolute: the last request is due when all intervals but one are over.
    assert found.iterations[0].elapsed_ns / 1e9 >= 199 / (found.observed["warm"] / 2)
    assert found.series["latency"].count == 200
    assert found.observed["rate"] == pytest.approx(found.observed["warm"] / 2)


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("Blah", "Bleh", "no right answer: wrong answers by kind: 50 body"),
        ("200 OK", "500 Sorry", "no right answer: wrong answers by kind: 50 status"),
        (
            "Content-Length: 5",
            "X-Length: 5",
            "no right answer: wrong answers by kind: 50 malformed",
        ),
        (
            "program.hello(platform.python_version(), {})",
            "",
            "the first line must be 'hello', and no other",
        ),
        ("    program.end()\n", "", "it ended without an 'end' line"),
        (
            "program.serving(",
            "program.hold('serving', ",
            "a server says hello, announces 'serving' with its port once, and ends",
        ),
        ("    program.end()\n", "    os._exit(3)\n", "exit status 3"),
        (
            "    program.wait_for_line(",
            "    program.series('x', [1])\n    program.wait_for_line(",
            "a server says hello",
        ),
    ],
)
def test_what_is_wrong_gives_no_number(
    tmp_path: Path, load: Path, old: str, new: str, wrong: str
) -> None:
    assert wrong in reason(tmp_path, load, serving.changed(old, new))


@pytest.mark.parametrize("before", [20, 120], ids=["beforehand", "counted"])
def test_one_wrong_answer_of_many_gives_no_number(tmp_path: Path, load: Path, before: int) -> None:
    source = serving.changed(
        "                connection.sendall(ANSWER)",
        "                connection.sendall(next(ANSWERS))",
    )
    answers = (
        "import itertools\n"
        'WRONG = ANSWER.replace(b"Blah", b"Oops")\n'
        f"ANSWERS = itertools.chain([ANSWER] * {before}, [WRONG], itertools.repeat(ANSWER))\n"
    )
    found = reason(tmp_path, load, source.replace("def answer(", f"{answers}\ndef answer(", 1))
    assert "every answer must be right (answers: errors == 0 does not hold for errors = 1)" in found
    assert "wrong answers by kind: 1 body" in found


def test_a_server_that_dies_under_load(tmp_path: Path, load: Path) -> None:
    dying = serving.changed(
        "                connection.sendall(ANSWER)", "                os.kill(os.getpid(), 9)"
    )
    assert reason(tmp_path, load, dying).startswith("wrong: no right answer")


WORDY = "                connection.sendall(ANSWER)"
END = b'{"type":"end"}\n'


def test_what_a_server_writes_is_read_while_the_load_runs(tmp_path: Path, load: Path) -> None:
    """More than a pipe holds, before each answer: a server that nobody reads would stand still."""
    wordy = serving.changed(WORDY, f"                os.write(2, b'x' * 100_000)\n{WORDY}")
    found = served(tmp_path, load, wordy, {"n": 20})
    assert isinstance(found, Invocation), found
    assert found.observed["requests"] == 20


def test_a_server_is_held_to_its_limits_while_the_load_runs(tmp_path: Path, load: Path) -> None:
    flooding = serving.changed(WORDY, "                while True: os.write(2, b'x' * 65_536)")
    assert reason(tmp_path, load, flooding) == "too-much-output: wrote more than 64 MiB"
    silent = serving.changed(WORDY, "                pass")
    assert (
        reason(tmp_path, load, silent, timeout_s=2) == "did-not-finish: did not finish within 2 s"
    )


def test_what_comes_on_stdout_while_the_load_runs_is_judged_after_it(
    tmp_path: Path, load: Path
) -> None:
    source = serving.changed(WORDY, f"{WORDY}\n                os.write(1, {END!r})")
    assert reason(tmp_path, load, source) == "wrong: a line after 'end'"


LAUNCHER = """
    child = os.fork()
    if not child:
        accept(listener)
    block = bytearray(b"x") * (64 << 20)
    program.serving(listener.getsockname()[1], launcher=True)
    program.wait_for_line("serving")
    os.kill(child, 9)
    os.wait()
    program.end()
"""


def test_what_a_launcher_holds_is_no_memory_of_its_server(tmp_path: Path, load: Path) -> None:
    head, _, _ = serving.HONEST.partition("    threading.Thread(target=accept, args=(listener,)")
    source = f"{head}{LAUNCHER}\n\nmain()\n"
    for launcher, processes in ((True, 1), (False, 2)):
        found = served(tmp_path, load, source.replace("launcher=True", f"launcher={launcher}"))
        assert isinstance(found, Invocation), found
        assert found.observed["processes"] == processes
        for name in ("memory", "memory_shared", "memory_high"):
            assert (found.observed[name] < 64 << 20) == launcher, name


def test_a_server_that_is_only_its_launcher(tmp_path: Path, load: Path) -> None:
    alone = serving.changed("getsockname()[1])", "getsockname()[1], launcher=True)")
    assert reason(tmp_path, load, alone).endswith("is left but its launcher")


def test_a_worker_of_a_server_that_never_said_hello_does_not_stay(
    tmp_path: Path, load: Path
) -> None:
    """It is in a process group of its own, and the server fails before its first line."""
    mark = secrets.token_hex(8)
    worker = "import os, time; os.setpgid(0, 0); print(flush=True); time.sleep(600)"
    start = (
        f"    subprocess.Popen([sys.executable, '-c', {worker!r}], "
        "stdout=subprocess.PIPE).stdout.readline()\n"
    )
    source = serving.changed(
        "    program.hello(", f"{start}    sys.exit('no luck')\n    program.hello("
    )
    found = served(tmp_path, load, source, mark=mark)
    assert isinstance(found, Failure)
    assert found.reason == "exit status 1: no luck"
    patience.until(lambda: planted.marked(mark) == [])


def test_workers_count_and_none_may_stay(tmp_path: Path, load: Path) -> None:
    """A worker in a process group of its own, which holds 64 MiB and spins while the load runs."""
    spin = (
        "import os, sys; os.setpgid(0, 0); b = bytearray(b'x') * (64 << 20); "
        "print(flush=True)\nwhile True: pass"
    )
    start = (
        f"    worker = subprocess.Popen([sys.executable, '-c', {spin!r}], "
        "stdout=subprocess.PIPE)\n    worker.stdout.readline()\n"
    )
    source = serving.changed("    program.serving(", f"{start}    program.serving(")
    assert reason(tmp_path, load, source).startswith(
        "left-processes: it ended, but 1 processes that it had started did not"
    )
    tidy = source.replace(
        "    program.end()\n",
        "    worker.kill()\n    worker.wait()\n    worker.stdout.close()\n    program.end()\n",
    )
    found = served(tmp_path, load, tidy)
    assert isinstance(found, Invocation)
    assert found.observed["processes"] == 2
    assert found.observed["memory"] > 64 << 20


def test_verify_drives_servers_too(tmp_path: Path, load: Path) -> None:
    for source, wrong in ((serving.HONEST, []), (serving.changed("Blah", "Bleh"), ["body"] * 3)):
        suite = planted.plant(tmp_path, {"http": source})
        program = planted.program(suite, "http", tools={"load": load})
        problems = check(job(program, suite.workloads["http"], planted.prepared(), [])).problems
        assert [word in problem for word, problem in zip(wrong, problems, strict=True)] == [
            True
        ] * len(wrong)


WRITE = "    Path(os.environ['TMPDIR'], 'port').write_text(str(listener.getsockname()[1]))\n"
WRITES = serving.changed("    program.serving(", f"{WRITE}    program.serving(").replace(
    "import os\n", "import os\nfrom pathlib import Path\n", 1
)


@pytest.mark.parametrize(
    "end", ["    program.end()\n", "    os._exit(3)\n", "    os.kill(os.getpid(), 9)\n"]
)
def test_no_file_of_a_server_stays(
    tmp_path: Path, load: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    found = served(tmp_path, load, WRITES.replace("    program.end()\n", end))
    assert isinstance(found, Invocation) == (end == "    program.end()\n"), found
    assert list(place.iterdir()) == []


def test_without_the_load_generator(tmp_path: Path) -> None:
    suite = planted.plant(tmp_path, {"http": serving.HONEST})
    point = Point(params={"phase": "one-keep", "n": 4, "least_ms": 0}, profiles=["smoke"])
    found = measure(planted.program(suite, "http"), point, frozenset([0]), PLACE)
    assert isinstance(found, Failure)
    assert "load is missing" in found.reason


def test_server_and_generator_have_a_cpu_each_where_there_are_two() -> None:
    assert apart(frozenset([3]), [0, 1, 2, 3]).generator == 0
    all_of_four = apart(frozenset([0, 1, 2, 3]), [0, 1, 2, 3])
    assert (all_of_four.server, all_of_four.generator, all_of_four.overlap) == ({1, 2, 3}, 0, False)
    only_one = apart(frozenset([5]), [5])
    assert (only_one.server, only_one.generator, only_one.overlap) == ({5}, 5, True)


def refused(port: int) -> bool:
    """Whether nothing listens there; from a port of our own, so that a free port can't be connected
    to itself.
    """
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return asking.getsockname()[1] != port and asking.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_stays_when_the_runner_is_ended(
    tmp_path: Path, load: Path, how: signal.Signals
) -> None:
    """The load hangs on a server that never answers, and the runner goes meanwhile."""
    planted.plant(
        tmp_path,
        {
            "http": WRITES.replace(
                "                connection.sendall(ANSWER)", "                pass"
            )
        },
    )
    place = tmp_path / "place"
    place.mkdir()
    mark = secrets.token_hex(8)
    words = [sys.executable, "-c", RUNNER, str(tmp_path), str(load), mark]
    env = os.environ | {"TMPDIR": str(place)}
    process = subprocess.Popen(
        words, cwd=Path(planted.__file__).parent, env=env, stderr=subprocess.DEVNULL
    )
    # server and generator
    patience.until(lambda: len(planted.marked(mark)) == 2, lambda: process.poll() is None)
    (written,) = place.glob(f"corobench-{mark}-*/port")
    port = int(written.read_text())
    process.send_signal(how)
    process.wait(timeout=patience.SECONDS)
    patience.until(lambda: planted.marked(mark) == [])
    patience.until(lambda: list(place.iterdir()) == [])
    # A process that ends gives up its memory, by which it is known here, before its sockets.
    patience.until(lambda: refused(port))
