"""Two runtimes of a run beside each other: every figure that both have, and where the answer
flips.
"""

from __future__ import annotations

import math
import statistics
from pathlib import Path

import msgspec
import pytest
import report_runs
from synthetic import COST

from corobench.report import build
from corobench.report.pages import compare
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, RunSummary


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report_runs.write(
        tmp_path_factory.mktemp("results") / "testbox" / "run", blocks=9, noisy=[("spawn", "node")]
    )


@pytest.fixture(scope="module")
def summary(folder: Path) -> RunSummary:
    return summarise(log.read(folder))


def switch(rows: list[compare.Beside], point: str) -> compare.Beside:
    of_switch = [row for row in rows if row.first.workload == "switch"]
    return next(row for row in of_switch if row.first.point.startswith(f"{point},"))


def test_a_ratio_is_that_of_the_paired_blocks(summary: RunSummary) -> None:
    for row in compare.beside(summary, "uvloop", "asyncio"):
        blocks = row.first.samples.keys() & row.second.samples.keys() & {*summary.whole_blocks}
        logs = [math.log(row.first.samples[b] / row.second.samples[b]) for b in blocks]
        assert row.ratio.center == pytest.approx(math.exp(statistics.median(logs)))
        assert row.first.key.replace("uvloop", "asyncio") == row.second.key
    found = switch(compare.beside(summary, "uvloop", "asyncio"), "k=100")
    expected = COST["uvloop"]["switch"] / COST["asyncio"]["switch"]
    assert found.ratio.center == pytest.approx(expected, rel=0.1)
    assert found.lower == "uvloop"


def test_what_is_not_ranked_or_lies_on_both_sides_is_told_of_nobody(summary: RunSummary) -> None:
    rows = compare.beside(summary, "node", "asyncio")
    flagged = [row for row in rows if not row.first.trusted]
    assert flagged
    assert {row.lower for row in flagged} == {""}
    itself = compare.beside(summary, "asyncio", "asyncio")
    assert {row.lower for row in itself} == {""}
    assert {row.ratio.center for row in itself} == {1.0}


def test_an_answer_that_depends_on_the_point_flips(summary: RunSummary) -> None:
    assert compare.flips(summary, compare.beside(summary, "uvloop", "asyncio")) == []

    def slower(cell: Cell) -> Cell:
        if (cell.workload, cell.runtime, cell.point) != ("switch", "uvloop", "k=2,m=500"):
            return cell
        return msgspec.structs.replace(
            cell, samples={block: 10 * value for block, value in cell.samples.items()}
        )

    changed = msgspec.structs.replace(summary, cells=[slower(cell) for cell in summary.cells])
    (flip,) = compare.flips(changed, compare.beside(changed, "uvloop", "asyncio"))
    assert (flip.workload.name, flip.points["asyncio"]) == ("switch", ["k = 2"])
    assert "k = 100" in flip.points["uvloop"]


def test_a_sentence_counts_what_the_table_says() -> None:
    assert compare.pair_sentence("a", "b", []) == "The two have no figure in common."


def test_pairs_are_of_the_core_what_is_asked_most_first(summary: RunSummary) -> None:
    pairs = compare.runtime_pairs(summary)
    assert pairs[0] == ("uvloop", "asyncio")
    assert len(pairs) == len({frozenset(pair) for pair in pairs})
    assert ("asyncio", "go") not in pairs, "they have no track in common"
    assert {"uvloop", "node", "tokio-multi-thread"} <= {name for pair in pairs for name in pair}
    beyond = [
        msgspec.structs.replace(runtime, profiles=["breadth"])
        if runtime.name == "gevent"
        else runtime
        for runtime in summary.runtimes
    ]
    left = compare.runtime_pairs(msgspec.structs.replace(summary, runtimes=beyond))
    assert not any("gevent" in pair for pair in left)


def test_the_first_page_leads_to_them_and_they_show_every_figure(
    folder: Path, summary: RunSummary, tmp_path: Path
) -> None:
    build.build(folder.parents[1], tmp_path / "site", cache=tmp_path / "cache")
    index = (tmp_path / "site/index.html").read_text()
    for one, other in compare.runtime_pairs(summary):
        href = compare.pair_href(one, other)
        assert f'href="{href}"' in index
        page = (tmp_path / "site" / href).read_text()
        rows = compare.beside(summary, one, other)
        assert page.count("<tr data-key=") == len(rows)
        assert compare.pair_sentence(one, other, []) not in page
