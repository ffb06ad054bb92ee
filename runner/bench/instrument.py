"""The instrument, measured. Run in runner/: pytest bench/instrument.py --benchmark-enable

What the runner itself uses while a program is measured, what it adds to a process, and what the
clock costs in each language's harness. The figures of the pages (report, compare, index) are in
bench/archive.py.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))

import planted
from checkouts import REPOSITORY, corobench

from corobench.execute.invocation import Place, measure
from corobench.execute.monitor import Limits
from corobench.execute.process import Launch, run
from corobench.execute.program import track_cpus
from corobench.results import log
from corobench.results.log import Control, Invocation, Log

TRUE = ["/bin/true"]
ROUNDS = 50
Say = Callable[[str], None]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Prints past pytest's capture, so that the figures are seen."""

    def printed(text: str) -> None:
        with capsys.disabled():
            print(f"\n  {text}", end="")

    return printed


def launch(argv: list[str]) -> Launch:
    cpus = track_cpus("one-cpu")
    return Launch(
        argv=argv,
        env={"PATH": "/usr/bin:/bin"},
        cwd=Path("/"),
        cpus=cpus,
        limits=Limits(timeout_s=30),
    )


@pytest.mark.parametrize("busy", [False, True], ids=["sleeping", "spinning"])
def test_cpu_of_the_runner_while_a_program_works(
    benchmark: BenchmarkFixture, say: Say, busy: bool
) -> None:
    """Between two lines of a program that sleeps or spins for a second: nothing else happens in the
    runner.
    """
    work = "e = time.monotonic() + 1\nwhile time.monotonic() < e: pass" if busy else "time.sleep(1)"
    source = f"import time\nprint(1, flush=True)\n{work}\nprint(2, flush=True)"
    seen: list[tuple[int, int, int]] = []

    def watch(_line: bytes, _pid: int) -> None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        seen.append((time.process_time_ns(), usage.ru_nvcsw, usage.ru_nivcsw))

    benchmark.pedantic(
        lambda: run(launch([sys.executable, "-I", "-S", "-c", source]), watch), rounds=5
    )
    spans = [tuple(b - a for a, b in zip(*pair, strict=True)) for pair in list(pairwise(seen))[::2]]
    cpu, voluntary, involuntary = (statistics.median(column) for column in zip(*spans, strict=True))
    say(
        f"the runner used {cpu / 1e3:.0f} us CPU in 1 s, with {voluntary:g} voluntary and "
        f"{involuntary:g} other switches"
    )
    benchmark.extra_info |= {"cpu_ns": cpu, "voluntary": voluntary, "involuntary": involuntary}


def test_bare_process(benchmark: BenchmarkFixture) -> None:
    """What the next one is compared with: the standard library's way to run a process and throw its
    output away.
    """
    benchmark.pedantic(
        lambda: subprocess.run(TRUE, check=True, stdin=subprocess.DEVNULL),
        rounds=ROUNDS,
        warmup_rounds=3,
    )


def test_process_under_the_runner(benchmark: BenchmarkFixture, say: Say) -> None:
    """The same process with pipes, limits, witness and its group's end."""
    target = launch(TRUE)
    walls: list[int] = []
    benchmark.pedantic(
        lambda: walls.append(run(target, lambda _line, _pid: None).witness.wall_ns),
        rounds=ROUNDS,
        warmup_rounds=3,
    )
    around = statistics.median(benchmark.stats.stats.data) - statistics.median(walls) / 1e9
    say(f"of which {around * 1e3:.2f} ms are outside of the wall time that the witness states")


def test_invocation(benchmark: BenchmarkFixture, say: Say, tmp_path: Path) -> None:
    """A whole invocation of a real program, checked and on the disk; what isn't the program's own
    process is ours.
    """
    suite = planted.plant(tmp_path / "suite", {"baseline": planted.honest("baseline")})
    program = planted.program(suite, "baseline")
    point = suite.workloads["baseline"].points("smoke")[0]
    log = Log((tmp_path / "log.jsonl").open("xb", buffering=0))
    added: list[float] = []

    def invoke() -> None:
        started = time.monotonic_ns()
        line = measure(
            program,
            point,
            track_cpus("one-cpu"),
            Place(case="baseline/x/one-cpu/planted", block=0, position=0),
        )
        assert isinstance(line, Invocation), line
        log.append(line)
        added.append((time.monotonic_ns() - started - line.witness.wall_ns) / 1e6)

    benchmark.pedantic(invoke, rounds=20, warmup_rounds=2)
    log.close()
    say(
        f"{statistics.median(added):.2f} ms an invocation beyond the program's own process "
        "(checks, log, fsync)"
    )
    benchmark.extra_info |= {"added_ms": statistics.median(added)}


def test_null_and_clock_of_each_harness(
    benchmark: BenchmarkFixture, say: Say, tmp_path: Path
) -> None:
    """From the null controls of a run: an iteration of one plain call, which is the cost of the two
    clock readings and of the call. The resolution is the smallest difference between two of its
    values.
    """
    words = [
        "run",
        "--profile",
        "smoke",
        "--workloads",
        "baseline",
        "--out",
        str(tmp_path / "runs"),
    ]
    result = benchmark.pedantic(lambda: corobench(tmp_path, *words, root_is=REPOSITORY), rounds=1)
    assert result.returncode == 0, result.stderr
    for control in log.read(Path(result.stdout.strip())).controls:
        if control.name == "null":
            say(_null(control))


def _null(control: Control) -> str:
    runtime = control.values["runtime"]
    if "failed" in control.values:
        return f"{runtime:28} {control.values['failed']}"
    values = sorted(control.values["elapsed_ns"])
    steps = [b - a for a, b in pairwise(values) if b > a]
    return (
        f"{runtime:28} an empty iteration takes {statistics.median(values):5.0f} ns (least "
        f"{values[0]}), resolution at most "
        f"{min(steps, default=0)} ns, {len(set(values))} different values of {len(values)}"
    )
