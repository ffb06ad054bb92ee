"""What a contributed run must pass: a whole one does, and each thing that is wrong with it is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import scenario_runs

from corobench import distribution, store
from corobench.contribution import problems
from corobench.store import Invocation, Run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder: Path = tmp_path_factory.mktemp("results") / "box" / "run"
    return store.read(scenario_runs.write(folder, blocks=1, profile="default"))


def changed(run: Run, workload: str, change: Callable[[Invocation], Invocation]) -> list[str]:
    """The problems of the run after its first invocation of a workload was tampered with."""
    lines = list(run.lines)
    place = next(i for i, line in enumerate(lines) if isinstance(line, Invocation) and line.case.startswith(f"{workload}/"))
    line = lines[place]
    assert isinstance(line, Invocation)
    lines[place] = change(line)
    return problems(msgspec.structs.replace(run, lines=lines))


def test_a_whole_run_may_be_published(run: Run) -> None:
    assert problems(run) == []


def test_a_series_must_be_there_and_complete(run: Run) -> None:
    without = changed(run, "timers", lambda line: msgspec.structs.replace(line, series={}))
    assert len(without) == 1
    assert "the series 'lateness' is missing" in without[0]

    def cut(line: Invocation) -> Invocation:
        return msgspec.structs.replace(line, series={**line.series, "response": distribution.of([1])})

    assert "'response' has 1 samples" in changed(run, "mixed", cut)[0]
    raw = changed(run, "mixed", lambda line: msgspec.structs.replace(line, raw={}))
    assert "'timeline' is missing" in raw[0]


def test_a_distribution_must_add_up(run: Run) -> None:
    def emptied(line: Invocation) -> Invocation:
        found = msgspec.structs.replace(line.series["lateness"], buckets=[])
        return msgspec.structs.replace(line, series={**line.series, "lateness": found})

    assert "do not add up" in changed(run, "timers", emptied)[0]


def test_what_the_spec_requires_is_checked_again(run: Run) -> None:
    def idle(line: Invocation) -> Invocation:
        return msgspec.structs.replace(line, evidence={**line.evidence, "worked_ns": 1})

    assert "within 5 %" in changed(run, "mixed", idle)[0]
    wrong = changed(run, "webmatrix", lambda line: msgspec.structs.replace(line, observed={**line.observed, "errors": 1.0}))
    assert "every result must be right" in wrong[0]


def test_a_measured_region_lasts_no_longer_than_its_process(run: Run) -> None:
    def long(line: Invocation) -> Invocation:
        return msgspec.structs.replace(line, witness=msgspec.structs.replace(line.witness, wall_ns=1))

    assert "longer than its process" in changed(run, "timers", long)[0]
