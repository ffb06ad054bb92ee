"""What the charts say of numbers that can't be ranked, of those that are missing, and of what their
bars and ticks are.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
import report_runs
import scenario_runs

from corobench.report import headline, units, vega, view
from corobench.report.charts import base
from corobench.report.charts.base import Chart, interval_words
from corobench.report.charts.curves import end_labels
from corobench.report.charts.intervals import Moment, Ratio, history_chart, ratio_chart
from corobench.report.charts.scenarios import tradeoff_charts
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, Estimate, Flag, RunSummary

RED = Flag(name="wide", level="red", text="the interval is ±40 % wide (limit 25 %)")
HOSTILE = "2025'\"\\</script><script>window.hacked=1</script>"


def drawn_of(summary: RunSummary) -> dict[str, Chart]:
    return {chart.id: chart for charts in view.make_charts(summary).values() for chart in charts}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results") / "testbox"


@pytest.fixture(scope="module")
def core(folder: Path) -> RunSummary:
    return summarise(
        log.read(
            report_runs.write(
                folder / "run", blocks=9, failing=[("memory", "gevent"), ("spawn", "node")]
            )
        )
    )


@pytest.fixture(scope="module")
def scenarios(folder: Path) -> RunSummary:
    return summarise(
        log.read(scenario_runs.write(folder / "scenarios", blocks=3, profile="default"))
    )


def spoiled(summary: RunSummary, runtime: str) -> RunSummary:
    """The summary with every number of a runtime flagged, and of no other."""
    cells = [
        msgspec.structs.replace(c, flags=[RED] if c.runtime == runtime and c.median else [])
        for c in summary.cells
    ]
    return msgspec.structs.replace(summary, cells=cells)


def marks(spec: object) -> list[dict[str, object]]:
    """All data of a specification that has a mark."""
    if isinstance(spec, dict):
        own = (
            [spec]
            if {"color", "fill", "shape"} <= spec.keys() and isinstance(spec["fill"], str)
            else []
        )
        return own + [found for part in spec.values() for found in marks(part)]
    return [found for part in spec for found in marks(part)] if isinstance(spec, list) else []


@pytest.mark.parametrize("which", ["core", "scenarios"])
def test_what_is_not_ranked_is_hollow_and_says_so_in_every_chart(
    which: str, request: pytest.FixtureRequest
) -> None:
    kinds = set()
    for name, chart in drawn_of(spoiled(request.getfixturevalue(which), "asyncio")).items():
        kind = name.split("--")[0]
        rows = [row for row in chart.rows if row[0].startswith("asyncio")]
        if kind == "heat":
            rows = chart.rows if name.endswith("--asyncio") else []
        elif kind in ("histogram", "timeline"):
            continue
        if not rows:
            continue
        kinds.add(kind)
        assert chart.head[-1] == "Says", name
        assert all(row[-1] == f"not ranked: {RED.text}" for row in rows), name
        assert (
            kind in {"heat", "answer"}
            or "asyncio: too noisy on this box to order." in chart.caption.details
        ), name
        others = [row for row in chart.rows if not row[0].startswith("asyncio")]
        assert kind == "heat" or not any("not ranked" in row[-1] for row in others), name
        for spec in chart.specs.values():
            hollow = {
                (mark["color"], mark["fill"]) for mark in marks(spec) if mark["fill"] == base.PAPER
            }
            assert kind == "heat" or hollow == {(base.FADED, base.PAPER)}, name
    assert (
        kinds
        == {
            "core": {"answer", "position", "spread", "curve", "fit", "residual"},
            "scenarios": {
                "answer",
                "position",
                "spread",
                "curve",
                "fit",
                "residual",
                "multiples",
                "heat",
                "tradeoff",
                "percentiles",
                "modes",
            },
        }[which]
    )


def test_a_row_of_several_metrics_names_those_that_are_not_ranked(scenarios: RunSummary) -> None:
    """Each thing once, with the metrics of which it is said."""
    stolen = Flag(name="steal", level="red", text="the hypervisor took 4 % of the time")
    red = {"queueing-p50": [RED, stolen], "response-worst": [RED], "progress": [RED]}
    cells = [
        msgspec.structs.replace(c, flags=red.get(c.metric, []) if c.median else [])
        for c in scenarios.cells
    ]
    charts = drawn_of(msgspec.structs.replace(scenarios, cells=cells))
    assert {row[-1] for row in charts["multiples--mixed"].rows} == {
        f"not ranked (response, worst; queueing, median): {RED.text}; not ranked (queueing, "
        f"median): {stolen.text}"
    }
    assert {row[-1] for row in charts["tradeoff--starvation"].rows} == {
        f"not ranked (progress of the load, cores): {RED.text}"
    }


def test_a_mark_says_its_value_to_who_points_at_it(core: RunSummary) -> None:
    """Without a script: by a title in the drawing."""
    charts = drawn_of(core)
    for name in ("position--switch", "answer--switch"):
        column = next(c for c in headline.columns(core) if c.workload == "switch")
        cell = next(
            c
            for c in core.cells
            if (c.workload, c.point, c.runtime, c.track)
            == ("switch", column.point, "asyncio", "one-cpu")
        )
        shown = units.show(cell.median, column.scale)
        interval = units.show_interval(cell.median, column.scale)
        svg = vega.draw(next(iter(charts[name].specs.values())))
        assert f"<title>asyncio: {shown} {column.scale.symbol} ({interval})" in svg
        assert "aria-label" not in svg


@pytest.mark.parametrize("which", ["core", "scenarios"])
def test_a_caption_is_one_line(which: str, request: pytest.FixtureRequest) -> None:
    for name, chart in drawn_of(spoiled(request.getfixturevalue(which), "asyncio")).items():
        assert len(chart.caption.words.split()) <= 12, f"{name}: {chart.caption.words}"


def test_who_has_no_number_is_named_with_the_reason(core: RunSummary) -> None:
    charts = drawn_of(core)
    for name in ("position--memory", "fit--memory--bytes", "curve--spawn", "position--spawn"):
        runtime = "gevent" if "memory" in name else "node"
        assert f"{runtime} (failed: " in charts[name].caption.details, name
        assert any(
            row[0] == runtime and row[-1].startswith("failed: ") for row in charts[name].rows
        ), name
    assert "gevent (not run: no program yet)" in charts["position--hand-off"].caption.details
    gaps = [row for row in charts["position--hand-off"].rows if row[0] == "gevent"]
    assert [row[-1] for row in gaps] == ["not run: no program yet"]


@pytest.mark.parametrize(("alike", "drawn"), [(False, ["open"]), (True, ["open", "closed"])])
def test_a_tradeoff_never_mixes_the_loops_of_a_server(
    scenarios: RunSummary, alike: bool, drawn: list[str]
) -> None:
    """The closed one has twice the progress, and unless the two are alike no response time."""
    cells = [c for c in scenarios.cells if c.workload == "starvation"]
    told = [msgspec.structs.replace(c, point=f"{c.point},loop=open") for c in cells]
    for c in cells:
        if c.median and (alike or c.metric == "progress"):
            twice = msgspec.structs.replace(c.median, center=2 * c.median.center)
            told.append(msgspec.structs.replace(c, point=f"{c.point},loop=closed", median=twice))
    workload = next(w for w in scenarios.workloads if w.name == "starvation")
    summary = msgspec.structs.replace(scenarios, cells=told)
    found = {chart.id: chart for chart in tradeoff_charts(summary, workload, base.palette(summary))}
    assert list(found) == [f"tradeoff--starvation--loop={loop}" for loop in drawn]
    (plain,) = tradeoff_charts(scenarios, workload, base.palette(scenarios))
    assert found["tradeoff--starvation--loop=open"].rows == plain.rows
    assert found["tradeoff--starvation--loop=open"].title == f"{plain.title} (loop = open)"


def test_each_number_of_a_series_has_a_field_of_its_own(
    core: RunSummary, scenarios: RunSummary
) -> None:
    charts = {**drawn_of(core), **drawn_of(scenarios)}
    for name, chart in charts.items():
        for row in chart.rows:
            assert len(row) == len(chart.head), name
            assert not any("; " in field or "  " in field for field in row[:-1]), name
    multiples = charts["multiples--mixed"]
    assert multiples.head.count("Interval") == len(
        [h for h in multiples.head[3:-2] if h != "Interval"]
    )
    assert multiples.head[-2:] == ["n", "Says"]


PHONE = 362.0  # pixels between the margins of a phone's page


@pytest.mark.parametrize("which", ["core", "scenarios"])
def test_no_label_is_too_small_on_a_phone_and_no_name_is_cut(
    which: str, request: pytest.FixtureRequest
) -> None:
    kinds = {
        name.split("--")[0]: chart
        for name, chart in drawn_of(request.getfixturevalue(which)).items()
    }
    for kind, chart in kinds.items():
        svg = vega.draw(next(iter(chart.specs.values())))
        width = float(re.findall(r'<svg [^>]*?width="([\d.]+)"', svg)[0])
        smallest = min(map(float, re.findall(r'font-size="([\d.]+)px"', svg)))
        assert smallest * min(1.0, PHONE / width) >= 9, f"{kind}: {smallest} px of {width}"
        assert "…" not in "".join(re.findall(r"<text[^>]*>([^<]*)", svg)), kind


def test_the_longest_names_stand_whole_at_the_ends_of_lines() -> None:
    name = "tokio-multi-thread-untrimmed, all CPUs"
    data = [{"series": name, "x": 1, "value": 2.0, "color": base.INK}]
    labels, _, room = end_labels(data, 100, 100, (1.0, 3.0), "log")
    (label,) = (datum["name"] for datum in labels["data"]["values"])
    assert label == "tokio-multi-thread-untrimmed, all"
    assert room["encoding"]["x2"]["value"] >= 100 + base.words_width(label)


def test_what_a_line_leaves_over_is_in_a_unit_of_its_size(core: RunSummary) -> None:
    """The least residual is next to nothing, and says nothing of the unit."""
    chart = drawn_of(core)["residual--memory--bytes"]
    numbers = [field for row in chart.rows for field in row[2:-1] if field != units.NONE]
    assert numbers
    assert not any("e" in number for number in numbers)
    largest = max(abs(float(number.replace(",", ""))) for number in numbers)
    assert 0.5 < largest < 2_000, chart.head


def test_a_floor_is_a_line_through_the_rows_of_the_others(scenarios: RunSummary) -> None:
    """What it does a second, and what one costs; its number stands in the table."""
    cells = [
        msgspec.structs.replace(c, lower_bound=(c.workload, c.runtime) == ("mixed", "go-p1"))
        for c in scenarios.cells
    ]
    charts = drawn_of(msgspec.structs.replace(scenarios, cells=cells))
    assert "tradeoff--mixed" not in charts
    for name in ("position--mixed", "position--mixed--response-p50"):
        chart = charts[name]
        assert chart.caption.words.startswith("Dot: typical; bar: interval; line: go-p1, the floor")
        assert any(row[0] == "go-p1" for row in chart.rows)
        for spec in chart.specs.values():
            assert "go-p1" not in {datum["runtime"] for datum in spec["data"]["values"]}
            (line,) = {
                datum["text"]
                for layer in spec["layer"]
                for datum in layer.get("data", {}).get("values", [])
                if "to" in datum
            }
            assert line.startswith("go-p1 ")
            assert line in vega.draw(spec)


def test_a_caption_speaks_of_a_floor_only_where_there_is_one(core: RunSummary) -> None:
    charts = drawn_of(core)
    assert "tick: the minimum" in charts["position--spawn"].caption.words
    assert "tick" not in charts["position--memory"].caption.words
    assert "Floor" not in charts["position--memory"].head


def test_bars_of_few_blocks_are_not_called_intervals() -> None:
    def estimate(confidence: float) -> Estimate:
        return Estimate(center=1, low=1, high=1, n=3, confidence=confidence)

    assert interval_words([estimate(0.96), None]) == "95 % interval"
    assert interval_words([estimate(0.0)]).startswith("lowest to highest")
    assert "too few" in interval_words([estimate(0.96), estimate(0.0)])


def test_a_sweep_is_drawn_under_each_setting_and_longest_requests_of_each(
    scenarios: RunSummary, folder: Path
) -> None:
    charts = drawn_of(summarise(log.read(scenario_runs.write(folder / "all", blocks=1))))
    kinds = {name: chart.title for name, chart in charts.items() if "--mixed" in name}
    multiples = [title for name, title in kinds.items() if name.startswith("multiples")]
    assert len(multiples) == 3
    assert any(title.endswith("splits = 5") for title in multiples)
    assert any(title.endswith("wait = timer") for title in multiples)
    assert any(
        "cpu_us = 50000" in title for name, title in kinds.items() if name.startswith("timeline")
    )


def test_modes_stand_beside_each_other_for_every_runtime(scenarios: RunSummary) -> None:
    chart = drawn_of(scenarios)["modes--starvation--lateness"]
    modes: dict[str, set[str]] = {}
    for runtime, mode, *_ in chart.rows:
        modes.setdefault(runtime, set()).add(mode)
    assert all({"idle", "naive"} <= found for found in modes.values())
    assert len(modes) == len(chart.specs["log"]["vconcat"])


def test_a_grid_has_a_table_for_each_metric_that_should_be_low(
    scenarios: RunSummary, folder: Path
) -> None:
    charts = drawn_of(summarise(log.read(scenario_runs.write(folder / "grid", blocks=1))))
    metrics = {name.split("--")[2] for name in charts if name.startswith("heat--webmatrix")}
    assert metrics >= {"time", "p50", "p99", "cpu", "memory"}
    titles = {
        name.split("--")[2]: chart.title
        for name, chart in charts.items()
        if name.endswith("--one-cpu--asyncio")
    }
    assert titles["at-once"] == (
        "Python web servers, requests under way at once, mean: asyncio, One CPU, by "
        "workers and clients"
    )
    assert (
        titles["time"]
        == "Python web servers, time per request, in ms: asyncio, One CPU, by workers and clients"
    )


def ratio(row: str, delta: float | None) -> Ratio:
    value = Estimate(center=1.01, low=0.99, high=1.05, n=9, confidence=0.96)
    return Ratio(row=row, label="paired", value=value, note="equal", series=7, delta=delta)


def test_each_ratio_is_shown_in_its_own_zone() -> None:
    chart = ratio_chart(
        "x", "t", "c", [ratio("a", 0.01), ratio("b", 0.2), ratio("c", None)], "lower"
    )
    zone = next(
        layer for layer in chart.specs["log"]["layer"] if layer["mark"].get("type") == "rect"
    )
    assert {z["row"]: round(z["to"], 3) for z in zone["data"]["values"]} == {"a": 1.01, "b": 1.2}
    assert chart.head[-2:] == ["Counts as equal", "Says"]
    assert [row[-2] for row in chart.rows] == ["±1 %", "±20 %", units.NONE]
    assert "Counts as equal" not in ratio_chart("x", "t", "c", [ratio("a", None)], "lower").head


def test_what_a_run_s_file_says_is_no_expression(core: RunSummary) -> None:
    workload = next(w for w in core.workloads if w.name == "switch")
    head = headline.column(core, workload)
    assert head
    cells: dict[str, Cell] = {
        c.runtime: c
        for c in core.cells
        if (c.workload, c.point, c.metric) == ("switch", head.point, "time")
    }
    moments = [
        Moment(name=HOSTILE, created=HOSTILE, era=place, change=HOSTILE, cells=cells)
        for place in range(2)
    ]
    chart = history_chart("x", "t", head, moments, base.palette(core))
    text = vega.draw(chart.specs["log"])
    assert "2025&apos;" in text or "2025'" in text
    assert "<script>" not in text
