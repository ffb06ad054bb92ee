"""Counts on pages and in exports: sorted, with groups and spreads, and a reason for each gap."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import msgspec
import pytest
import report_runs
from browser import LAPTOP, PHONE
from playwright.sync_api import Browser

from corobench.report import counted, exports, units
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import RunSummary

PAGE = "runs/testbox/2025-03-01-main/index.html"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> log.Run:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    return log.read(report_runs.write(folder, blocks=9, counted=report_runs.COUNTED))


@pytest.fixture(scope="module")
def summary(run: log.Run) -> RunSummary:
    return summarise(run)


@pytest.fixture(scope="module")
def view(summary: RunSummary) -> counted.CountedView:
    found = counted.counted_view(summary)
    assert found is not None
    return found


def test_runtimes_stand_by_their_counts_and_those_without_one_last(
    view: counted.CountedView,
) -> None:
    table = view.tables[0]
    assert table.event == "instructions"
    names = [line.runtime.name for line in table.lines]
    assert names[:4] == ["node", "go-p1", "tokio-current-thread", "uvloop"]
    assert set(names[4:]) == {"asyncio", "gevent", "tokio-multi-thread"}
    assert [title for title, _, _ in table.heads] == ["Spawn", "Context switch"]


def test_what_is_counted_and_not_timed_is_said_and_set_against_no_time(
    summary: RunSummary, view: counted.CountedView
) -> None:
    assert view.prepared == {}
    assert "Context switch" in {told.what.partition(",")[0] for told in view.against}
    prepared = [
        msgspec.structs.replace(one, prepared="the tasks" if one.name == "switch" else "")
        for one in summary.workloads
    ]
    found = counted.counted_view(msgspec.structs.replace(summary, workloads=prepared))
    assert found is not None
    assert found.prepared == {"Context switch": "the tasks"}
    assert "Context switch" not in {told.what.partition(",")[0] for told in found.against}


def test_a_count_has_its_digits_its_group_and_its_spread(view: counted.CountedView) -> None:
    cells = {line.runtime.name: line.cells[-1] for line in view.tables[0].lines}
    assert all(cells.values())
    shown = {name: (c.text, c.spread, c.group) for name, c in cells.items() if c}
    assert shown["node"] == ("410", "3 % apart", 1)
    assert shown["uvloop"] == ("14,600", "", 4)
    assert shown["asyncio"] == (units.NONE, "", None)
    assert cells["asyncio"]
    assert cells["asyncio"].reason == "signal 11"


def test_few_events_are_told_from_none(view: counted.CountedView) -> None:
    by_event = {table.event: table.lines[0].cells[0] for table in view.tables}
    assert "cycles" not in by_event, "nobody asked for them"
    assert [by_event[name].text for name in ("system-calls", "switches", "faults")] == [  # type: ignore[union-attr]
        "1.00",
        "0",
        "<0.01",
    ]


def test_what_the_processor_counted_is_shown_with_its_rate(run: log.Run) -> None:
    """Two instructions a cycle; branch misses could not be read."""
    counts = [
        msgspec.structs.replace(
            line,
            tallies={
                **line.tallies,
                "cycles": [[log.Tally(1000, 0), log.Tally(2000, 500_000)]] * 3,
                "retired": [[log.Tally(1000, 0), log.Tally(2000, 1_000_000)]] * 3,
            },
            reasons={**line.reasons, "branch-misses": "perf is not installed; apt install"},
        )
        for line in run.counts.values()
    ]
    summary = summarise(msgspec.structs.replace(run, lines=[*run.lines, *counts]))
    found = counted.counted_view(summary)
    assert found
    tables = {table.event: table for table in found.tables}
    assert {cell.text for line in tables["per-cycle"].lines for cell in line.cells if cell} == {
        "2.00"
    }
    assert tables["branch-misses"].missing == "perf is not installed; apt install"
    assert tables["cycles"].missing == ""
    said = [warning for warning in summary.warnings if "Valgrind counts" in warning]
    assert any("uvloop: Valgrind counts 14,589 instructions an operation" in one for one in said)
    assert len(said) == 2 * len(report_runs.COUNTED), "all that Valgrind counted are far from 1,000"


def test_fewer_instructions_and_more_time_is_told(
    view: counted.CountedView, summary: RunSummary
) -> None:
    """Each row, against the cells: fewer instructions, and a later group of time."""
    assert view.against
    groups = {
        (cell.runtime, cell.metric): cell.group
        for cell in summary.cells
        if cell.workload == "switch" and cell.track == "one-cpu" and cell.point == "k=2,m=500"
    }
    for row in view.against:
        assert float(row.instructions) < 1 < float(row.time)
        if row.what == "Context switch, k = 2":
            fewer, other = (groups[name, "time"] for name in (row.fewer, row.other))
            assert fewer is not None
            assert other is not None
            assert fewer > other
    assert "tokio-current-thread" in {row.other for row in view.against}


def test_the_csv_has_a_row_a_count(run: log.Run, summary: RunSummary) -> None:
    text = exports.exporter("csv").export(run, summary)
    rows = list(csv.DictReader(io.StringIO(text)))
    counts = {row["runtime"]: row for row in rows if row["metric"] == "instructions"}
    assert None not in counts["uvloop"]
    assert (counts["uvloop"]["status"], float(counts["uvloop"]["median"])) == ("counted", 14_589)
    assert (counts["asyncio"]["status"], counts["asyncio"]["reason"]) == ("gap", "signal 11")
    assert {len(row) for row in rows} == {len(rows[0])}


def test_the_markdown_has_the_table(run: log.Run, summary: RunSummary) -> None:
    text = exports.exporter("markdown").export(run, summary)
    assert "## Instructions an operation" in text
    (line,) = [line for line in text.splitlines() if line.startswith("| uvloop | 14,600")]
    assert line.endswith("[4] |")


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_page_shows_what_was_counted(
    browser: Browser, site_folder: Path, viewport: dict[str, int]
) -> None:
    context = browser.new_context(viewport=viewport)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto((site_folder / PAGE).as_uri())
    section = page.locator("#counted")
    assert "Fewer instructions, more time" in (section.text_content() or "")
    first = section.locator("table[data-event=instructions] tbody tr").first
    assert "node" in (first.text_content() or "")
    assert first.locator("td[data-value]").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_a_run_without_counts_has_no_section(site_folder: Path) -> None:
    quick = (site_folder / "runs/testbox/2025-03-02-quick/index.html").read_text()
    assert 'id="counted"' not in quick
    assert 'href="#counted"' not in quick
    assert 'id="counted"' in (site_folder / PAGE).read_text()
