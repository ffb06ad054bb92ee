"""Which multiples stand on the page of multiples, against what, and what is said where there is
none.
"""

from __future__ import annotations

import msgspec
import pytest
import report_runs

from corobench.report import notes, tables, units, view
from corobench.report.pages import run as run_page
from corobench.report.tables import Matrix
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import RunSummary


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    report_runs.write(folder, blocks=9, failing=[("memory", "gevent")], noisy=[("spawn", "node")])
    return summarise(log.read(folder))


def matrix_of(summary: RunSummary) -> Matrix:
    return tables.make_matrix(summary, notes.number_notes(summary))


def test_multiples_are_the_ratios_of_the_matrix(summary: RunSummary) -> None:
    matrix = matrix_of(summary)
    found = tables.normalised(matrix).ratios
    assert found.keys() == matrix.ratios.keys()
    for base, ratios in matrix.ratios.items():
        name = base.partition("/")[2]
        assert found[base] == {
            key: [figure, "base" if key.split("/")[-2] == name else interval]
            for key, (figure, interval) in ratios.items()
            if figure != units.NONE
        }


def test_startup_switch_and_memory_come_first_with_their_cells(summary: RunSummary) -> None:
    matrix = matrix_of(summary)
    found = tables.normalised(matrix)
    names = [column.workload for column in found.columns]
    rest = [c.workload for c in matrix.columns if c.workload not in tables.LEADING]
    assert names == ["startup", "switch", "memory", *rest]
    assert [row.runtime for row in found.rows] == [row.runtime for row in matrix.rows]
    for row in found.rows:
        for name, cell in zip(names, row.cells, strict=True):
            assert cell.key.partition("/")[0] in (name, "")


def test_the_default_base_is_a_floor_where_a_track_has_one(summary: RunSummary) -> None:
    reference = matrix_of(summary).defaults
    assert tables.normalised(matrix_of(summary)).defaults == reference
    floors = ("go-p1", "uvloop")
    runtimes = [
        msgspec.structs.replace(r, notes=["The floor: x"]) if r.name in floors else r
        for r in summary.runtimes
    ]
    matrix = matrix_of(msgspec.structs.replace(summary, runtimes=runtimes))
    first = matrix.floors[0][1]
    assert tables.normalised(matrix).defaults == {**reference, "one-cpu": first}
    assert reference["one-cpu"] not in floors


def test_what_a_base_lacks_is_told_with_its_reason(summary: RunSummary) -> None:
    found = tables.normalised(matrix_of(summary))
    doubts, names = tables.base_doubts(found), [column.workload for column in found.columns]
    lacking = {names[place]: told for place, told in doubts["one-cpu/gevent"].items()}
    assert lacking["hand-off"] == ("no base", "no program yet")
    assert lacking["memory"][0] == "no base"
    assert "MemoryError" in lacking["memory"][1]
    assert doubts["one-cpu/node"][names.index("spawn")][0] == "base not ranked"
    assert {told for told in doubts["all-cpus/go"].values() if "track" in told[1]} == {
        ("no base", "not on this track")
    }
    for row in found.rows:
        told = doubts[f"{row.track}/{row.runtime.name}"]
        assert {place for place, cell in enumerate(row.cells) if cell.state != "value"} == set(told)


def test_a_shade_follows_from_the_text_of_a_multiple() -> None:
    shades = {
        "0.0136": 0, "0.1": 1, "0.79": 2, "0.8": 3, "1": 3, "1.3": 4, "2.00": 5, "5": 6, "99": 7, "1,234": 8,
        "\N{EN DASH}": -1, "no base": -1,
    }  # fmt: skip
    assert {text: tables.shade(text) for text in shades} == shades


def test_only_core_workloads_are_normalised(summary: RunSummary) -> None:
    workloads = [msgspec.structs.replace(w, group="scenario") for w in summary.workloads]
    others = msgspec.structs.replace(summary, workloads=workloads)
    assert run_page.has_core(view.make_view("box", "run", summary, "head"))
    assert not run_page.has_core(view.make_view("box", "run", others, "head"))
