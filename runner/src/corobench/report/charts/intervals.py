"""Dots with intervals: position, spread, ratios, history.

A 2 % interval is invisible on an axis that spans 200x, so position and spread are two charts with
one order of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from corobench.report import text, units
from corobench.report.charts import base
from corobench.report.charts.base import (
    FADED,
    INK,
    LABEL,
    LOOK,
    MANY_ROWS,
    MUTED,
    NUMBER,
    PAPER,
    PLOT,
    SAYS,
    SERIES,
    SHAPES,
    VALUE_ROOM,
    WIDE,
    WIDTH,
    ZONE,
    Caption,
    Chart,
    Palette,
    apart,
    axis_title,
    caption_of,
    direct,
    directed,
    extent,
    finish,
    interval_words,
    literal,
    log_ticks,
    magnitude,
    names,
    points,
    room,
    says,
    shortened,
    tip,
)
from corobench.report.charts.curves import end_labels, value_range
from corobench.report.headline import Column, holds_a_million
from corobench.report.text import TRACK_TITLES
from corobench.report.vega import Spec
from corobench.statistics.types import Cell, Estimate
from corobench.suite.workload import TRACKS

_POSITION_STEP = 25


def arrange(cells: list[Cell]) -> dict[str, list[Cell]]:
    """Cells by track, by value; those without a number last. What can't be ranked keeps its
    place.
    """
    groups: dict[str, list[Cell]] = {}
    for track in TRACKS:
        here = [c for c in cells if c.track == track]
        if here:
            groups[track] = sorted(
                here,
                key=lambda c: (
                    c.median is None,
                    c.median.center if c.median else 0.0,
                    c.runtime,
                ),
            )
    return groups


def _wide(rows: int, specs: Callable[[int], dict[str, Spec]]) -> dict[str, Spec]:
    """What a chart of so many rows is drawn by in a window that has the room."""
    return specs(WIDE) if rows > MANY_ROWS else {}


def position_chart(
    column: Column, cells: list[Cell], colors: Palette, *of: str, floor: str = ""
) -> Chart:
    """Typical value with its interval, and the minimum as a tick, of one point. `of`: what tells it
    from the headline's chart. `floor`: the runtime that is a line through the rows of the others.
    """
    tracks = arrange(cells)
    lines = {
        track: cell
        for track, group in tracks.items()
        for cell in group
        if cell.runtime == floor and cell.median and len(group) > 1
    }
    floors = ["Minimum"] * any("minimum" in c.figures for c in cells)
    where = f"{column.title}, {column.where}"
    what = f"{column.metric} in {column.scale.symbol}"
    count = sum(map(len, tracks.values()))

    def specs(width: int) -> dict[str, Spec]:
        return {
            scale: finish(_position(column, tracks, colors, scale, lines, width))
            for scale in ("log", "linear")
        }

    return Chart(
        id=text.anchor("position", column.workload, *of),
        title=f"{where}: position",
        caption=_caption(cells, floor if lines else ""),
        description=(
            f"Interval dots of {what} for {count} runtimes; the numbers are in the table below."
        ),
        specs=specs(WIDTH),
        wide=_wide(count, specs),
        head=[
            "Runtime",
            "Track",
            "Unit",
            f"Typical, {column.scale.symbol}",
            "Interval",
            *floors,
            "n",
            SAYS,
        ],
        rows=[_position_row(c, column, colors, floors) for group in tracks.values() for c in group],
    )


_NARROW = 356  # pixels: the width of a phone, less its margins
_NARROW_NAMES, _NARROW_VALUES = 186, 56
_NARROW_STEP = 19


def answer_chart(column: Column, cells: list[Cell], colors: Palette) -> Chart:
    """The numbers of one track as dots with intervals, narrow enough for a phone and for three
    beside each other.
    """
    width = _NARROW - _NARROW_NAMES - _NARROW_VALUES
    rows = names([c.runtime for c in cells])
    rows["axis"] |= {"minExtent": _NARROW_NAMES, "labelFontSize": 11, "labelExpr": "datum.label"}
    spec = {
        "width": width,
        "height": {"step": _NARROW_STEP},
        "data": {"values": [_position_datum(c, column, colors) for c in cells]},
        "encoding": {"y": rows},
        "padding": 0,
    }
    if any(map(holds_a_million, cells)):
        x = _from_zero(column, cells, None)
        layers, scale, where = _bars(cells, x, width), "linear", column.per.removeprefix("for ")
    else:
        values = [v / column.scale.factor for c in cells for v in _ends(c.median) if v > 0]
        ends = (min(values or [1.0]) / 1.25, max(values or [1.0]) * 1.25)
        ticks = apart(log_ticks(*ends), ends, width)
        x = {
            "field": "value",
            "type": "quantitative",
            "axis": {"title": None, "format": NUMBER, "values": ticks, "tickCount": len(ticks)},
            "scale": {"type": "log", "domain": list(ends), "nice": False},
        }
        layers, scale, where = _marks(cells, x, width, minimum=False), "log", column.where
    return Chart(
        id=text.anchor("answer", column.workload),
        title=f"{column.title}, {where}",
        caption=Caption(f"{where}; {axis_title(column, scale)}"),
        description=f"A row for each of {len(cells)} runtimes; the numbers are in the table below.",
        specs={scale: finish({**spec, "layer": [*layers, room(width, _NARROW_VALUES)]})},
        head=["Runtime", column.scale.symbol or "Value", "Interval", SAYS],
        rows=[
            [
                c.runtime,
                units.show(c.median, column.scale),
                units.show_interval(c.median, column.scale),
                says(c),
            ]
            for c in cells
        ],
    )


def million_chart(column: Column, cells: list[Cell], colors: Palette) -> Chart:
    """What a million tasks hold, a bar a runtime; those that can't hold them with the limit that
    stopped them.
    """
    tracks = arrange([c if holds_a_million(c) else _without_number(c) for c in cells])
    shown = [c for group in tracks.values() for c in group]
    width = WIDTH - LABEL - VALUE_ROOM
    title = f"{column.title} {column.per}"
    return Chart(
        id=text.anchor("million", column.workload),
        title=title,
        caption=caption_of(
            shown,
            "Bar: the slope, for a million tasks.",
            f"The mark is the unit's; thin bar: {interval_words(c.median for c in shown)}.",
        ),
        description=(
            f"Bars of {column.what} {column.per} for {len(shown)} runtimes; the numbers are in "
            "the table below."
        ),
        specs={
            "linear": finish(
                {
                    "width": width,
                    "height": {"step": _POSITION_STEP},
                    "data": {"values": [_position_datum(c, column, colors) for c in shown]},
                    "encoding": {"y": base.track_axis(tracks)},
                    "layer": [
                        *base.track_titles(tracks),
                        *_bars(
                            shown, _from_zero(column, shown, axis_title(column, "linear")), width
                        ),
                        room(width, VALUE_ROOM),
                    ],
                }
            )
        },
        head=[
            "Runtime",
            "Track",
            "Unit",
            f"{column.scale.symbol} {column.per}",
            "Interval",
            "n",
            SAYS,
        ],
        rows=[_position_row(c, column, colors, []) for c in shown],
    )


def _without_number(cell: Cell) -> Cell:
    """A slope over fewer tasks says nothing of a million."""
    return msgspec.structs.replace(cell, median=None)


def _from_zero(column: Column, cells: list[Cell], title: str | None) -> Spec:
    """The axis of bars, which begins at zero."""
    most = max((c.median.high for c in cells if c.median), default=column.scale.factor)
    return {
        "field": "value",
        "type": "quantitative",
        "axis": {"title": title, "format": NUMBER, "tickCount": 4},
        "scale": {"domain": [0, most / column.scale.factor], "nice": False},
    }


def _bars(cells: list[Cell], x: Spec, width: float) -> Iterator[Spec]:
    """Bars under the marks of their units and intervals."""
    yield {
        "transform": [{"filter": "isValid(datum.value)"}],
        "mark": {"type": "bar", "height": {"band": 0.6}, "opacity": 0.45, "strokeWidth": 1},
        "encoding": {"x": {**x, "stack": None}, "fill": direct("fill"), "stroke": direct("color")},
    }
    yield from _marks(cells, x, width, minimum=False)


def _ends(value: Estimate | None) -> tuple[float, ...]:
    return (value.low, value.high) if value else ()


def _caption(cells: list[Cell], floor: str) -> Caption:
    tick = "; tick: the minimum" if any("minimum" in c.figures for c in cells) else ""
    line = f"; line: {floor}, the floor" if floor else ""
    what = (
        "slope over the ladder, median of blocks"
        if any(c.curve for c in cells)
        else "median of invocations"
    )
    return caption_of(
        cells,
        f"Dot: typical; bar: interval{tick}{line}.",
        f"Typical: the {what}; the bar: {interval_words(c.median for c in cells)}.",
    )


def _position_row(cell: Cell, column: Column, colors: Palette, floors: list[str]) -> list[str]:
    return [
        cell.runtime,
        TRACK_TITLES[cell.track],
        colors.units.get(cell.runtime, ""),
        units.show(cell.median, column.scale),
        units.show_interval(cell.median, column.scale),
        *(
            units.show_beside(cell.figures.get("minimum"), cell.median, column.scale)
            for _ in floors
        ),
        str(cell.median.n) if cell.median else "0",
        says(cell),
    ]


def _position(
    column: Column,
    tracks: dict[str, list[Cell]],
    colors: Palette,
    scale: str,
    lines: dict[str, Cell],
    whole: int,
) -> Spec:
    every = [c for group in tracks.values() for c in group]
    tracks = {t: [c for c in group if c is not lines.get(t)] for t, group in tracks.items()}
    shown = [c for group in tracks.values() for c in group]
    values = [v / column.scale.factor for c in every for v in _extent(c) if v > 0] or [1.0]
    ends = (min(values) / 1.1, max(values) * 1.1)
    axis: dict[str, Any] = {"title": axis_title(column, scale), "tickCount": 5, "format": NUMBER}
    width = whole - LABEL - VALUE_ROOM
    if scale == "log" and (ticks := apart(log_ticks(*ends), ends, width)):
        axis |= {"values": ticks, "tickCount": len(ticks)}
    x: Spec = {"field": "value", "type": "quantitative", "axis": axis}
    x["scale"] = {
        "type": scale,
        "domain": [0 if scale == "linear" else ends[0], ends[1]],
        "nice": False,
    }
    return {
        "width": width,
        "height": {"step": _POSITION_STEP},
        "data": {"values": [_position_datum(c, column, colors) for c in shown]},
        "encoding": {"y": base.track_axis(tracks)},
        "layer": [
            *base.track_titles(tracks),
            *_floor_lines(column, tracks, lines, x),
            *_marks(shown, x, width),
            room(width, VALUE_ROOM),
        ],
    }


def _floor_lines(
    column: Column, tracks: dict[str, list[Cell]], lines: dict[str, Cell], x: Spec
) -> Iterator[Spec]:
    """A line through the rows of each track, with its interval as a zone and its name where the
    rows leave room: those with the best numbers are the nearest to it.
    """
    higher = column.better == "higher"
    data = []
    for track, cell in lines.items():
        assert cell.median is not None
        rows = [base.track_row(track, c.runtime) for c in tracks[track]]
        value = f"{units.show(cell.median, column.scale)} {column.scale.symbol}".rstrip()
        data.append(
            {
                "row": rows[0],
                "to": rows[-1],
                "name": rows[0] if higher else rows[-1],
                **extent(cell.median, column.scale.factor),
                "text": f"{cell.runtime} {value}",
            }
        )
    if not data:
        return
    place = {"field": "row", "bandPosition": 0}
    end = {"field": "to", "bandPosition": 1}
    yield {
        "data": {"values": data},
        "mark": {"type": "rect", "color": ZONE},
        "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": place, "y2": end},
    }
    yield {
        "data": {"values": data},
        "mark": {"type": "rule", "color": MUTED, "strokeWidth": 1.5},
        "encoding": {"x": x, "y": place, "y2": end},
    }
    yield {
        "data": {"values": data},
        "mark": {
            "type": "text",
            "align": "right" if higher else "left",
            "dx": -6 if higher else 6,
            "color": MUTED,
        },
        "encoding": {"x": x, "y": {"field": "name"}, "text": {"field": "text"}},
    }


def _marks(cells: list[Cell], x: Spec, width: float, *, minimum: bool = True) -> Iterator[Spec]:
    """What is drawn of the cells: only the layers that have something to draw."""
    yield {
        "transform": [{"filter": "isValid(datum.value)"}],
        "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.55, "strokeCap": "round"},
        "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": direct("color")},
    }
    if minimum and any("minimum" in c.figures for c in cells):
        yield {
            "transform": [{"filter": "isValid(datum.minimum)"}],
            "mark": {"type": "tick", "thickness": 1.5, "size": 11, "color": MUTED},
            "encoding": {"x": {**x, "field": "minimum"}},
        }
    yield {"transform": [{"filter": "isValid(datum.value)"}], **points(64, x)}
    yield {
        "mark": {"type": "text", "align": "left"},
        "encoding": {"x": {"value": width + 10}, "text": {"field": "text"}, "color": direct("ink")},
    }
    if not all(c.median for c in cells):
        yield {
            "transform": [{"filter": "datum.why != ''"}],
            "mark": {"type": "text", "align": "left", "fontStyle": "italic", "color": MUTED},
            "encoding": {"x": {"value": 2}, "text": {"field": "why"}},
        }


def _extent(cell: Cell) -> list[float]:
    floor = cell.figures.get("minimum")
    return [
        *([cell.median.low, cell.median.high] if cell.median else []),
        *([floor.center] if floor else []),
    ]


def _position_datum(cell: Cell, column: Column, colors: Palette) -> Spec:
    shown = cell.median
    factor = column.scale.factor
    floor = cell.figures.get("minimum")
    return {
        "row": base.track_row(cell.track, cell.runtime),
        "runtime": cell.runtime,
        "unit": colors.units.get(cell.runtime, ""),
        **extent(shown, factor),
        "minimum": floor.center / factor if floor else None,
        "text": units.show(shown, column.scale) if shown else "",
        "why": "" if shown else shortened(says(cell), WIDTH - LABEL),
        "ink": INK if cell.trusted else MUTED,
        "tip": "; ".join(filter(None, [tip(cell.runtime, shown, column.scale), says(cell)]))
        if shown
        else "",
        **colors.look(cell.runtime, cell.trusted),
    }


def spread_chart(column: Column, cells: list[Cell], colors: Palette) -> Chart | None:
    """Each invocation as a share of its own median; None where nothing was sampled."""
    tracks = {
        t: [c for c in group if c.median and c.samples] for t, group in arrange(cells).items()
    }
    tracks = {t: group for t, group in tracks.items() if group}
    if not tracks:
        return None
    blocks = sorted({block for group in tracks.values() for c in group for block in c.samples})

    def specs(width: int) -> dict[str, Spec]:
        return {"linear": finish(_spread(tracks, colors, width))}

    return Chart(
        id=text.anchor("spread", column.workload),
        title=f"{column.title}, {column.where}: each invocation",
        caption=caption_of(
            [c for group in tracks.values() for c in group],
            "A dot a process, as % of its median.",
            "Where a row is wide or lopsided, read the interval.",
        ),
        description=(
            "Strip plot of every invocation as a share of its runtime's median; the "
            "values are in the table below."
        ),
        specs=specs(WIDTH),
        wide=_wide(sum(map(len, tracks.values())), specs),
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
    assert cell.median is not None
    return 100 * value / cell.median.center if cell.median.center else 100.0


def _spread(tracks: dict[str, list[Cell]], colors: Palette, width: int) -> Spec:
    values = [
        {
            "row": base.track_row(track, c.runtime),
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
        "width": width - LABEL - 10,
        "height": {"step": _POSITION_STEP},
        "data": {"values": values},
        "encoding": {"y": base.track_axis(tracks)},
        "layer": [
            *base.track_titles(tracks),
            {
                "data": {"values": [{}]},
                "mark": {"type": "rule", "color": MUTED, "strokeDash": [2, 2]},
                "encoding": {"x": {"datum": 100}, "y": None},
            },
            {
                "mark": {
                    "type": "point",
                    "filled": False,
                    "strokeWidth": 1.2,
                    "opacity": 0.6,
                    "size": 30,
                },
                "encoding": {
                    "x": {
                        "field": "share",
                        "type": "quantitative",
                        "scale": {"zero": False},
                        "axis": axis,
                    },
                    **LOOK,
                },
            },
        ],
    }


_RATIO_STEP = 20


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    """One ratio of a chart. `series` chooses colour and shape (0 is the plain one); `sure`: carries
    a verdict of a difference.

    `delta`: the zone around 1 that counts as equal for this one (0.02 is 2 %), None where there is
    none.
    """

    row: str
    label: str
    value: Estimate
    note: str
    series: int = 0
    sure: bool = True
    delta: float | None = None


def ratio_chart(
    identity: str,
    title: str,
    caption: Caption,
    ratios: Sequence[Ratio],
    better: str,
    row: str = "Case",
    label: str = "By",
) -> Chart:
    """Dots with intervals on a log axis, each in its zone that counts as equal, where it has one.

    `better`: the direction of what the ratios are of. `row` and `label`: what the two are, in the
    table. Where the series have several labels (boxes), rows are split and a legend names them.
    """
    rows = list(dict.fromkeys(r.row for r in ratios))
    zones = ["Counts as equal"] * any(r.delta is not None for r in ratios)

    def specs(width: int) -> dict[str, Spec]:
        return {"log": finish(_ratio_spec(rows, ratios, better, width))}

    return Chart(
        id=text.anchor("ratios", identity),
        title=title,
        caption=caption,
        description=(
            f"Ratios with intervals on a log axis for {len(rows)} rows; the numbers are "
            "in the table below."
        ),
        specs=specs(WIDTH),
        wide=_wide(len(rows), specs),
        head=[row, label, "Ratio", "Interval", "n", *zones, SAYS],
        rows=[
            [
                r.row,
                r.label,
                units.show(r.value, units.ONE),
                units.show_interval(r.value, units.ONE),
                str(r.value.n),
            ]
            + [units.NONE if r.delta is None else f"±{units.percent(r.delta)}" for _ in zones]
            + [r.note]
            for r in ratios
        ],
    )


def _ratio_spec(rows: list[str], ratios: Sequence[Ratio], better: str, width: int) -> Spec:
    values = [v for r in ratios for v in (r.value.low, r.value.high, r.value.center) if v > 0]
    zoned = [r for r in ratios if r.delta is not None]
    edge = 1 + max((r.delta or 0.0 for r in zoned), default=0.0)
    low, high = min([*values, 1 / edge]) / 1.03, max([*values, edge]) * 1.03
    x: dict[str, Any] = {
        "field": "ratio",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [low, high], "nice": False},
        "axis": {
            "title": directed("ratio, 1 is the same", better, "log"),
            "format": NUMBER,
            "values": apart(_ticks(low, high), (low, high), width - LABEL),
            "tickCount": 40,
        },
    }
    labels = {r.series: r.label for r in ratios}
    alone: Spec = {"y": None, "yOffset": None}
    several = len(labels) > 1 and not zoned
    zone: list[Spec] = [
        {
            "data": {
                "values": [
                    {"row": r.row, "from": 1 / (1 + (r.delta or 0.0)), "to": 1 + (r.delta or 0.0)}
                    for r in zoned
                ]
            },
            "mark": {"type": "rect", "color": ZONE},
            "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}},
        }
    ]
    look = _legend(labels) if several else LOOK
    return {
        "width": width - LABEL,
        "height": {
            "step": max(6, _RATIO_STEP // len(labels)) + 2 if several else _RATIO_STEP,
            **({"for": "offset"} if several else {}),
        },
        "data": {"values": [_ratio_datum(r) for r in ratios]},
        "encoding": {
            "y": {**names(rows), "field": "row"},
            **(
                {
                    "yOffset": {
                        "field": "label",
                        "type": "nominal",
                        "sort": [labels[s] for s in sorted(labels)],
                    }
                }
                if several
                else {}
            ),
        },
        "layer": [
            *(zone if zoned else []),
            {
                "data": {"values": [{}]},
                "mark": {"type": "rule", "color": MUTED},
                "encoding": {"x": {"datum": 1}, **alone},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "opacity": 0.55},
                "encoding": {
                    "x": {**x, "field": "low"},
                    "x2": {"field": "high"},
                    "color": look["color"],
                },
            },
            {
                "mark": {
                    "type": "point",
                    "filled": False,
                    "strokeWidth": 1.5,
                    "size": 50,
                    "opacity": 1,
                },
                "encoding": {"x": x, **look},
            },
        ],
    }


def _legend(labels: dict[int, str]) -> Spec:
    """Colour and shape of each box, named above the chart; a number that is not ranked is faint."""
    places = sorted(labels)
    named = {"field": "label", "type": "nominal"}
    legend = {
        "title": None,
        "orient": "top",
        "labelColor": INK,
        "labelLimit": 180,
        "symbolOpacity": 1,
        "symbolFillColor": "transparent",
        "columns": 1,
    }
    domain = [labels[p] for p in places]
    return {
        "color": {
            **named,
            "scale": {"domain": domain, "range": [SERIES[p % len(SERIES)] for p in places]},
            "legend": legend,
        },
        "shape": {
            **named,
            "scale": {"domain": domain, "range": [_shape(p) for p in places]},
            "legend": legend,
        },
        "fill": direct("fill"),
        "opacity": {"field": "strength", "type": "quantitative", "scale": None, "legend": None},
    }


def _shape(series: int) -> str:
    shapes = ["circle", *(s for s in SHAPES.values() if s != "circle")]
    return shapes[series % len(shapes)]


def _ratio_datum(one: Ratio) -> Spec:
    color = SERIES[one.series % len(SERIES)]
    return {
        "row": one.row,
        "label": one.label,
        "ratio": one.value.center,
        "low": one.value.low,
        "high": one.value.high,
        "note": one.note,
        "color": color if one.sure else FADED,
        "fill": color if one.sure else PAPER,
        "shape": _shape(one.series),
        "strength": 1.0 if one.sure else 0.35,
    }


def _ticks(low: float, high: float) -> list[float]:
    for steps in ([0.9, 0.95, 1, 1.05, 1.1], [0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2]):
        if min(steps) <= low and high <= max(steps):
            return [s for s in steps if low <= s <= high]
    decades = [10.0**e for e in range(-9, 10)]
    fine = [m * d for d in decades for m in ((1, 2, 5) if high / low < 300 else (1,))]
    return [float(f"{t:.3g}") for t in fine if low <= t <= high]


_HEIGHT = 230


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A run in a history. `era` counts up at every confounding change of the box: a line never
    crosses it.
    """

    name: str
    created: str
    era: int
    change: str
    cells: dict[str, Cell]


def history_chart(
    identity: str, title: str, column: Column, moments: Sequence[Moment], colors: Palette
) -> Chart:
    """Typical values of every runtime, run by run. A quick run has no point here: it claims
    nothing.
    """
    data = [d for place, moment in enumerate(moments) for d in _data(place, moment, column, colors)]
    return Chart(
        id=text.anchor("history", identity),
        title=title,
        caption=caption_of(
            [cell for moment in moments for cell in moment.cells.values()],
            "A point a run, oldest first, with its interval.",
            "Dashed upright: the box changed, so no line crosses it.",
        ),
        description=(
            f"Typical values of {len(moments)} runs in order of time; the numbers are in "
            "the table below."
        ),
        specs={
            kind: finish(_history_spec(column, moments, data, kind)) for kind in ("log", "linear")
        },
        head=[
            "Run",
            "Runtime",
            f"Typical, {column.scale.symbol}",
            "Interval",
            "n",
            SAYS,
            "Change of the box before it",
        ],
        rows=[
            _history_row(moment, cell, column)
            for moment in moments
            for cell in moment.cells.values()
        ],
    )


def _history_row(moment: Moment, cell: Cell, column: Column) -> list[str]:
    value, interval = (
        units.show(cell.median, column.scale),
        units.show_interval(cell.median, column.scale),
    )
    return [
        moment.name,
        cell.runtime,
        value,
        interval,
        str(cell.median.n if cell.median else 0),
        says(cell),
        moment.change,
    ]


def _data(place: int, moment: Moment, column: Column, colors: Palette) -> list[Spec]:
    factor = column.scale.factor
    return [
        {
            "series": name,
            "line": f"{name} {moment.era}",
            "run": moment.name,
            "x": place,
            **extent(cell.median, factor),
            "tip": tip(f"{name}, {moment.name}", cell.median, column.scale),
            **colors.look(name, cell.trusted),
        }
        for name, cell in moment.cells.items()
        if cell.median
    ]


def _history_spec(column: Column, moments: Sequence[Moment], data: list[Spec], kind: str) -> Spec:
    ends = value_range(data, kind)
    width = PLOT
    height = max(_HEIGHT, 13 * len({d["series"] for d in data}))
    y = magnitude(ends, kind, axis_title(column, kind))
    shown = sorted({0, len(moments) - 1})
    dates = (
        " : ".join(
            f"datum.value == {place} ? {literal(moments[place].created[:10])}" for place in shown
        )
        + " : ''"
    )
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": {"domain": [0, max(1, len(moments) - 1)], "nice": False},
        "axis": {"title": None, "values": shown, "labelExpr": dates, "grid": False},
    }
    breaks = [
        {"x": place - 0.5}
        for place in range(1, len(moments))
        if moments[place].era != moments[place - 1].era
    ]
    lines: list[Spec] = [
        {
            "data": {"values": breaks},
            "mark": {"type": "rule", "strokeDash": [3, 3], "color": MUTED},
            "encoding": {"x": x, "color": {"value": MUTED}},
        }
    ]
    return {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [
            *(lines if breaks else []),
            {
                "mark": {"type": "line", "strokeWidth": 1.4},
                "encoding": {"y": y, "detail": {"field": "line"}, "color": direct("hue")},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            points(36, y=y),
            *end_labels(data, width, height, ends, kind),
        ],
    }
