"""Charts and tables of workloads that yield series, many metrics or a grid: chosen by what is
there, equal to the summary.
"""

from __future__ import annotations

import re

import made_up
import msgspec
import pytest
import scenario_runs

from corobench.report import citations, headline, notes, scenarios, sweeps, tables, vega, view
from corobench.report.charts import base, curves, distributions
from corobench.report.charts.base import Chart
from corobench.results import histogram, log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, RunSummary


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "scenarios"
    return summarise(log.read(scenario_runs.write(folder, blocks=3)))


@pytest.fixture(scope="module")
def charts(summary: RunSummary) -> dict[str, Chart]:
    return {chart.id: chart for charts in view.make_charts(summary).values() for chart in charts}


def cells_of(summary: RunSummary, workload: str, metric: str) -> list[Cell]:
    return [c for c in summary.cells if (c.workload, c.metric) == (workload, metric)]


def test_charts_follow_from_what_a_workload_yields(charts: dict[str, Chart]) -> None:
    kinds: dict[str, set[str]] = {}
    for name in charts:
        kind, workload, *_ = name.split("--")
        kinds.setdefault(workload, set()).add(kind)
    assert kinds["timers"] == {"position", "multiples", "percentiles"}
    assert kinds["mixed"] == {"multiples", "position", "percentiles", "histogram", "timeline"}
    assert kinds["starvation"] == {"tradeoff", "modes", "position", "percentiles"}
    assert kinds["webmatrix"] == {"multiples", "heat", "position", "percentiles"}
    assert kinds["spawn"] == {"answer", "position", "spread", "curve"}


def test_every_chart_is_drawn_in_every_scale_and_has_its_numbers(charts: dict[str, Chart]) -> None:
    some = {name.split("--")[0]: chart for name, chart in charts.items()}
    for chart in some.values():
        assert chart.rows
        assert all(len(row) == len(chart.head) for row in chart.rows)
        for spec in chart.specs.values():
            svg = vega.draw(spec)
            assert "<text" in svg
            assert "NaN" not in svg


def test_scenarios_stand_in_sections_and_not_in_the_matrix(summary: RunSummary) -> None:
    shown = view.make_view("testbox", "scenarios", summary)
    assert {c.workload for c in shown.matrix.columns} == {"spawn", "switch", "memory", "timers"}
    families = [section.family for section in shown.sections]
    assert families[-3:] == ["mixed", "starvation", "webmatrix"]
    alone = msgspec.structs.replace(
        summary, workloads=[w for w in summary.workloads if w.group == "scenario"]
    )
    assert {c.workload for c in headline.columns(alone)} == {"mixed", "starvation", "webmatrix"}


def test_a_sweep_takes_along_what_follows_from_its_parameter(summary: RunSummary) -> None:
    cells = cells_of(summary, "mixed", "throughput")
    point = "c=12,splits=1,cpu_us=5000,wait_us=55000,requests=148,wait=peer"
    found = sweeps.along(cells, point, "c")
    assert {sweeps.parameters(c.point)["splits"] for c in found} == {"1"}
    assert {sweeps.parameters(c.point)["wait"] for c in found} == {"peer"}
    assert sorted({sweeps.value(c, "c") for c in found})[:4] == [1.0, 3.0, 5.0, 7.0]
    assert len({sweeps.parameters(c.point)["requests"] for c in found}) > 5
    assert headline.usual_point(c for c in cells if c.median) == point


def test_grids_and_modes_are_found_by_their_values(summary: RunSummary) -> None:
    assert sweeps.grid(cells_of(summary, "webmatrix", "time")) == ("workers", "clients")
    assert sweeps.grid(cells_of(summary, "timers", "p99")) is None, "lead follows from n"
    assert sweeps.modes(cells_of(summary, "starvation", "p99")) == "mode"
    assert sweeps.modes(cells_of(summary, "timers", "p99")) is None


def test_a_sweep_with_limits_is_drawn_as_shares_of_them_on_one_axis(
    charts: dict[str, Chart],
) -> None:
    chart = charts["multiples--mixed"]
    (spec,) = chart.specs.values()
    assert "% of the limit" in str(spec)
    domains = [panel["layer"][0]["encoding"]["y"]["scale"]["domain"] for panel in spec["vconcat"]]
    assert domains == [domains[0]] * len(domains)
    rate, share = (chart.head.index(f"throughput, {unit}") for unit in ("/s", "% of the limit"))
    one = next(row for row in chart.rows if row[:3] == ["asyncio", "One CPU", "1"])
    assert float(one[share]) == pytest.approx(100 * float(one[rate]) * 0.06, abs=1), "5 + 55 ms"
    drawn = next(
        datum["value"]
        for datum in spec["vconcat"][0]["data"]["values"]
        if (datum["series"], datum["x"]) == ("asyncio", 1)
    )
    assert drawn == pytest.approx(float(one[share]), abs=1)


def test_the_limit_is_what_cores_and_waiting_allow_and_the_knee_is_where_responses_leave_it(
    summary: RunSummary,
) -> None:
    limit = sweeps.Limit(cores=1, cpu=0.005, wait=0.055)
    assert limit.rate(1) == pytest.approx(1 / 0.06)
    assert limit.rate(25) == pytest.approx(200)
    assert limit.response(12) == pytest.approx(0.06)
    assert limit.response(50) == pytest.approx(0.25)
    workload = next(w for w in summary.workloads if w.name == "mixed")
    point = "c=12,splits=1,cpu_us=5000,wait_us=55000,requests=148,wait=peer"
    cells = sweeps.along([c for c in summary.cells if c.workload == "mixed"], point, "c")
    knees = curves.knee(workload, cells, "c", {"one-cpu": limit})
    # At 13 the ideal response is 8 % over that of one request, and the planted runtimes add 1 to 4
    # %: some bend there, some after.
    assert set(knees.values()) <= {"13", "15"}


def test_limits_are_those_of_the_cpus_that_programs_had(summary: RunSummary) -> None:
    workload = next(w for w in summary.workloads if w.name == "mixed")
    column = headline.column(summary, workload)
    assert column
    assert summary.cpus == {
        "mixed/one-cpu": 1,
        "mixed/all-cpus": 2,
        "webmatrix/all-cpus": 1,
        "webmatrix/one-cpu": 1,
    }
    for recorded, cores in (({"mixed/all-cpus": 15}, 15), ({}, 2)):
        found = sweeps.limits_of(
            msgspec.structs.replace(summary, cpus=recorded), column, {"one-cpu", "all-cpus"}
        )
        assert {track: limit.cores for track, limit in found.items()} == {
            "one-cpu": 1,
            "all-cpus": cores,
        }


def test_rules_stand_beside_the_number_of_workers_that_was_worth_it(summary: RunSummary) -> None:
    """asyncio's made-up server takes 1.8 ms of CPU a request, on one core: with 5 ms of wait, 3.78
    of it fill the core.
    """
    workload = next(w for w in summary.workloads if w.name == "webmatrix")
    rows = {
        row.where: row for row in citations.advised(summary, workload) if row.runtime == "asyncio"
    }
    plain = next(row for where, row in rows.items() if "wait_us = 0" in where)
    assert (plain.knee, plain.rules) == ("1", ["3: 100 % of the best", "1: 100 % of the best"])
    waiting = next(
        row for where, row in rows.items() if "wait_us = 5,000" in where and "clients = 20" in where
    )
    assert (waiting.knee, waiting.rules) == (
        "5",
        ["3: 79 % of the best", "3.78: 100 % of the best (with 5)"],
    )
    assert not any(row.ranked for row in rows.values()), "three blocks are too few"
    unknown = citations.advised(msgspec.structs.replace(summary, cpus={}), workload)
    assert {said for row in unknown for said in row.rules} == {"the run did not record the CPUs"}


def test_a_runtime_with_only_a_cross_has_its_advice_where_enough_was_asked(
    summary: RunSummary,
) -> None:
    """The largest demand, of 20 clients, was asked of three workers alone."""
    workload = next(w for w in summary.workloads if w.name == "webmatrix")

    def of_cross(cell: Cell) -> bool:
        point = sweeps.parameters(cell.point)
        return point["workers"] == "3" or point["clients"] == "10" or point["wait_us"] != "0"

    kept = [
        c
        for c in summary.cells
        if (c.workload, c.runtime) != ("webmatrix", "asyncio") or of_cross(c)
    ]
    rows = citations.advised(msgspec.structs.replace(summary, cells=kept), workload)
    (plain,) = (
        row
        for row in rows
        if (row.runtime, row.track) == ("asyncio", "one-cpu") and "wait_us = 0" in row.where
    )
    assert "clients = 10" in plain.where
    assert (plain.knee, plain.rules[0]) == ("1", "3: 100 % of the best")


def test_a_percentile_is_drawn_only_where_samples_can_tell_it() -> None:
    assert distributions.tail(histogram.histogram_of([5] * 20)) == [0.5, 0.75]
    assert distributions.tail(histogram.histogram_of(range(1, 10_001)))[-1] == 0.999
    assert distributions.tail(histogram.histogram_of([7])) == [0.5]


def test_a_series_is_drawn_where_it_has_samples(summary: RunSummary) -> None:
    """As the percentiles of an open loop are beside a headline that is a closed one's."""
    workload = next(w for w in summary.workloads if w.name == "starvation")
    column = headline.column(summary, workload)
    assert column
    assert distributions.at_samples(summary, column, "lateness") == column
    elsewhere = {
        case: found
        for case, found in summary.distributions.items()
        if f"/{column.point}/" not in case
    }
    moved = msgspec.structs.replace(summary, distributions=elsewhere)
    there = distributions.at_samples(moved, column, "lateness")
    assert (there.point != column.point, there.metric) == (True, column.metric)
    (chart,) = distributions.percentile_charts(moved, workload, column, base.palette(moved))
    assert chart.title.startswith(f"Starvation, {there.where}: ")
    assert chart.rows
    others = [c for c in moved.cells if c.point == column.point or c.metric != column.metric]
    assert (
        distributions.at_samples(
            msgspec.structs.replace(moved, cells=others), column, "lateness"
        ).metric
        != column.metric
    )
    nowhere = msgspec.structs.replace(summary, distributions={})
    assert distributions.at_samples(nowhere, column, "lateness") == column


def test_shares_of_a_histogram_make_a_whole() -> None:
    for fine in (8, 64):
        boxes = distributions._bins(histogram.histogram_of([100, 2_000, 2_100, 5_000_000]), fine)
        assert sum(share for _, _, share in boxes) == pytest.approx(1)
        assert all(low < high for low, high, _ in boxes)
        assert [low for low, *_ in boxes] == sorted(low for low, *_ in boxes)


def test_a_wide_table_has_every_metric_of_every_case(summary: RunSummary) -> None:
    shown = view.make_view("testbox", "scenarios", summary)
    part = next(
        p for section in shown.sections for p in section.parts if p.workload.name == "mixed"
    )
    (table,) = part.tables
    assert table.wide
    cells = {c.key: c for c in summary.cells if c.workload == "mixed"}
    lines = [line for body in table.bodies for line in body.lines]
    told = {
        f"{line.key}/{e.name}": e.raw for line in lines for e in line.entries if e.raw is not None
    }
    assert told == {key: c.median.center for key, c in cells.items() if c.median}


def test_quotations_stand_beside_what_was_measured(summary: RunSummary) -> None:
    shown = view.make_view("testbox", "scenarios", summary)
    quoted = [
        q
        for section in shown.sections
        for p in section.parts
        for q in p.quoted
        if p.workload.name == "mixed"
    ]
    assert len(quoted) == 4
    assert all("/s (" in q.here and q.place.startswith("gevent") for q in quoted)


def test_with_forty_runtimes_the_core_is_shown_first(summary: RunSummary) -> None:
    few = tables.make_matrix(summary, notes.number_notes(summary))
    assert not few.many
    twins = [
        msgspec.structs.replace(r, name=f"{r.name}-{i}") for r in summary.runtimes for i in range(5)
    ]
    kept = [(c, i) for c in summary.cells for i in range(5) if i < 3 or c.workload == "switch"]
    cells = [msgspec.structs.replace(c, runtime=f"{c.runtime}-{i}") for c, i in kept]
    many = msgspec.structs.replace(summary, runtimes=twins, cells=cells)
    found = tables.make_matrix(many, notes.number_notes(many))
    assert found.many
    for rows in found.bodies.values():
        assert all(row.core == (row.runtime.name[-1] in "012") for row in rows)


SWEPT = "c={},cpu_us=5000,wait_us=55000"
FOUND: dict[str, tuple[dict[str, str], str, list[tuple[str, str]]]] = {
    "one yield": (
        {"time": "time", "one": "one yield"},
        "s",
        [("time", "phase=base"), ("one", "phase=yield-base")],
    ),
    "time per task": ({"time": "time per task"}, "s", [("time", "n=1")]),
    "levels off": (
        {"rate": "rate"},
        "1/s",
        [("rate", SWEPT.format(1)), ("rate", SWEPT.format(13))],
    ),
}


@pytest.mark.parametrize("what", FOUND)
@pytest.mark.parametrize(
    ("kind", "ends"), [("thread", ("a, thread", "b, future")), ("future", ("a", "b"))]
)
def test_unlike_units_at_the_ends_of_a_range_are_named(
    what: str, kind: str, ends: tuple[str, str]
) -> None:
    """Of differences, of the headline's numbers, of where a sweep levels off."""
    metrics, unit, places = FOUND[what]
    facts = made_up.workload(metrics, curve="c" if unit == "1/s" else None)
    cells = [
        made_up.number(name, at, point, m, unit=unit)
        for m, point in places
        for name, at in (("a", 100.0), ("b", 200.0))
    ]
    found = scenarios.finding(
        made_up.summary(cells, facts, runtimes=made_up.scheduling(a=kind, b="future")), facts
    )
    assert found
    row = next(row for row in found.rows if what in row.figure)
    assert re.findall(r"\(([ab][^)]*)\)", row.least + row.most) == [*ends]


@pytest.mark.parametrize(
    ("low", "high"), [(0.1, 1e6), (40, 300), (1.0, 1.3), (190, 197), (5e-4, 8e-4)]
)
def test_a_log_axis_always_has_ticks(low: float, high: float) -> None:
    found = base.log_ticks(low, high)
    assert 2 <= len(found) <= 12
    assert all(low <= tick <= high for tick in found)
    assert found == sorted(set(found))
