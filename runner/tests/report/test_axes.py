"""What a chart's axes and marks owe its reader: labels that don't meet, modes that are no sweep,
colours that differ.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import msgspec
import pytest
import report_runs
import scenario_runs

from corobench.report import sweeps
from corobench.report.charts import base, intervals
from corobench.report.charts.base import words_width
from corobench.report.pages import run as run_page
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, RunSummary


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results") / "testbox"


@pytest.fixture(scope="module")
def summary(folder: Path) -> RunSummary:
    return summarise(log.read(report_runs.write(folder / "run", blocks=9)))


@pytest.mark.parametrize("width", [100.0, 205.0, 400.0])
@pytest.mark.parametrize(
    ("found", "ends"),
    [
        ([50, 100, 200, 500, 1000, 2000], (40, 2200)),
        ([0.5, 0.6, 0.7, 0.8, 0.9, 1], (0.47, 1.3)),
        ([1, 2, 100, 10_000], (1, 10_000)),
    ],
)
def test_labels_of_a_log_axis_have_room_beside_each_other(
    found: list[float], ends: tuple[float, float], width: float
) -> None:
    kept = base.apart(found, ends, width)
    assert kept
    assert set(kept) <= set(found)
    pixels = width / math.log(ends[1] / ends[0])
    for one, other in itertools.pairwise(kept):
        apart = pixels * math.log(other / one)
        assert apart >= (words_width(base.plain(one)) + words_width(base.plain(other))) / 2


@pytest.mark.parametrize(
    ("width", "kept"),
    [(400, [0.01, 0.1, 1, 10, 100, 1000]), (114, [0.01, 1, 100]), (70, [1, 1000])],
)
def test_decades_that_have_no_room_are_left_out_evenly(width: float, kept: list[float]) -> None:
    assert base.apart([0.01, 0.1, 1, 10, 100, 1000], (0.008, 1500), width) == kept


def test_where_there_is_room_every_tick_stays() -> None:
    assert base.apart([1, 2, 5, 10], (1, 10), 400) == [1, 2, 5, 10]
    assert base.apart([50_000, 100_000], (1_000, 100_000), 254, text=base.short) == [100_000]
    assert [base.short(v) for v in (1, 20_000, 1_000_000)] == ["1", "20k", "1M"]


def test_what_follows_from_the_mode_is_not_swept(folder: Path) -> None:
    made = summarise(log.read(scenario_runs.write(folder / "scenarios", blocks=3)))
    cells = [c for c in made.cells if c.workload == "starvation" and c.median]
    mode = next(sweeps.parameters(c.point)["mode"] for c in cells)
    probes = sweeps.parameters(cells[0].point)["probes"]

    def longer(cell: Cell) -> Cell:
        if sweeps.parameters(cell.point)["mode"] != mode:
            return cell
        return msgspec.structs.replace(
            cell, point=cell.point.replace(f"probes={probes}", "probes=999")
        )

    assert sweeps.swept(cells) is None
    assert sweeps.swept([longer(c) for c in cells]) is None, "each mode has one number of probes"
    assert sweeps.swept([*cells, *map(longer, cells)]) == "probes"


def test_a_language_has_its_colour_on_every_page(summary: RunSummary) -> None:
    colors = base.palette(summary)
    of = {r.name: r.language for r in summary.runtimes}
    alone = base.palette(msgspec.structs.replace(summary, runtimes=summary.runtimes[-1:]))
    assert alone.color(alone.names[0]) == colors.color(alone.names[0])
    assert len({colors.color(name) for name in of}) == len(set(of.values()))


def test_runtimes_of_a_language_differ_by_dashes_those_of_the_core_first(
    summary: RunSummary,
) -> None:
    server = msgspec.structs.replace(summary.runtimes[0], name="a-server")
    colors = base.palette(msgspec.structs.replace(summary, runtimes=[server, *summary.runtimes]))
    alike = [r.name for r in summary.runtimes if r.language == server.language]
    dashes = [tuple(colors.dash(name)) for name in [*alike, "a-server"]]
    assert dashes == [tuple(dash) for dash in base.DASHES[: len(dashes)]]


def test_lines_of_one_colour_differ_by_their_dashes() -> None:
    plain, other = ({"dash": dash} for dash in base.DASHES[:2])
    assert base.dashed([plain]) == {}
    assert "strokeDash" in base.dashed([plain, other])


def test_shares_of_a_median_have_three_digits_at_most() -> None:
    assert [intervals._percent(v) for v in (100.04, 98.76, 164.5, 9.876)] == [
        "100",
        "98.8",
        "164",
        "9.88",
    ]


def test_every_shape_of_a_unit_is_named_on_the_page() -> None:
    assert set(run_page.GLYPHS) == {*base.SHAPES.values(), base.shape("process")}
    assert run_page.marks_of(["thread"]) == ""
    assert run_page.marks_of(["process", "thread"]) == "✚ process, ▲ thread"


def test_the_longest_name_has_room_in_the_widest_of_common_fonts(summary: RunSummary) -> None:
    """DejaVu Sans takes 6.9 px a character at this size, where Arial takes 6: a downloaded chart
    would lose a first letter.
    """
    spec = base.finish(
        {"data": {"values": []}, "mark": "point", "encoding": {"y": base.names(["x"])}}
    )
    most = base.characters(base.LABEL - 8)
    padding = spec["config"]["axis"]["labelPadding"]
    assert f"truncate(datum.label, {most})" in spec["encoding"]["y"]["axis"]["labelExpr"]
    assert max(len(runtime.name) for runtime in summary.runtimes) <= most
    assert most * 6.9 <= base.LABEL - padding + spec["padding"]["left"]
