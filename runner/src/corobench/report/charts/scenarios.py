"""Charts of scenarios: heat table, timeline, trade-off.

Chosen where a program kept raw triples (task, begin, end in ns), the task in question first.

One panel a runtime and track on shared axes, since forty runtimes of five modes each on one plot
could not be read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from corobench.report import text, units
from corobench.report.charts.base import (
    FADED,
    INK,
    LABEL,
    MUTED,
    NUMBER,
    PLOT,
    SAYS,
    VALUE_ROOM,
    WIDTH,
    Caption,
    Chart,
    Palette,
    caption_of,
    direct,
    directed,
    extent,
    finish,
    gap_rows,
    interval_words,
    magnitude,
    names,
    points,
    room,
    says,
    says_of,
    tip,
)
from corobench.report.charts.curves import end_labels
from corobench.report.charts.distributions import sampled, shown
from corobench.report.headline import Column
from corobench.report.sweeps import along, grid, modes, parameters, swept, value
from corobench.report.text import TRACK_TITLES, number
from corobench.report.units import scale_of, scale_of_estimates
from corobench.report.vega import Spec
from corobench.statistics.types import Cell, RunSummary, WorkloadFacts

_CELL = 46
_HEAT_STEP = 24


def heat_charts(column: Column, cells: list[Cell], colors: Palette) -> list[Chart]:
    """Charts over the grid of the headline's other parameters; nothing where no two parameters are
    crossed.

    The title of `column` names its metric (beside.of_metric).
    """
    crossed = grid(cells)
    if crossed is None:
        return []
    chosen = along(cells, column.point, *crossed)
    scaled = scale_of_estimates((c.median for c in chosen), column.unit)
    found: dict[tuple[str, str], list[Cell]] = {}
    for cell in chosen:
        found.setdefault((cell.track, cell.runtime), []).append(cell)
    ends = [c.median.center for c in chosen if c.median and c.median.center > 0]
    return [
        _heat_chart(
            column,
            crossed,
            runtime,
            track,
            found[track, runtime],
            scaled,
            (min(ends), max(ends)),
            colors,
        )
        for track in TRACK_TITLES
        for runtime in colors.names
        if ends and sum(c.median is not None for c in found.get((track, runtime), [])) > 1
    ]


def _heat_chart(
    column: Column,
    keys: tuple[str, str],
    runtime: str,
    track: str,
    cells: list[Cell],
    scale: units.Scale,
    ends: tuple[float, float],
    colors: Palette,
) -> Chart:
    down, across = keys
    data = [_heat_datum(c, keys, scale, ends) for c in cells]
    head = [down, across, f"Typical, {scale.symbol}".rstrip(", "), "Interval", "n", SAYS]
    columns = len({d["across"] for d in data})
    place: Spec = {
        "x": {
            "field": "across",
            "type": "ordinal",
            "axis": {"title": across, "labelAngle": 0, "orient": "top", "titlePadding": 18},
        },
        "y": {
            "field": "down",
            "type": "ordinal",
            "axis": {"title": down, "minExtent": LABEL // 4, "titleX": -LABEL // 4},
        },
    }
    strength = {"field": "strength", "type": "quantitative", "scale": None, "legend": None}
    spec = {
        "width": _CELL * columns,
        "height": {"step": _HEAT_STEP},
        "data": {"values": data},
        "encoding": place,
        "layer": [
            {
                "mark": {"type": "rect", "color": colors.color(runtime)},
                "encoding": {"opacity": strength},
            },
            {
                "mark": {"type": "text", "align": "center"},
                "encoding": {"text": {"field": "text"}, "color": {"field": "ink", "scale": None}},
            },
        ],
    }
    better = "smaller" if column.better == "lower" else "larger"
    what = f"{column.title}{f', in {scale.symbol}' if scale.symbol else ''}"
    return Chart(
        id=text.anchor("heat", column.workload, column.metric, track, runtime),
        title=f"{what}: {runtime}, {TRACK_TITLES[track]}, by {down} and {across}",
        caption=Caption(
            f"{better.capitalize()} is better; stronger is larger; in brackets: not ranked.",
            "Colours are on one log scale for all.",
        ),
        description=(
            f"A table of {column.what} by {down} and {across}; the numbers stand in the "
            "table below."
        ),
        specs={"log": finish(spec)},
        head=head,
        rows=[_heat_row(c, keys, scale) for c in cells],
    )


def _heat_datum(
    cell: Cell, keys: tuple[str, str], scale: units.Scale, ends: tuple[float, float]
) -> Spec:
    if cell.median is None:
        text, height = "failed" if cell.failures else "no run", 0.0
    else:
        shown = units.show(cell.median, scale)
        text = shown if cell.trusted else f"({shown})"
        height = math.log(max(cell.median.center, ends[0]) / ends[0]) / (
            math.log(ends[1] / ends[0]) or 1.0
        )
    return {
        "down": value(cell, keys[0]),
        "across": value(cell, keys[1]),
        "text": text,
        "strength": round(0.06 + 0.3 * height, 3),  # the words on it stay readable, in both themes
        "ink": INK if cell.trusted else MUTED,
    }


def _heat_row(cell: Cell, keys: tuple[str, str], scale: units.Scale) -> list[str]:
    settings = [f"{value(cell, key):g}" for key in keys]
    count = str(cell.median.n if cell.median else 0)
    return [
        *settings,
        units.show(cell.median, scale),
        units.show_interval(cell.median, scale),
        count,
        says(cell),
    ]


Piece = tuple[int, int, int]
TimelinePlace = tuple[str, str]
_TIMELINE_STEP = 24
_NS = 1e-9


def timeline_charts(summary: RunSummary, column: Column, colors: Palette, *of: str) -> list[Chart]:
    """A chart for each raw series of the column's point whose numbers are such triples. `of`: what
    tells it from others.
    """
    titles = next(w.series for w in summary.workloads if w.name == column.workload)
    found = []
    for series, title in titles.items():
        if rows := _pieces(summary, column, series, colors):
            found.append(_timeline_chart(column, (series, *of), title, rows, colors))
    return found


def _pieces(
    summary: RunSummary, column: Column, series: str, colors: Palette
) -> dict[TimelinePlace, list[Piece]]:
    """Label and runtime of what has any."""
    found = {}
    for one in sampled(summary, column, colors):
        raw = summary.raw.get(one.case, {}).get(series, [])
        if raw and len(raw) % 3 == 0:
            found[one.label, one.runtime] = [
                (raw[i], raw[i + 1], raw[i + 2]) for i in range(0, len(raw), 3)
            ]
    return found


def _timeline_chart(
    column: Column,
    of: tuple[str, ...],
    title: str,
    rows: dict[TimelinePlace, list[Piece]],
    colors: Palette,
) -> Chart:
    scale = scale_of([max(end for _, _, end in pieces) * _NS for pieces in rows.values()], "s")
    factor = scale.factor / _NS
    data = [
        {
            "runtime": label,
            "begin": begin / factor,
            "end": end / factor,
            "whose": "this request" if task == pieces[0][0] else "another one",
            "color": colors.color(name) if task == pieces[0][0] else FADED,
            "strength": 1.0 if task == pieces[0][0] else 0.45,
        }
        for (label, name), pieces in rows.items()
        for task, begin, end in sorted(pieces, key=lambda p: p[0] == pieces[0][0])
    ]
    x: Spec = {
        "field": "begin",
        "type": "quantitative",
        "scale": {"nice": False},
        "axis": {"title": f"{scale.symbol} after its arrival", "format": NUMBER, "tickCount": 6},
    }
    width = WIDTH - LABEL - VALUE_ROOM
    spec = {
        "width": width,
        "height": {"step": _TIMELINE_STEP},
        "data": {"values": data},
        "layer": [
            {
                "mark": {"type": "rect", "height": {"band": 0.55}},
                "encoding": {
                    "x": x,
                    "x2": {"field": "end"},
                    "y": names([label for label, _ in rows]),
                    "color": direct("color"),
                    "opacity": {
                        "field": "strength",
                        "type": "quantitative",
                        "scale": None,
                        "legend": None,
                    },
                },
            },
            room(width, VALUE_ROOM),
        ],
    }
    return Chart(
        id=text.anchor("timeline", column.workload, *of),
        title=f"{column.title}, {', '.join([column.where, *of[1:]])}: {title}",
        caption=Caption(
            "Colour: this request had a CPU; grey: another; blank: nobody.",
            "One row a runtime, its last invocation.",
        ),
        description=(
            f"Timelines of the longest request of {len(rows)} runtimes; the sums are in "
            "the table below."
        ),
        specs={"linear": finish(spec)},
        head=[
            "Runtime",
            *(
                f"{what}, {scale.symbol}"
                for what in ("Last piece ends", "This request had a CPU", "Others had it")
            ),
            "Pieces",
        ],
        rows=[
            [label, *_sums(pieces, factor), str(len(pieces))] for (label, _), pieces in rows.items()
        ],
    )


def _sums(pieces: list[Piece], factor: float) -> list[str]:
    own = sum(end - begin for task, begin, end in pieces if task == pieces[0][0])
    others = sum(end - begin for task, begin, end in pieces if task != pieces[0][0])
    return [
        shown(max(end for _, _, end in pieces), factor),
        shown(own, factor),
        shown(others, factor),
    ]


_HEIGHT = 92


def tradeoff_charts(
    summary: RunSummary, workload: WorkloadFacts, colors: Palette
) -> Iterator[Chart]:
    """The first metric that should be low against the first that should be high; none where there
    aren't both, or no modes.

    A chart for each setting of the words beside the modes: what a closed loop and an open one say
    of a mode is not one mark.
    """
    own = [c for c in summary.cells if c.workload == workload.name]
    cells = [c for c in own if c.median]
    low, high = (
        next((m for m in workload.metrics for c in cells if (c.metric, c.better) == (m, b)), None)
        for b in ("lower", "higher")
    )
    key = modes(cells)
    if key is None or low is None or high is None or swept(cells):
        return
    settings = list(dict.fromkeys(_setting(c, key) for c in cells))
    for setting in settings:
        here = [c for c in own if _setting(c, key) == setting]
        if chart := _tradeoff_chart(
            here, workload, (low, high), key, setting if len(settings) > 1 else "", colors
        ):
            yield chart


def _setting(cell: Cell, key: str) -> str:
    """What words the cell's point has beside the mode: `loop=open`."""
    return ",".join(
        f"{k}={v}" for k, v in parameters(cell.point).items() if k != key and number(v) is None
    )


def _tradeoff_chart(
    own: list[Cell],
    workload: WorkloadFacts,
    metrics: tuple[str, str],
    key: str,
    setting: str,
    colors: Palette,
) -> Chart | None:
    """None where no mode has both metrics. `setting`: the chart's, where there are several."""
    low, high = metrics
    cost, gain = ({_place(c, key): c for c in own if c.metric == m and c.median} for m in metrics)
    both = [(place, cost[place], gain[place]) for place in cost if place in gain]
    if not both:
        return None
    missing = [c for c in own if c.metric == low and not c.median]
    scales = tuple(
        scale_of_estimates((c.median for c in found.values()), next(iter(found.values())).unit)
        for found in (cost, gain)
    )
    order = {name: place for place, name in enumerate(colors.names)}
    both.sort(key=lambda item: (item[0][0] != "one-cpu", order.get(item[0][1], len(order))))
    titles = [
        f"{workload.metrics[m]}{f', {s.symbol}' if s.symbol else ''}"
        for m, s in zip(metrics, scales, strict=True)
    ]
    bars = interval_words(c.median for _, *found in both for c in found)
    head = ["Runtime", "Track", key, titles[0], "Interval", titles[1], "Interval", "n", SAYS]
    where = f" ({setting.replace('=', ' = ').replace(',', ', ')})" if setting else ""
    return Chart(
        id=text.anchor("tradeoff", workload.name, *([setting] if setting else [])),
        title=(
            f"{workload.title}: {workload.metrics[low]} against {workload.metrics[high]}, by "
            f"{key}{where}"
        ),
        caption=caption_of(
            [*(c for _, *found in both for c in found), *missing],
            "Best: down and to the right.",
            f"One panel a runtime, the same axes in all; bars: {bars}.",
        ),
        description=(
            f"Scatter plots of two metrics by {key} for each runtime; the numbers are in "
            "the table below."
        ),
        specs={"log": finish(_tradeoff_spec(both, scales, titles, colors))},
        head=head,
        rows=[
            *(_tradeoff_row(pair, scales, workload.metrics) for pair in both),
            *(_missing(c, key) for c in missing if not c.gap),
            *gap_rows(missing, head),
        ],
    )


TradeoffPlace = tuple[str, str, str]
Pair = tuple[TradeoffPlace, Cell, Cell]
Scales = tuple[units.Scale, ...]


def _place(cell: Cell, key: str) -> TradeoffPlace:
    return (cell.track, cell.runtime, parameters(cell.point).get(key, ""))


def _tradeoff_row(pair: Pair, scales: Scales, titles: Mapping[str, str]) -> list[str]:
    (track, runtime, mode), cost, gain = pair
    return [
        runtime,
        TRACK_TITLES[track],
        mode,
        *(
            f(c.median, s)
            for c, s in zip((cost, gain), scales, strict=True)
            for f in (units.show, units.show_interval)
        ),
        str(min(c.median.n for c in (cost, gain) if c.median)),
        says_of((cost, gain), titles),
    ]


def _missing(cell: Cell, key: str) -> list[str]:
    track, runtime, mode = _place(cell, key)
    return [runtime, TRACK_TITLES[track], mode, *[units.NONE] * 4, "0", says(cell)]


def _tradeoff_spec(both: list[Pair], scales: Scales, titles: list[str], colors: Palette) -> Spec:
    data = [_tradeoff_datum(pair, scales, colors) for pair in both]
    positive = [v for d in data for v in (d["low"], d["high"], d["value"]) if v > 0] or [1.0]
    ends = (min(positive) / 1.2, max(positive) * 1.2)
    most = max(max(d["x"], d["right"]) for d in data) * 1.05 or 1.0
    panels: dict[tuple[str, str], list[Spec]] = {}
    for (place, *_), datum in zip(both, data, strict=True):
        panels.setdefault(place[:2], []).append(datum)
    several = len({track for track, _ in panels}) > 1
    parts: list[Spec] = []
    for (track, runtime), found in panels.items():
        title = f"{runtime}, {TRACK_TITLES[track]}" if several else runtime
        named = (
            titles[0] if not parts else None,
            titles[1] if len(parts) == len(panels) - 1 else None,
        )
        parts.append(_panel(title, found, ends, most, named))
    return {"vconcat": parts, "spacing": 16}


def _tradeoff_datum(pair: Pair, scales: Scales, colors: Palette) -> Spec:
    (_, runtime, mode), cost, gain = pair
    assert cost.median is not None
    assert gain.median is not None
    return {
        "series": mode,
        **extent(cost.median, scales[0].factor),
        "x": gain.median.center / scales[1].factor,
        "left": gain.median.low / scales[1].factor,
        "right": gain.median.high / scales[1].factor,
        "tip": "; ".join(
            tip(mode, cell.median, scale)
            for cell, scale in zip((cost, gain), scales, strict=True)
            if cell.median
        ),
        **colors.look(runtime, cost.trusted and gain.trusted),
    }


def _panel(
    title: str,
    data: list[Spec],
    ends: tuple[float, float],
    most: float,
    titles: tuple[str | None, str | None],
) -> Spec:
    width = PLOT
    cost, gain = titles
    x: dict[str, Any] = {
        "field": "x",
        "type": "quantitative",
        "scale": {"domain": [0, most], "nice": False},
        "axis": {
            "title": gain and directed(gain, "higher", "linear"),
            "labels": gain is not None,
            "format": NUMBER,
            "tickCount": 5,
        },
    }
    y = magnitude(ends, "log", cost and directed(cost, "lower", "log"), clamp=True)
    bar = {"type": "rule", "strokeWidth": 2, "opacity": 0.5}
    return {
        "title": {"text": title},
        "width": width,
        "height": _HEIGHT,
        "data": {"values": data},
        "encoding": {"color": direct("color")},
        "layer": [
            {
                "mark": bar,
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": bar,
                "encoding": {"x": {**x, "field": "left"}, "x2": {"field": "right"}, "y": y},
            },
            points(50, x, y),
            *end_labels(data, width, _HEIGHT, ends, "log"),
        ],
    }
