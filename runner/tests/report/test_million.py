"""What a million tasks hold: on the page of its own run, on the first page, in the README."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
import report_runs

from corobench.report import headline, readme, units, view
from corobench.report.build import build, of_a_million
from corobench.report.charts import base
from corobench.report.charts.intervals import million_chart
from corobench.report.runs import Entry, collect
from corobench.report.text import HARD
from corobench.statistics.types import Cell, RunSummary

RUNTIMES = ["asyncio", "go-p1", "tokio-current-thread"]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("results")
    report_runs.write(root / "testbox" / "whole", blocks=9)
    report_runs.write(
        root / "testbox" / "million",
        blocks=9,
        profile="million",
        workloads=["memory"],
        runtimes=RUNTIMES,
        created="2025-03-02T10:00:00+00:00",
    )
    return root


@pytest.fixture(scope="module")
def entries(results: Path) -> list[Entry]:
    return collect(results, results / ".cache")


@pytest.fixture(scope="module")
def summary(entries: list[Entry]) -> RunSummary:
    return next(entry.summary for entry in entries if entry.name == "million")


def memory(summary: RunSummary) -> headline.Column:
    return next(c for c in headline.columns(summary) if c.workload == "memory")


def test_the_figure_is_a_million_times_that_of_one_task(summary: RunSummary) -> None:
    column = memory(summary)
    assert (column.scale.symbol, column.per) == ("GiB", "for 1,000,000 tasks")
    cell = next(c for c in summary.cells if c.runtime == "asyncio" and c.metric == "bytes")
    assert cell.median is not None
    one = msgspec.structs.replace(cell.median, center=2048.0, low=2040.0, high=2056.0)
    assert units.show(one, column.scale) == "1.91", "a million of 2 KiB"


def test_a_ladder_that_ends_earlier_is_shown_by_the_task(entries: list[Entry]) -> None:
    whole = next(entry.summary for entry in entries if entry.name == "whole")
    assert memory(whole).per == "a task"


def test_the_sentence_is_of_those_that_reached_a_million(summary: RunSummary) -> None:
    short = [
        stopped(cell) if cell.runtime == "tokio-current-thread" else cell for cell in summary.cells
    ]
    asked = headline.answer(msgspec.structs.replace(summary, cells=short)).questions[0]
    assert asked.title == "What do a million parked tasks hold?"
    told = re.findall(rf"([0-9.,]+){HARD}GiB \(([^)]+)\)", asked.sentence)
    assert {name for _, name in told} == {"asyncio", "go-p1"}


def stopped(cell: Cell) -> Cell:
    """The same without the upper end of its ladder."""
    return msgspec.structs.replace(cell, curve=[step for step in cell.curve if step[0] < 1_000_000])


def test_who_did_not_reach_it_has_a_row_and_no_bar(summary: RunSummary) -> None:
    cells = [
        stopped(cell) if cell.runtime == "tokio-current-thread" else cell
        for cell in summary.cells
        if cell.metric == "bytes"
    ]
    chart = million_chart(memory(summary), cells, base.palette(summary))
    values = chart.specs["linear"]["data"]["values"]
    assert {v["runtime"]: v["value"] is None for v in values} == {
        "asyncio": False,
        "go-p1": False,
        "tokio-current-thread": True,
    }
    assert [row[0] for row in chart.rows][-1] == "tokio-current-thread", "those without come last"


def test_bars_begin_at_zero(summary: RunSummary) -> None:
    chart = view.make_charts(summary)["memory"][0]
    assert chart.id == "million--memory"
    bars = next(
        layer
        for layer in chart.specs["linear"]["layer"]
        if isinstance(layer.get("mark"), dict) and layer["mark"]["type"] == "bar"
    )
    assert bars["encoding"]["x"]["scale"]["domain"][0] == 0


def test_the_first_page_asks_the_run_of_a_million(entries: list[Entry], results: Path) -> None:
    whole, million = (
        next(entry for entry in entries if entry.name == name) for name in ("whole", "million")
    )
    assert of_a_million(entries, whole) is million
    assert of_a_million([whole], whole) is None
    begun = msgspec.structs.replace(million.card, blocks=3)
    assert of_a_million([msgspec.structs.replace(million, card=begun), whole], whole) is None
    page = build(results, results.parent / "site").read_text()
    asked = headline.answer(view.presentable(million.summary)).questions[0]
    assert asked.sentence in page
    numbers = page[page.index(asked.sentence) :].partition("</details>")[0]
    told = re.findall(rf"([0-9.,]+){HARD}GiB \(([^)]+)\)", asked.sentence)
    assert len(told) == 2
    for number, name in told:
        assert f'<th scope="row">{name}</th><td>{number}</td>' in numbers
    assert f'href="{million.place}index.html">All runtimes, limits, method</a>' in page


def test_the_readme_shows_its_picture_in_light_and_dark(entries: list[Entry]) -> None:
    whole, million = (
        next(entry for entry in entries if entry.name == name) for name in ("whole", "million")
    )
    text = readme.with_results(
        "<!-- results: x -->\n<!-- /results -->\n", whole, *readme.charted(whole, million)
    )
    assert readme.shown_runs(text) == [million.key, whole.key]
    made = dict(readme.pictures(*readme.charted(whole, million)))
    assert [path.name for path in made] == ["memory.svg", "memory-dark.svg"]
    assert all(path.as_posix() in text for path in made)
