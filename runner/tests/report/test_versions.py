"""Versions of one runtime side by side, on the first page."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
import report_runs

from corobench.report import runs
from corobench.report.build import build
from corobench.report.charts.base import Chart, palette
from corobench.report.charts.versions import lines, rows_of, versions_chart
from corobench.report.pages.history import version_charts
from corobench.report.runs import collect
from corobench.statistics.types import Flag

# A line is made of two runtimes of the synthetic run: the titles are all that tells it.
RENAMED = {
    "uvloop": {"title": "asyncio, CPython 3.9", "version": "3.9.1", "language_version": "3.9.1"},
    "asyncio": {"title": "asyncio", "version": "3.14.0", "language_version": "3.14.0"},
}


def renamed(folder: Path) -> Path:
    file = folder / "run.json"
    header = json.loads(file.read_text())
    for name, told in RENAMED.items():
        header["runtimes"][name] |= told
    file.write_text(json.dumps(header))
    return folder


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("results")
    renamed(report_runs.write(root / "testbox" / "older", blocks=9))
    report_runs.write(
        root / "testbox" / "newer",
        blocks=9,
        workloads=["spawn"],
        created="2025-03-02T10:00:00+00:00",
    )
    return root


@pytest.fixture(scope="module")
def charts(results: Path) -> dict[str, Chart]:
    entries = collect(results, results / ".cache")
    return {chart.id: chart for chart in version_charts(entries, entries[0])}


def facts(title: str, version: str, language_version: str = "") -> dict[str, str]:
    return {
        "title": title,
        "version": version,
        "language_version": language_version or version,
    }


def test_runtimes_that_differ_in_the_version_of_their_title_are_a_line() -> None:
    found = lines(
        {
            "tokio": facts("Tokio, current thread", "1.54.1", "1.95.0"),
            "tokio-multi": facts("Tokio, multi-thread", "1.54.1", "1.95.0"),
            "tokio-1-9": facts("Tokio 1.9, current thread", "1.9.2", "1.95.0"),
            "gevent-py310": facts("gevent, CPython 3.10", "26.9.0", "3.10.13"),
            "gevent": facts("gevent", "26.9.0", "3.9.2"),
            "gevent-py314": facts("gevent, CPython 3.14", "", ""),
            "free": facts("gevent, free-threaded CPython 3.13", "26.9.0", "3.13.0"),
        }
    )
    assert {title: [one.label for one in line] for title, line in found.items()} == {
        "Tokio, current thread": ["Tokio 1.9.2", "Tokio 1.54.1"],
        "gevent": ["gevent, CPython 3.9.2", "gevent, CPython 3.10.13", "gevent, CPython 3.14"],
    }, "of the library or the interpreter, as the titles say; in order of the numbers"


def test_each_version_is_a_multiple_of_the_newest_in_the_run_that_has_both(
    charts: dict[str, Chart],
) -> None:
    assert list(charts) == ["versions--memory", "versions--switch", "versions--spawn"]
    for chart in charts.values():
        assert [row[:2] for row in chart.rows] == [
            ["asyncio, CPython 3.9.1", "uvloop"],
            ["asyncio, CPython 3.14.0", "asyncio"],
        ]
        assert {row[7] for row in chart.rows} == {"older"}, "the newer run has one version only"
        assert chart.rows[1][5:7] == ["1.00", "base"]
        assert float(chart.rows[0][5]) < 1, "uvloop is the faster one of the synthetic run"
        assert len(chart.caption.words.split()) <= 12


def test_what_cannot_be_ranked_is_hollow_and_in_place(results: Path) -> None:
    entries = collect(results, results / ".cache")
    older = next(entry for entry in entries if entry.name == "older")
    red = Flag(name="wide", level="red", text="the interval is wide")
    cells = [
        msgspec.structs.replace(c, flags=[red] if c.runtime == "uvloop" else [])
        for c in older.summary.cells
    ]
    summary = msgspec.structs.replace(older.summary, cells=cells)
    (line,) = lines(runs.header(older).runtimes).values()
    rows = rows_of(summary, older.name, "spawn", line, 0)
    spawn = next(w for w in summary.workloads if w.name == "spawn")
    chart = versions_chart(spawn, rows, palette(summary))
    (spec,) = chart.specs.values()
    first, newest = spec["data"]["values"]
    assert first["fill"] != first["color"]
    assert newest["fill"] == newest["color"]
    assert "Hollow" in chart.caption.words
    assert chart.rows[0][-1] == "not ranked: the interval is wide"


def test_the_first_page_has_them_with_their_table(results: Path, tmp_path: Path) -> None:
    page = build(results, tmp_path / "site").read_text()
    assert 'id="chart-versions--spawn"' in page
    assert "asyncio, CPython 3.9.1" in page
    assert (tmp_path / "site" / "charts" / "versions--spawn.js").is_file()
