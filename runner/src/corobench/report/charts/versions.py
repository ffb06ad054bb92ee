"""Versions of one runtime side by side: each as a multiple of the newest, in order.

Runtimes of one line have one title but for the version in it: "Tokio 1.28, current thread" and
"Tokio, current thread".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from corobench.report import text, units
from corobench.report.charts.base import (
    INK,
    LOOK,
    MUTED,
    NUMBER,
    SAYS,
    ZONE,
    Chart,
    Palette,
    apart,
    caption_of,
    direct,
    directed,
    extent,
    finish,
    log_ticks,
    names,
    points,
    room,
    says,
    shortened,
    tip,
)
from corobench.report.headline import short_point, usual_point
from corobench.report.text import number
from corobench.report.vega import Spec
from corobench.statistics import estimates
from corobench.statistics.types import Cell, Estimate, RunSummary, WorkloadFacts
from corobench.suite.runtime import Key, version_key

_IN_TITLE = re.compile(r"(?:, (?P<interpreter>[\w.]+))? (?P<version>\d+(?:\.\d+)*)(?=,|$)")
_WIDTH, _NAMES, _VALUES, _STEP = 356, 172, 64, 19  # pixels: the first fits a phone


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime of a line, with the version that tells it from the others."""

    runtime: str
    label: str
    key: Key


def lines(runtimes: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Release]]:
    """Title -> its versions, the oldest first, of those that have several; as a run's header has
    the runtimes.
    """
    named = {name: _IN_TITLE.search(told["title"]) for name, told in runtimes.items()}
    found: dict[str, list[str]] = {}
    for name, told in runtimes.items():
        found.setdefault(_IN_TITLE.sub("", told["title"], count=1), []).append(name)
    several = {title: members for title, members in found.items() if len(members) > 1}
    return {
        title: sorted(
            _releases(title, {name: (runtimes[name], named[name]) for name in members}),
            key=lambda release: (release.key, release.runtime),
        )
        for title, members in several.items()
    }


def _releases(
    title: str, members: Mapping[str, tuple[Mapping[str, Any], re.Match[str] | None]]
) -> Iterator[Release]:
    """The version that a title tells is the library's or the interpreter's: the same one is meant
    where the title tells none.
    """
    told = [(facts, match) for facts, match in members.values() if match]
    field = next(
        (
            field
            for field in ("version", "language_version")
            if any(facts[field].startswith(match["version"]) for facts, match in told)
        ),
        "",
    )
    interpreter = next((match["interpreter"] for _, match in told if match["interpreter"]), "")
    short = ", ".join(filter(None, [title.partition(",")[0], interpreter]))
    for name, (facts, match) in members.items():
        version = facts.get(field) or (match["version"] if match else "")
        if number(version[:1]) is not None:
            yield Release(runtime=name, label=f"{short} {version}", key=version_key(version))


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a line, and what its number is of the newest's: None for a version without one.

    `run`: where it is from; `band`: which line it belongs to, counted from the top.
    """

    release: Release
    cell: Cell
    ratio: Estimate | None
    newest: bool
    run: str
    band: int


def rows_of(
    summary: RunSummary, run: str, workload: str, releases: Iterable[Release], band: int
) -> list[Row]:
    """The versions of a line at the point that most of them have; nothing of a line with fewer than
    two numbers there.
    """
    known = {release.runtime: release for release in releases}
    metric = next((next(iter(w.metrics)) for w in summary.workloads if w.name == workload), None)
    cells = [
        c
        for c in summary.cells
        if c.workload == workload and c.metric == metric and c.runtime in known
    ]
    measured = [c for c in cells if c.median and c.track == "one-cpu"]
    if not measured:
        return []
    point = usual_point(measured)
    here = {c.runtime: c for c in cells if (c.point, c.track) == (point, "one-cpu")}
    newest = next(
        (here[name] for name in reversed(known) if name in here and here[name].median), None
    )
    if newest is None or sum(c.median is not None for c in here.values()) < 2:
        return []
    whole = set(summary.whole_blocks)
    return [
        Row(
            release=known[name],
            cell=here[name],
            ratio=estimates.paired_estimate(
                estimates.within(here[name].samples, whole), newest.samples
            )
            if here[name].median
            else None,
            newest=here[name] is newest,
            run=run,
            band=band,
        )
        for name in known
        if name in here
    ]


def versions_chart(workload: WorkloadFacts, rows: list[Row], colors: Palette) -> Chart:
    """Dots with intervals, one row a version; the value stands beside it."""
    ratios = [v for row in rows if row.ratio for v in (row.ratio.low, row.ratio.high) if v > 0]
    ends = (min([0.9, *ratios]) / 1.06, max([1.1, *ratios]) * 1.06)
    width = _WIDTH - _NAMES - _VALUES
    places = [_place(row) for row in rows]
    y = names(places)
    y["axis"] |= {
        "minExtent": _NAMES,
        "labelFontSize": 11,
        "labelExpr": "slice(datum.label, indexof(datum.label, '/') + 1)",
    }
    ticks = apart(log_ticks(*ends), ends, width)
    x: Spec = {
        "field": "value",
        "type": "quantitative",
        "axis": {
            "title": directed("times the newest", rows[0].cell.better, "log"),
            "format": NUMBER,
            "values": ticks,
            "tickCount": len(ticks),
        },
        "scale": {"type": "log", "domain": list(ends), "nice": False},
    }
    scale = units.scale_of_estimates((row.cell.median for row in rows), rows[0].cell.unit)
    unit = f", {scale.symbol}" if scale.symbol else ""
    return Chart(
        id=text.anchor("versions", workload.name),
        title=f"{workload.title} by version",
        caption=caption_of(
            [row.cell for row in rows],
            "Times the newest version's.",
            "Ratios are paired by block; bars: 95 % intervals. Versions of one line, oldest first, "
            "are from one run.",
        ),
        description=(
            f"Ratios to the newest version for {len(rows)} versions; the numbers are in the table "
            "below."
        ),
        specs={
            "log": finish(
                {
                    "width": width,
                    "height": {"step": _STEP},
                    "data": {"values": [_datum(row, scale, colors) for row in rows]},
                    "encoding": {"y": {**y, "field": "row", "scale": {"domain": places}}},
                    "padding": 0,
                    "layer": [*_layers(rows, x, width), room(width, _VALUES)],
                }
            )
        },
        head=[
            "Version",
            "Runtime",
            "Point",
            f"Typical{unit}",
            "Interval",
            "Times the newest",
            "Interval",
            "Run",
            SAYS,
        ],
        rows=[_row(row, scale) for row in rows],
    )


def _place(row: Row) -> str:
    return f"{row.release.runtime}/{row.release.label}"


def _layers(rows: list[Row], x: Spec, width: float) -> Iterator[Spec]:
    banded = [{"row": _place(row)} for row in rows if row.band % 2]
    if banded:
        yield {
            "data": {"values": banded},
            "mark": {"type": "rect", "color": ZONE, "height": {"band": 1}},
            "encoding": {"x": {"value": 0}, "x2": {"value": width + _VALUES}},
        }
    yield {
        "data": {"values": [{}]},
        "mark": {"type": "rule", "color": MUTED},
        "encoding": {"x": {"datum": 1}, "y": None},
    }
    yield {
        "transform": [{"filter": "isValid(datum.value)"}],
        "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.55, "strokeCap": "round"},
        "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": LOOK["color"]},
    }
    yield {"transform": [{"filter": "isValid(datum.value)"}], **points(56, x)}
    yield {
        "mark": {"type": "text", "align": "left", "fontSize": 11},
        "encoding": {"x": {"value": width + 8}, "text": {"field": "text"}, "color": direct("ink")},
    }


def _datum(row: Row, scale: units.Scale, colors: Palette) -> Spec:
    cell, ratio = row.cell, row.ratio
    return {
        "row": _place(row),
        **extent(ratio),
        "text": f"{units.show(cell.median, scale)} {scale.symbol}".rstrip()
        if cell.median
        else shortened(says(cell).partition(":")[0], _VALUES),
        "ink": INK if cell.trusted else MUTED,
        "tip": "; ".join(filter(None, [tip(row.release.label, cell.median, scale), says(cell)]))
        if cell.median
        else "",
        **colors.look(cell.runtime, cell.trusted),
    }


def _row(row: Row, scale: units.Scale) -> list[str]:
    cell = row.cell
    return [
        row.release.label,
        cell.runtime,
        short_point(cell.point),
        units.show(cell.median, scale),
        units.show_interval(cell.median, scale),
        units.show(row.ratio, units.ONE),
        "base" if row.newest else units.show_interval(row.ratio, units.ONE),
        row.run,
        says(cell),
    ]
