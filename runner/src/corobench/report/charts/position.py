"""Interval dots: where each runtime stands on one axis, and beside it how far its invocations spread.

A 2 % interval is invisible on an axis that spans 200x, so position and spread are two charts with one order of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corobench.model import TRACKS
from corobench.report import slugs, units
from corobench.report.charts import rows
from corobench.report.charts.says import SAYS, interval_words, says, with_caveats
from corobench.report.charts.style import (
    INK,
    LABEL,
    LOOK,
    MUTED,
    NUMBER,
    VALUE_ROOM,
    WIDTH,
    Chart,
    Palette,
    Spec,
    axis_title,
    direct,
    finish,
    log_ticks,
    points,
    room,
    shortened,
)
from corobench.report.charts.ticks import apart
from corobench.report.headline import Column
from corobench.report.matrix import TRACK_TITLES
from corobench.statistics.values import Cell

_STEP = 25


def arrange(cells: list[Cell]) -> dict[str, list[Cell]]:
    """Cells by track; trusted ones by value, then those that are not ranked, then those without a number."""
    groups: dict[str, list[Cell]] = {}
    for track in TRACKS:
        here = [c for c in cells if c.track == track]
        if here:
            groups[track] = sorted(here, key=lambda c: (_rank(c), c.typical.center if c.typical else 0.0, c.runtime))
    return groups


def _rank(cell: Cell) -> int:
    return 2 if cell.typical is None else 0 if cell.trusted else 1


def position_chart(column: Column, cells: list[Cell], colors: Palette, *of: str) -> Chart:
    """Typical value with its interval, and the floor as a tick, of one point. `of`: what tells it from the headline's chart."""
    tracks = arrange(cells)
    floors = ["Floor"] * any("floor" in c.figures for c in cells)
    where = f"{column.title}, {column.where}"
    what = f"{column.metric} in {column.scale.symbol}"
    specs = {scale: finish(_position(column, tracks, colors, scale)) for scale in ("log", "linear")}
    return Chart(
        id=slugs.anchor("position", column.workload, *of),
        title=f"{where}: position",
        caption=with_caveats(_caption(cells), cells),
        description=f"Interval dots of {what} for {sum(map(len, tracks.values()))} runtimes; the numbers are in the table below.",
        specs=specs,
        head=["Runtime", "Track", "Unit", f"Typical, {column.scale.symbol}", "Interval", *floors, "n", SAYS],
        rows=[_row(c, column, colors, floors) for group in tracks.values() for c in group],
    )


def _caption(cells: list[Cell]) -> str:
    floor = "; tick: the floor" if any("floor" in c.figures for c in cells) else ""
    what = "slope over the ladder, median of blocks" if any(c.curve for c in cells) else "median of invocations"
    return f"Dot: typical ({what}); bar: {interval_words(c.typical for c in cells)}{floor}."


def _row(cell: Cell, column: Column, colors: Palette, floors: list[str]) -> list[str]:
    return [
        cell.runtime,
        TRACK_TITLES[cell.track],
        colors.units.get(cell.runtime, ""),
        units.show(cell.typical, column.scale),
        units.show_interval(cell.typical, column.scale),
        *(units.show_beside(cell.figures.get("floor"), cell.typical, column.scale) for _ in floors),
        str(cell.typical.n) if cell.typical else "0",
        says(cell),
    ]


def _position(column: Column, tracks: dict[str, list[Cell]], colors: Palette, scale: str) -> Spec:
    shown = [c for group in tracks.values() for c in group]
    values = [v / column.scale.factor for c in shown for v in _extent(c) if v > 0] or [1.0]
    ends = (min(values) / 1.1, max(values) * 1.1)
    axis: dict[str, Any] = {"title": axis_title(column, scale), "tickCount": 5, "format": NUMBER}
    if scale == "log" and (ticks := apart(log_ticks(*ends), ends, WIDTH - LABEL - VALUE_ROOM)):
        axis |= {"values": ticks, "tickCount": len(ticks)}
    x: Spec = {"field": "value", "type": "quantitative", "axis": axis}
    x["scale"] = {"type": scale, "domain": [0 if scale == "linear" else ends[0], ends[1]], "nice": False}
    width = WIDTH - LABEL - VALUE_ROOM
    return {
        "width": width,
        "height": {"step": _STEP},
        "data": {"values": [_datum(c, column, colors) for c in shown]},
        "encoding": {"y": rows.axis(tracks)},
        "layer": [*rows.titles(tracks), *_marks(shown, x, width), room(width, VALUE_ROOM)],
    }


def _marks(cells: list[Cell], x: Spec, width: float) -> Iterator[Spec]:
    """What is drawn of the cells: only the layers that have something to draw."""
    yield {
        "transform": [{"filter": "isValid(datum.value)"}],
        "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.55, "strokeCap": "round"},
        "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": direct("color")},
    }
    if any("floor" in c.figures for c in cells):
        yield {
            "transform": [{"filter": "isValid(datum.floor)"}],
            "mark": {"type": "tick", "thickness": 1.5, "size": 11, "color": MUTED},
            "encoding": {"x": {**x, "field": "floor"}},
        }
    yield {"transform": [{"filter": "isValid(datum.value)"}], **points(64, x)}
    yield {
        "mark": {"type": "text", "align": "left"},
        "encoding": {"x": {"value": width + 10}, "text": {"field": "text"}, "color": direct("ink")},
    }
    if not all(c.typical for c in cells):
        yield {
            "transform": [{"filter": "datum.why != ''"}],
            "mark": {"type": "text", "align": "left", "fontStyle": "italic", "color": MUTED},
            "encoding": {"x": {"value": 2}, "text": {"field": "why"}},
        }


def _extent(cell: Cell) -> list[float]:
    floor = cell.figures.get("floor")
    return [*([cell.typical.low, cell.typical.high] if cell.typical else []), *([floor.center] if floor else [])]


def _datum(cell: Cell, column: Column, colors: Palette) -> Spec:
    shown = cell.typical
    factor = column.scale.factor
    floor = cell.figures.get("floor")
    return {
        "row": rows.row(cell.track, cell.runtime),
        "runtime": cell.runtime,
        "unit": colors.units.get(cell.runtime, ""),
        "value": shown.center / factor if shown else None,
        "low": shown.low / factor if shown else None,
        "high": shown.high / factor if shown else None,
        "floor": floor.center / factor if floor else None,
        "text": units.show(shown, column.scale) if shown else "",
        "why": "" if shown else shortened(says(cell), WIDTH - LABEL),
        "ink": INK if cell.trusted else MUTED,
        **colors.look(cell.runtime, cell.trusted),
    }


def spread_chart(column: Column, cells: list[Cell], colors: Palette) -> Chart | None:
    """Each invocation as a share of its own median; None where nothing was sampled."""
    tracks = {t: [c for c in group if c.typical and c.samples] for t, group in arrange(cells).items()}
    tracks = {t: group for t, group in tracks.items() if group}
    if not tracks:
        return None
    blocks = sorted({block for group in tracks.values() for c in group for block in c.samples})
    return Chart(
        id=slugs.anchor("spread", column.workload),
        title=f"{column.title}, {column.where}: each invocation",
        caption=with_caveats(
            "One dot a process, as % of that runtime's own median. Where a row is wide or lopsided, read the interval.",
            [c for group in tracks.values() for c in group],
        ),
        description="Strip plot of every invocation as a share of its runtime's median; the values are in the table below.",
        specs={"linear": finish(_spread(tracks, colors))},
        head=["Runtime", "Track", *(f"Block {block}, %" for block in blocks), SAYS],
        rows=[
            [c.runtime, TRACK_TITLES[t], *(_at(c, block) for block in blocks), says(c)]
            for t, group in tracks.items()
            for c in group
        ],
    )


def _at(cell: Cell, block: int) -> str:
    return _percent(_share(cell, cell.samples[block])) if block in cell.samples else units.NONE


def _percent(share: float) -> str:
    return units.plain(share, units.decimals(share, 0))


def _share(cell: Cell, value: float) -> float:
    assert cell.typical is not None
    return 100 * value / cell.typical.center if cell.typical.center else 100.0


def _spread(tracks: dict[str, list[Cell]], colors: Palette) -> Spec:
    values = [
        {
            "row": rows.row(track, c.runtime),
            "runtime": c.runtime,
            "block": block,
            "share": round(_share(c, v), 2),
            **colors.look(c.runtime, c.trusted),
        }
        for track, cells in tracks.items()
        for c in cells
        for block, v in sorted(c.samples.items())
    ]
    axis = {"title": "% of the runtime's own median", "tickCount": 5, "format": NUMBER}
    return {
        "width": WIDTH - LABEL - 10,
        "height": {"step": _STEP},
        "data": {"values": values},
        "encoding": {"y": rows.axis(tracks)},
        "layer": [
            *rows.titles(tracks),
            {
                "data": {"values": [{}]},
                "mark": {"type": "rule", "color": MUTED, "strokeDash": [2, 2]},
                "encoding": {"x": {"datum": 100}, "y": None},
            },
            {
                "mark": {"type": "point", "filled": False, "strokeWidth": 1.2, "opacity": 0.6, "size": 30},
                "encoding": {
                    "x": {"field": "share", "type": "quantitative", "scale": {"zero": False}, "axis": axis},
                    **LOOK,
                },
            },
        ],
    }
