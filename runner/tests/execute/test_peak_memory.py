"""The high-water mark of programs that hold nowhere: looked at while they run, a number of the
specs that ask for it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import patience
import planted
import pytest
from synthetic import make_run

from corobench.errors import UserError
from corobench.execute import memory, monitor
from corobench.execute.monitor import NEVER, Limits
from corobench.execute.process import Launch, Outcome, run
from corobench.execute.reader import converse
from corobench.results import log
from corobench.statistics import samples, stopping
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell
from corobench.suite import variables
from corobench.suite.load import load_workload

MIB = 1 << 20
CPUS = frozenset(sorted(os.sched_getaffinity(0))[-1:])
WORKLOADS = planted.REPOSITORY / "runner" / "workloads"
# It holds 64 MiB for a moment, and waits for a line so that it can't end before it was looked at.
RISING = "block = bytearray(b'x') * (64 << 20); del block; print('up', flush=True); input()"


def looked_at(first_s: float | None) -> Outcome:
    launch = Launch(
        argv=[sys.executable, "-I", "-S", "-c", RISING],
        env={"PATH": "/usr/bin:/bin"},
        cwd=Path("/"),
        cpus=CPUS,
        limits=Limits(timeout_s=patience.SECONDS),
        look_s=first_s,
    )
    return run(launch, lambda _line, _pid: b"\n")


def test_what_a_program_held_for_a_moment_is_seen_and_what_the_runner_holds_is_not() -> None:
    ballast = bytearray(b"x") * (300 * MIB)
    seen = looked_at(patience.SECONDS).high
    assert len(ballast) == 300 * MIB
    assert seen is not None
    assert 64 * MIB < seen < 150 * MIB


def test_nobody_looks_unless_asked() -> None:
    assert looked_at(None).high is None


def test_it_looks_more_and_more_seldom_and_when_the_program_has_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, marks = [100.0], iter([10, 20, 30])
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(memory, "peak_bytes", lambda _pid: next(marks))
    high = monitor.HighWater(1, first_s=2.0)
    high.look(has_written=False)
    assert (high.seen, high.next_look) == (None, 102.0)
    now[0] = 102.0
    high.look(has_written=False)
    assert (high.seen, high.next_look) == (10, 106.0)
    now[0] = 103.0
    high.look(has_written=True)
    assert (high.seen, high.next_look) == (20, 107.0)


def test_what_was_seen_of_a_program_that_has_ended_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def looks() -> Iterator[int]:
        yield 10
        raise ProcessLookupError

    found = looks()
    monkeypatch.setattr(memory, "peak_bytes", lambda _pid: next(found))
    high = monitor.HighWater(1, first_s=2.0)
    high.look(has_written=True)
    high.look(has_written=True)
    assert (high.seen, high.next_look) == (10, NEVER)


def test_a_process_that_is_exiting_has_no_mark(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "status").write_text("Name:\tprogram\nThreads:\t1\n")
    with pytest.raises(ProcessLookupError, match="it is exiting and has no VmHWM"):
        memory.peak_bytes(7, tmp_path)


def test_programs_are_watched_whose_spec_asks_for_it(tmp_path: Path) -> None:
    suite = planted.plant(tmp_path, {})
    asked = {
        name: planted.program(suite, name).launch(CPUS, []).look_s
        for name in ("tree", "timers", "spawn", "cancel", "switch", "memory")
    }
    assert asked == {
        "tree": monitor.LOOK_S,
        "timers": monitor.LOOK_S,
        # that all of their tasks are alive at once shows in how large the process becomes
        "spawn": monitor.LOOK_S,
        "cancel": monitor.LOOK_S,
        "switch": None,
        "memory": None,
    }


def test_what_was_seen_is_observed(tmp_path: Path) -> None:
    """At each hold the program waits, and has been looked at."""
    program = planted.program(
        planted.plant(tmp_path, {"memory": planted.honest("memory")}), "memory"
    )
    arguments = program.arguments({"n": 2000}, iterations=1, min_warm_ms=0, trace=0)
    launch = msgspec.structs.replace(program.launch(CPUS, arguments), look_s=monitor.LOOK_S)
    reading = converse(launch, program.expectation({"n": 2000}, 1, 1))
    assert reading.observed[variables.SEEN_HIGH] >= reading.holds["live"].rss_high


def marked(workload: str, profile: str = "publish", **changes: Any) -> log.Run:
    """A made-up run of a spec with these changes, where a process was seen to hold 5 MB, and 100 B
    for each task or yield.
    """
    made = make_run(blocks=9, workloads=[workload], profile=profile)
    spec = {**made.header.workloads[workload], "ladder": None, **changes}
    header = msgspec.structs.replace(made.header, workloads={workload: spec})
    lines = [
        msgspec.structs.replace(
            line, observed={variables.SEEN_HIGH: 5e6 + 100 * line.iterations[-1].ops + line.block}
        )
        if isinstance(line, log.Invocation)
        else line
        for line in made.lines
    ]
    return msgspec.structs.replace(made, header=header, lines=lines)


def cells(run: log.Run) -> dict[tuple[str, str], Cell]:
    found = summarise(run).cells
    return {
        (cell.metric, cell.point): cell
        for cell in found
        if (cell.track, cell.runtime) == ("one-cpu", "gevent")
    }


TIME = {"name": "time", "title": "time per task", "unit": "s", "better": "lower"}
PEAK = {
    "name": "peak",
    "title": "high-water mark",
    "unit": "B",
    "better": "lower",
    "value": "seen_high",
}


def test_a_timed_workload_has_expressions_besides_its_time() -> None:
    alone, both = cells(marked("spawn", metric=[TIME])), cells(marked("spawn", metric=[TIME, PEAK]))
    assert both["time", "n=1000"] == alone["time", "n=1000"]
    peak = both["peak", "n=1000"]
    assert peak.samples == {block: 5e6 + 100_000 + block for block in range(9)}
    assert (peak.unit, peak.figures) == ("B", {})


def test_a_run_does_not_wait_for_what_is_besides_the_times() -> None:
    """Else a mark that was seen in one block only would keep it going."""
    run = marked("spawn", metric=[TIME, PEAK])
    waited = stopping.decide(run.header)(run.lines, 9).values["waited_for"]
    assert (
        waited
        == stopping.decide(marked("spawn", metric=[TIME]).header)(run.lines, 9).values["waited_for"]
        > 0
    )


def test_an_invocation_that_nobody_looked_at_gives_no_number() -> None:
    run = make_run(blocks=1, workloads=["spawn"])
    blind = run.invocations[0]
    assert samples.expression_value("seen_high / 1000", {}, blind) is None
    seen = msgspec.structs.replace(blind, observed={variables.SEEN_HIGH: 5000.0})
    assert samples.expression_value("seen_high / 1000", {}, seen) == 5.0


def test_a_difference_may_be_of_bytes_and_of_points_that_differ_in_what_is_free() -> None:
    told = {"name": "bytes", "title": "bytes", "unit": "B", "value": "seen_high"}
    asked = {**told, "over": "k", "of": 10_000, "less": 2, "per": "k"}
    strict = cells(marked("switch", difference=[asked]))
    assert not [key for key in strict if key[0] == "bytes"]
    found = cells(marked("switch", difference=[{**asked, "free": ["m"]}]))[
        "bytes", "k=10000-2,m=20"
    ]
    assert found.samples == pytest.approx(
        dict.fromkeys(range(9), 100 * (10_000 * 20 - 2 * 500) / 10_000)
    )
    assert found.unit == "B"


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        (
            "timers",
            'free = ["lead"]',
            'free = ["led"]',
            "difference.bytes.free: 'led' is no parameter of the workload",
        ),
        (
            "tree",
            'name = "time"\n',
            'name = "time"\nvalue = "elapsed"\n',
            "metric.time.value: a workload of kind 'timed' knows",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, old: str, new: str, told: str) -> None:
    text = (WORKLOADS / f"{name}.toml").read_text()
    assert old in text
    file = tmp_path / f"{name}.toml"
    file.write_text(text.replace(old, new))
    with pytest.raises(UserError, match=told):
        load_workload(file)


def test_a_tree_of_a_million_leaves_is_measured_at_scale() -> None:
    assert [point.name for point in load_workload(WORKLOADS / "tree.toml").points("scale")] == [
        "n=1000000"
    ]
