"""Which run tells a number where several of a box have measured it, and which runs are set against
each other.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import report_runs

from corobench.report import build
from corobench.report.pages import compare, reference
from corobench.report.runs import Entry, collect, newest, telling


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A box with a whole run, a newer one of one workload and two runtimes, and a quick one; and
    another box.
    """
    made = tmp_path_factory.mktemp("results")
    report_runs.write(made / "box/1-whole", blocks=9, created="2025-01-01T10:00:00+00:00")
    some = {"workloads": ["spawn"], "runtimes": ["asyncio", "uvloop"]}
    report_runs.write(
        made / "box/2-some",
        blocks=9,
        profile="publish",
        created="2025-02-01T10:00:00+00:00",
        **some,
    )  # type: ignore[arg-type]
    report_runs.write(
        made / "box/3-quick", blocks=3, profile="quick", created="2025-03-01T10:00:00+00:00"
    )
    report_runs.write(made / "other/1-whole", blocks=9, seed=2, created="2025-01-01T10:00:00+00:00")
    return made


@pytest.fixture(scope="module")
def entries(results: Path) -> list[Entry]:
    return collect(results, results / ".report-cache")


def test_a_newer_run_of_one_workload_hides_no_other_number(entries: list[Entry]) -> None:
    told = {one.cell.key: one.entry.name for one in newest(entries) if one.entry.box == "box"}
    assert told["spawn/n=10000/one-cpu/asyncio/time"] == "2-some"
    assert told["spawn/n=10000/one-cpu/go-p1/time"] == "1-whole"
    assert told["switch/k=100,m=20/one-cpu/asyncio/time"] == "1-whole"
    assert "3-quick" not in {told[key] for key in told if key.startswith("switch/k=100")}


def test_a_runtime_s_page_has_all_that_any_run_told_of_it_with_the_run_beside(
    results: Path, tmp_path: Path
) -> None:
    out = tmp_path / "site"
    build.build(results, out, cache=results / ".report-cache")
    page = (out / "runtimes/asyncio.html").read_text()
    whole = {
        w
        for e in collect(results, results / ".report-cache")
        if e.name == "1-whole"
        for w in e.card.workloads
    }
    assert page.count("<h3>") == len(whole)
    rows = [
        line
        for line in page.splitlines()
        if 'data-key="spawn/n=10000/one-cpu/asyncio/time"' in line
    ]
    assert any("2-some</a>" in row and "<small>box</small>" in row for row in rows)
    assert any("1-whole</a>" in row and "<small>other</small>" in row for row in rows)


def test_of_many_runs_of_one_profile_one_is_read(entries: list[Entry]) -> None:
    whole = next(e for e in entries if e.key == "box/1-whole")
    assert telling([whole, whole, whole]) == [whole]
    assert len(telling(entries)) == len(entries)


def test_boxes_are_set_side_by_side_cell_by_cell(entries: list[Entry]) -> None:
    charts = {chart.id: chart for chart in compare.box_charts(newest(entries))}
    assert len(charts) > 8
    spawn = next(chart for name, chart in charts.items() if "--spawn--one-cpu" in name)
    says = {(row[0], row[1]): row[-1] for row in spawn.rows}
    assert "run 2-some" in says["uvloop", "box"]
    assert "run 1-whole" in says["gevent", "box"]
    assert "run 1-whole" in says["uvloop", "other"]
    only = [
        one for one in newest(entries) if one.entry.box == "box" or one.cell.runtime != "gevent"
    ]
    names = {row[0] for chart in compare.box_charts(only) for row in chart.rows}
    assert "uvloop" in names
    assert "gevent" not in names, "nothing of another box stands beside it"
    one_box = [one for one in newest(entries) if one.entry.box == "box"]
    assert compare.box_charts(one_box) == []


def test_only_runs_of_one_profile_are_compared(results: Path, tmp_path: Path) -> None:
    report_runs.write(
        tmp_path / "box/1", blocks=1, profile="smoke", created="2025-01-01T10:00:00+00:00"
    )
    report_runs.write(
        tmp_path / "box/2", blocks=3, profile="quick", created="2025-02-01T10:00:00+00:00"
    )
    report_runs.write(
        tmp_path / "box/3", blocks=1, profile="smoke", created="2025-03-01T10:00:00+00:00"
    )
    found = compare.pairs(collect(tmp_path, tmp_path / ".cache"))
    assert [(before.name, after.name) for before, after in found] == [("1", "3")]


def test_a_version_that_is_the_language_s_is_named_after_it(entries: list[Entry]) -> None:
    facts = reference.collect_runtimes(entries, [])[0].facts
    assert facts.version != facts.language_version
    assert reference.version(facts) == facts.version
