"""What is known to be higher only: shown as over so much, in the matrix, in tables and in the
sentence of a scenario.
"""

from __future__ import annotations

import re

import msgspec
import pytest
import scenario_runs

from corobench.report import notes, scenarios, tables, units
from corobench.report.units import Scale
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, Estimate, Flag, RunSummary, WorkloadFacts

CAP = Flag(name="cap", level="red", text="only a lower bound (9 of 9 invocations)", bound=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "scenarios"
    return summarise(log.read(scenario_runs.write(folder, blocks=9, profile="default")))


@pytest.fixture(scope="module")
def summary(whole: RunSummary) -> RunSummary:
    """Starvation alone, in which probes of gevent had no answer at the cap, and are late beyond all
    others.
    """
    workload = next(w for w in whole.workloads if w.name == "starvation")
    cells = [
        _capped(cell) if _is_capped(cell) else cell
        for cell in whole.cells
        if cell.workload == workload.name
    ]
    return msgspec.structs.replace(whole, workloads=[workload], cells=cells)


def _is_capped(cell: Cell) -> bool:
    return (
        cell.runtime == "gevent"
        and cell.metric in ("p50", "starvation")
        and "mode=naive" in cell.point
    )


def _capped(cell: Cell) -> Cell:
    assert cell.median
    late = msgspec.structs.replace(cell.median.times(10), bound=True)
    return msgspec.structs.replace(cell, median=late, flags=[CAP], group=None)


def starvation(summary: RunSummary) -> WorkloadFacts:
    (workload,) = summary.workloads
    return workload


def test_a_lower_bound_is_over_so_much_and_has_one_side() -> None:
    found = Estimate(center=3.4058, low=3.40, high=3.41, n=9, confidence=0.96, bound=True)
    assert units.show(found, Scale(1e-3, "ms")) == "over 3,410"
    assert units.show_interval(found, Scale(1e-3, "ms")) == units.BOUND
    assert units.show(found.times(2), Scale(1.0, "s")) == "over 6.81"


def test_a_lower_bound_in_the_matrix(summary: RunSummary) -> None:
    made = tables.make_matrix(summary, notes.number_notes(summary))
    shown = {row.runtime.name: row.cells[0] for row in made.bodies["one-cpu"]}
    gevent, asyncio = shown["gevent"], shown["asyncio"]
    assert (gevent.state, gevent.group, gevent.interval, asyncio.state) == (
        "flagged",
        None,
        units.BOUND,
        "value",
    )
    assert re.fullmatch(r"over [\d,.]+", gevent.text)
    assert made.ratios["one-cpu/asyncio"][gevent.key][0].startswith("over ")
    assert made.ratios["one-cpu/gevent"][asyncio.key] == [units.NONE, "no pair"]


def test_a_lower_bound_in_a_table(summary: RunSummary) -> None:
    (made,) = tables.tables(summary, starvation(summary), notes.number_notes(summary))
    lines = [
        line
        for body in made.bodies
        for line in body.lines
        if line.runtime.name == "gevent" and "mode=naive" in line.key
    ]
    told = {entry.name: entry for line in lines for entry in line.entries}
    assert told["p50"].text.startswith("over ")
    assert told["p50"].interval == units.BOUND
    assert not told["progress"].text.startswith("over ")


def test_a_lower_bound_in_what_its_scenario_found(summary: RunSummary) -> None:
    found = scenarios.finding(summary, starvation(summary))
    assert found
    load = found.rows[0]
    assert re.fullmatch(r"[\d,.]+ \([a-z0-9-]+\)", load.least)
    assert re.fullmatch(r"over [\d,.]+ \(gevent\)", load.most)
