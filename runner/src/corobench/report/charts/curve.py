"""Cost against a parameter: one line a runtime, with intervals, each named at its end."""

from __future__ import annotations

import math
from typing import Any

from corobench.report import slugs, units
from corobench.report.charts.says import SAYS, gap_rows, interval_words, says, with_caveats
from corobench.report.charts.style import (
    INK,
    MUTED,
    NAME_ROOM,
    WIDTH,
    Chart,
    Palette,
    Spec,
    axis_title,
    dashed,
    direct,
    finish,
    magnitude,
    points,
    room,
    shortened,
)
from corobench.report.charts.ticks import apart, short
from corobench.report.headline import Column
from corobench.report.matrix import TRACK_TITLES
from corobench.report.sweep import along, swept, value
from corobench.statistics.values import Cell

_HEIGHT = 250
_GAP = 13.0  # pixels that a line of text needs
_NAMES = {"n": "tasks (n)", "k": "live tasks (k)", "p": "producers (p)", "c": "requests at a time (c)"}


def curve_chart(column: Column, cells: list[Cell], colors: Palette) -> Chart | None:
    """Typical value against the parameter that varies; None where nothing varies."""
    key = swept(cells)
    if key is None:
        return None
    chosen = along(cells, column.point, key)
    placed = [(x, c) for c in chosen if (x := value(c, key)) is not None]
    placed.sort(key=lambda pair: (pair[1].track, colors.names.index(pair[1].runtime), pair[0]))
    measured = [(x, c) for x, c in placed if c.typical]
    many = len({c.track for _, c in measured}) > 1
    data = [_datum(x, c, column, colors, many) for x, c in measured]
    bars = interval_words(c.typical for c in chosen)
    head = ["Runtime", "Track", _NAMES.get(key, key), f"Typical, {column.scale.symbol}", "Interval", "n", SAYS]
    return Chart(
        id=slugs.anchor("curve", column.workload),
        title=f"{column.title}: cost against {_NAMES.get(key, key)}",
        caption=with_caveats(f"Line: typical; bars: {bars}. Level: a cost that does not depend on their number.", chosen),
        description=f"Lines of {column.metric} against {_NAMES.get(key, key)}; numbers in the table.",
        specs={scale: finish(_spec(column, key, data, scale)) for scale in ("log", "linear")},
        head=head,
        rows=[*(_row(x, c, column) for x, c in placed if not c.gap), *gap_rows(chosen, head)],
    )


def _row(x: float, cell: Cell, column: Column) -> list[str]:
    count = str(cell.typical.n) if cell.typical else "0"
    value, interval = units.show(cell.typical, column.scale), units.show_interval(cell.typical, column.scale)
    return [cell.runtime, TRACK_TITLES[cell.track], f"{x:,.0f}", value, interval, count, says(cell)]


def series_name(cell: Cell, many_tracks: bool) -> str:
    """Tracks are never mixed silently: where both meet, the name says which."""
    return f"{cell.runtime}, all CPUs" if many_tracks and cell.track == "all-cpus" else cell.runtime


def _datum(x: float, cell: Cell, column: Column, colors: Palette, many: bool) -> Spec:
    assert cell.typical is not None
    factor = column.scale.factor
    return {
        "series": series_name(cell, many),
        "track": cell.track,
        "unit": colors.units.get(cell.runtime, ""),
        "x": x,
        "value": cell.typical.center / factor,
        "low": cell.typical.low / factor,
        "high": cell.typical.high / factor,
        **colors.look(cell.runtime, cell.trusted),
    }


def _spec(column: Column, key: str, data: list[Spec], scale: str) -> Spec:
    x: dict[str, Any] = {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": scale, "nice": False},
        "axis": {
            "title": f"{_NAMES.get(key, key)}{', log' if scale == 'log' else ''}",
            "format": "~s",
            "tickCount": 4,
            "grid": False,
        },
    }
    if scale == "log":
        x["axis"] |= {"values": measured_at(data), "tickCount": 30}
    ends = value_range(data, scale)
    height = max(_HEIGHT, int(_GAP * len({d["series"] for d in data})))
    y = magnitude(ends, scale, axis_title(column, scale))
    width = WIDTH - NAME_ROOM - 30
    return {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [
            {
                "mark": {"type": "line", "strokeWidth": 1.8},
                "encoding": {"y": y, "detail": {"field": "series"}, "color": direct("hue"), **dashed(data)},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "opacity": 0.5},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            points(46, y=y),
            *end_labels(data, width, height, ends, scale),
        ],
    }


def measured_at(data: list[Spec]) -> list[float]:
    """Ticks of a log axis where something was measured, as far as there is room for their labels."""
    found = sorted({d["x"] for d in data})
    return apart(found, (found[0], found[-1]), WIDTH - NAME_ROOM - 30, text=short)


def value_range(data: list[Spec], scale: str) -> tuple[float, float]:
    """The ends of the value axis: all intervals with a little room, from zero where the axis is linear."""
    values = [d[key] for d in data for key in ("value", "low", "high") if d.get(key) is not None]
    if scale == "linear":
        return min([0.0, *values]), max(values) * 1.04 or 1.0
    positive = [v for v in values if v > 0] or [1.0]
    return min(positive) / 1.15, max(positive) * 1.15


def end_labels(data: list[Spec], width: int, height: int, ends: tuple[float, float], scale: str) -> list[Spec]:
    """The name of each series at its last point, moved apart where they would overlap, with a thin line to its point."""
    last: dict[str, Spec] = {}
    for datum in data:
        if datum["series"] not in last or datum["x"] > last[datum["series"]]["x"]:
            last[datum["series"]] = datum

    def pixel(value: float) -> float:
        if scale == "log":
            return height * math.log(ends[1] / max(value, ends[0])) / math.log(ends[1] / ends[0])
        return height * (ends[1] - value) / (ends[1] - ends[0])

    names = sorted(last, key=lambda name: pixel(last[name]["value"]))
    places = spread_out([pixel(last[name]["value"]) for name in names], _GAP, height)
    labels = [
        {
            "name": shortened(name, NAME_ROOM - 14),
            "label": place,
            "color": last[name].get("hue", last[name]["color"]),
            "end": pixel(last[name]["value"]),
        }
        for name, place in zip(names, places, strict=True)
    ]
    beside = {"x": {"value": width + 14}, "y": _pixels("label"), "text": {"field": "name"}, "color": {"value": INK}}
    line = {"x": {"value": width + 3}, "x2": {"value": width + 11}, "y": _pixels("end"), "y2": _pixels("label")}
    return [
        {
            "data": {"values": labels},
            "mark": {"type": "text", "align": "left", "fontSize": 11, "color": INK},
            "encoding": beside,
        },
        {
            "data": {"values": labels},
            "mark": {"type": "rule", "strokeWidth": 1, "color": MUTED, "opacity": 0.7},
            "encoding": {**line, "color": direct("color")},
        },
        room(width, NAME_ROOM),
    ]


def _pixels(field: str) -> Spec:
    """A place on the page and not on the scale."""
    return {"value": {"expr": f"datum.{field}"}}


def spread_out(wanted: list[float], gap: float, height: float) -> list[float]:
    """Ascending places as near to the wanted ones as a least gap between neighbours allows, kept inside the height."""
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + gap) if places else max(place, 0.0))
    limit = max(height, gap * (len(places) - 1))
    for i in range(len(places) - 1, -1, -1):
        ceiling = limit if i == len(places) - 1 else places[i + 1] - gap
        places[i] = min(places[i], ceiling)
    return places
