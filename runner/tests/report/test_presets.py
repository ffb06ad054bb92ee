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
    rows = {(row.track, row.runtime.name): row for row in made.rows}
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
    thread = msgspec.structs.replace(rows["one-cpu", "asyncio"].runtime, unit="thread")
    assert not msgspec.structs.replace(rows["one-cpu", "asyncio"], runtime=thread).single
