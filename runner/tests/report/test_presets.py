"""Which rows each preset of the matrix shows."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
import report_runs

from corobench.report import notes, tables
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import RunSummary


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    report_runs.write(folder, blocks=9)
    return summarise(log.read(folder))


def test_presets_follow_from_what_a_run_recorded(summary: RunSummary) -> None:
    recorded = {"asyncio": [], "gevent": ["publish"], "go": ["default", "publish"]}
    runtimes = [
        msgspec.structs.replace(
            r,
            profiles=recorded.get(r.name, []),
            notes=["The floor: x"] if r.name == "go-p1" else r.notes,
        )
        for r in summary.runtimes
    ]
    made = tables.make_matrix(
        msgspec.structs.replace(summary, runtimes=runtimes), notes.number_notes(summary)
    )
    rows = _rows(made)
    assert "core" in rows["one-cpu", "asyncio"].presets
    assert "core" not in rows["one-cpu", "gevent"].presets
    assert "core" in rows["all-cpus", "go"].presets
    assert "single" not in rows["all-cpus", "go"].presets
    assert {name for (_, name), row in rows.items() if "Python" in row.presets} == {
        "asyncio",
        "uvloop",
        "gevent",
    }
    assert made.floors == [("one-cpu/go-p1", "go-p1")]
    assert made.presets[0] == ("all", "All")
    several = Counter({row.runtime.name: row.runtime.language for row in made.rows}.values())
    assert made.languages[0] == "Python"
    assert (
        set(made.languages)
        == {language for language, count in several.items() if count > 1}
        > {"Python"}
    )
    assert _shown(rows, "stackful task") >= {"gevent", "go"}
    assert "asyncio" in _shown(rows, "stackless task")
    thread = msgspec.structs.replace(rows["one-cpu", "asyncio"].runtime, unit="thread")
    assert not msgspec.structs.replace(rows["one-cpu", "asyncio"], runtime=thread).single


def test_rows_are_found_by_what_their_manifest_says(summary: RunSummary) -> None:
    tagged = [
        msgspec.structs.replace(r, tags=["actors"] if r.name == "gevent" else [])
        for r in summary.runtimes
    ]
    made = tables.make_matrix(
        msgspec.structs.replace(summary, runtimes=tagged), notes.number_notes(summary)
    )
    assert _shown(_rows(made), "actors") == {"gevent"}
    assert ("actors", "Actors") in made.presets
    assert "io_uring" not in dict(made.presets), "no row would be left"


def test_the_best_of_a_language_has_most_of_its_best_numbers(summary: RunSummary) -> None:
    """Counted from the summary's cells, not from the table."""
    made = tables.make_matrix(summary, notes.number_notes(summary))
    wins: Counter[str] = Counter()
    for head in made.columns:
        python = {
            cell.runtime: cell.median.center
            for cell in summary.cells
            if (cell.workload, cell.point, cell.metric) == (head.workload, head.point, head.metric)
            and cell.runtime in ("asyncio", "uvloop", "gevent")
            and cell.track == "one-cpu"
            and cell.group is not None
            and cell.median is not None
        }
        if python:
            best = (min if head.better == "lower" else max)(python.values())
            wins.update(name for name, value in python.items() if value == best)
    found = {
        name
        for (track, name), row in _rows(made).items()
        if track == "one-cpu" and row.runtime.language == "Python" and "best" in row.presets
    }
    assert found == {wins.most_common(1)[0][0]}


def _rows(made: tables.Matrix) -> dict[tuple[str, str], tables.Row]:
    return {(row.track, row.runtime.name): row for row in made.rows}


def _shown(rows: dict[tuple[str, str], tables.Row], preset: str) -> set[str]:
    return {name for (_, name), row in rows.items() if preset in row.presets}
