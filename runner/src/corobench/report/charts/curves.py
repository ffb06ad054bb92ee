"""Lines: cost against a parameter, several metrics, a fitted slope.

A request of `cpu_us` of CPU time and `wait_us` of waiting can't be served faster than cores / cpu,
nor answered sooner than cpu + wait: a workload that has these two parameters is drawn with both
limits, and its knee is told.

Bytes divided by N overstate a task by the fixed cost of the process; the slope doesn't, and the
residuals tell whether a line is the right summary at all.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from corobench.report import text, units
from corobench.report.charts.base import (
    INK,
    MUTED,
    NAME_ROOM,
    NUMBER,
    PLOT,
    SAYS,
    Caption,
    Chart,
    Palette,
    apart,
    axis_title,
    caption_of,
    characters,
    dashed,
    direct,
    directed,
    even_ticks,
    extent,
    finish,
    gap_rows,
    interval_words,
    log_ticks,
    magnitude,
    points,
    room,
    says,
    says_of,
    short,
    tip,
    words_width,
)
from corobench.report.headline import Column
from corobench.report.sweeps import Limit, along, had_cpus, limits_of, swept, value
from corobench.report.text import TRACK_TITLES
from corobench.report.units import Scale, scale_of, scale_of_estimates
from corobench.report.vega import Spec
from corobench.statistics.estimates import paired_estimate
from corobench.statistics.types import Cell, Estimate, RunSummary, WorkloadFacts

_CURVE_HEIGHT = 250
_THOUSANDS = "datum.value ? datum.label : '0'"  # with a prefix zero is 0k
_GAP = 13.0  # pixels that a line of text needs
_NAMES = {
    "n": "tasks (n)",
    "k": "live tasks (k)",
    "p": "producers (p)",
    "c": "requests at a time (c)",
}


def curve_chart(column: Column, cells: list[Cell], colors: Palette) -> Chart | None:
    """Typical value against the parameter that varies; None where nothing varies."""
    key = swept(cells)
    if key is None:
        return None
    chosen = along(cells, column.point, key)
    placed = [(x, c) for c in chosen if (x := value(c, key)) is not None]
    placed.sort(key=lambda pair: (pair[1].track, colors.names.index(pair[1].runtime), pair[0]))
    measured = [(x, c) for x, c in placed if c.median]
    many = len({c.track for _, c in measured}) > 1
    data = [_curve_datum(x, c, column, colors, many) for x, c in measured]
    bars = interval_words(c.median for c in chosen)
    head = [
        "Runtime",
        "Track",
        _NAMES.get(key, key),
        f"Typical, {column.scale.symbol}",
        "Interval",
        "n",
        SAYS,
    ]
    return Chart(
        id=text.anchor("curve", column.workload),
        title=f"{column.title}: cost against {_NAMES.get(key, key)}",
        caption=caption_of(
            chosen,
            "Line: median; bars: intervals.",
            f"Bars: {bars}. A flat line means that the cost doesn't depend on the number of tasks.",
        ),
        description=(
            f"Lines of {column.metric} against {_NAMES.get(key, key)}; numbers in the table."
        ),
        specs={scale: finish(_curve_spec(column, key, data, scale)) for scale in ("log", "linear")},
        head=head,
        rows=[*(_curve_row(x, c, column) for x, c in placed if not c.gap), *gap_rows(chosen, head)],
    )


def _curve_row(x: float, cell: Cell, column: Column) -> list[str]:
    count = str(cell.median.n) if cell.median else "0"
    value, interval = (
        units.show(cell.median, column.scale),
        units.show_interval(cell.median, column.scale),
    )
    return [cell.runtime, TRACK_TITLES[cell.track], f"{x:,.0f}", value, interval, count, says(cell)]


def series_name(cell: Cell, many_tracks: bool) -> str:
    """Tracks are never mixed silently: where both meet, the name says which."""
    return f"{cell.runtime}, all CPUs" if many_tracks and cell.track == "all-cpus" else cell.runtime


def _curve_datum(x: float, cell: Cell, column: Column, colors: Palette, many: bool) -> Spec:
    assert cell.median is not None
    factor = column.scale.factor
    return {
        "series": series_name(cell, many),
        "track": cell.track,
        "unit": colors.units.get(cell.runtime, ""),
        "x": x,
        **extent(cell.median, factor),
        "tip": tip(f"{series_name(cell, many)} at {x:,g}", cell.median, column.scale),
        **colors.look(cell.runtime, cell.trusted),
    }


def _curve_spec(column: Column, key: str, data: list[Spec], scale: str) -> Spec:
    x: dict[str, Any] = {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": scale, "nice": False},
        "axis": {
            "title": f"{_NAMES.get(key, key)}{', log' if scale == 'log' else ''}",
            "format": "~s",
            "labelExpr": _THOUSANDS,
            "tickCount": 3,
            "grid": False,
        },
    }
    if scale == "log":
        x["axis"] |= {"values": even_places(data), "tickCount": 30}
    return _lines(x, data, value_range(data, scale), axis_title(column, scale), scale)


def _lines(
    x: Spec,
    data: list[Spec],
    ends: tuple[float, float],
    title: str,
    scale: str,
    below: Sequence[Spec] = (),
) -> Spec:
    """A line a series over intervals and marks, with its name at its end. `ends` and `title`: of
    the value axis; `below`: layers that are drawn first, which get that axis too.
    """
    height = max(_CURVE_HEIGHT, int(_GAP * len({d["series"] for d in data})))
    y = magnitude(ends, scale, title)
    return {
        "width": PLOT,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [
            *({**layer, "encoding": {"y": y, **layer["encoding"]}} for layer in below),
            {
                "mark": {"type": "line", "strokeWidth": 1.8},
                "encoding": {
                    "y": y,
                    "detail": {"field": "series"},
                    "color": direct("hue"),
                    **dashed(data),
                },
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "opacity": 0.5},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            points(46, y=y),
            *end_labels(data, PLOT, height, ends, scale),
        ],
    }


_FEWEST = 2  # runtimes, or numbers of CPUs beside one, that make a chart of how they scale


class _Scaled(NamedTuple):
    """A runtime on so many CPUs; `speedup` is its paired ratio to itself on one."""

    cpus: int
    cell: Cell
    speedup: Estimate


def scaling_chart(
    summary: RunSummary, column: Column, cells: list[Cell], colors: Palette
) -> Chart | None:
    """How many times as much is done on several CPUs as on one, by runtimes that were measured on
    both; `cells` are those of the column on all tracks. None where the column is no time, or too
    little was measured.
    """
    if column.unit != "s":
        return None
    found = _scaled(summary, column, cells, colors)
    counts = {one.cpus for one in found} - {1}
    if not counts or max(len(counts), len({one.cell.runtime for one in found})) < _FEWEST:
        return None
    shown = [one.cell for one in found]
    return Chart(
        id=text.anchor("scaling", column.workload),
        title=f"{column.title}: speed-up over CPUs",
        caption=caption_of(
            shown,
            "Speed-up against one CPU of the same runtime; dashed line: ideal.",
            f"Bars: {interval_words(one.speedup for one in found)} of the paired ratio. "
            "Efficiency is the speed-up divided by the CPUs.",
        ),
        description=f"Lines of speed-up in {column.workload} against CPUs; numbers in the table.",
        specs={scale: finish(_scaling_spec(found, colors, scale)) for scale in ("log", "linear")},
        head=[
            *("Runtime", "CPUs", f"Time, {column.scale.symbol}", "Interval", "Operations a second"),
            *("Speed-up", "Interval", "Efficiency, %", "n", SAYS),
        ],
        rows=[_scaling_row(one, column) for one in found],
    )


def _scaled(
    summary: RunSummary, column: Column, cells: list[Cell], colors: Palette
) -> list[_Scaled]:
    """Each runtime that has a number on one CPU and on more, in the order of the CPUs."""
    measured = [c for c in cells if c.point == column.point and c.median]
    alone = {c.runtime: c for c in measured if c.track == "one-cpu"}
    found = [
        _Scaled(cpus, c, speedup)
        for c in measured
        if c.runtime in alone
        and (cpus := had_cpus(summary, column.workload, c.track))
        and (speedup := paired_estimate(alone[c.runtime].samples, c.samples))
    ]
    several = {one.cell.runtime for one in found if one.cpus > 1}
    return sorted(
        (one for one in found if one.cell.runtime in several),
        key=lambda one: (colors.names.index(one.cell.runtime), one.cpus),
    )


def _scaling_row(one: _Scaled, column: Column) -> list[str]:
    median, speedup = one.cell.median, one.speedup
    assert median is not None
    return [
        one.cell.runtime,
        f"{one.cpus:,}",
        units.show(median, column.scale),
        units.show_interval(median, column.scale),
        short(float(f"{1 / median.center:.3g}")),
        units.show(speedup, units.ONE),
        units.show_interval(speedup, units.ONE),
        f"{100 * speedup.center / one.cpus:.0f}",
        str(speedup.n),
        says(one.cell),
    ]


def _scaling_spec(found: list[_Scaled], colors: Palette, scale: str) -> Spec:
    data = [
        {
            "series": one.cell.runtime,
            "x": one.cpus,
            **extent(one.speedup),
            "tip": tip(f"{one.cell.runtime} on {one.cpus} CPUs", one.speedup, units.ONE),
            **colors.look(one.cell.runtime, one.cell.trusted),
        }
        for one in found
    ]
    counts = sorted({one.cpus for one in found})
    most = float(counts[-1])
    low, high = value_range(data, scale)
    x: dict[str, Any] = {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": scale, "nice": False, "domain": [1, most]},
        "axis": {
            "title": f"CPUs{', log' if scale == 'log' else ''}",
            "values": apart(counts, (1.0, most), PLOT, scale, text=short),
            "format": "d",
            "grid": False,
        },
    }
    ideal = {
        "data": {"values": [{"x": 1, "value": 1}, {"x": most, "value": most}]},
        "mark": {"type": "line", "strokeDash": [4, 4], "strokeWidth": 1, "color": MUTED},
        "encoding": {"color": {"value": MUTED}},
    }
    ends = (low, max(high, most * 1.15))
    title = directed("times one CPU", "higher", scale)
    return _lines(x, data, ends, title, scale, below=[ideal])


def even_places(data: list[Spec]) -> list[float]:
    """Ticks of a log axis: at round values, which stand at even distances; where it has few of
    them, at what was measured.
    """
    found = sorted({d["x"] for d in data})
    ends = found[0], found[-1]
    round_ones = log_ticks(*ends) if ends[0] < ends[1] else found
    return apart(round_ones if len(round_ones) > 1 else found, ends, PLOT, text=short)


def value_range(data: list[Spec], scale: str) -> tuple[float, float]:
    """The ends of the value axis: all intervals with a little room, from zero where the axis is
    linear.
    """
    values = [d[key] for d in data for key in ("value", "low", "high") if d.get(key) is not None]
    if scale == "linear":
        return min([0.0, *values]), max(values) * 1.04 or 1.0
    positive = [v for v in values if v > 0] or [1.0]
    return min(positive) / 1.15, max(positive) * 1.15


def end_labels(
    data: list[Spec], width: int, height: int, ends: tuple[float, float], scale: str
) -> list[Spec]:
    """The name of each series at its last point, moved apart where they would overlap, with a thin
    line to its point.
    """
    last: dict[str, Spec] = {}
    for datum in data:
        if datum["series"] not in last or datum["x"] > last[datum["series"]]["x"]:
            last[datum["series"]] = datum

    def pixel(value: float) -> float:
        if scale == "log":
            return height * math.log(ends[1] / max(value, ends[0])) / math.log(ends[1] / ends[0])
        return height * (ends[1] - value) / (ends[1] - ends[0])

    names = sorted(last, key=lambda name: pixel(last[name]["value"]))
    widest = max((words_width(_ending(name)) for name in names), default=0.0)
    places = spread_out([pixel(last[name]["value"]) for name in names], _GAP, height)
    labels = [
        {
            "name": _ending(name),
            "label": place,
            "color": last[name].get("hue", last[name]["color"]),
            "end": pixel(last[name]["value"]),
        }
        for name, place in zip(names, places, strict=True)
    ]
    beside = {
        "x": {"value": width + 14},
        "y": _pixels("label"),
        "text": {"field": "name"},
        "color": {"value": INK},
    }
    line = {
        "x": {"value": width + 3},
        "x2": {"value": width + 11},
        "y": _pixels("end"),
        "y2": _pixels("label"),
    }
    return [
        {
            "data": {"values": labels},
            "mark": {"type": "text", "align": "left", "color": INK},
            "encoding": beside,
        },
        {
            "data": {"values": labels},
            "mark": {"type": "rule", "strokeWidth": 1, "color": MUTED, "opacity": 0.7},
            "encoding": {**line, "color": direct("color")},
        },
        room(width, max(NAME_ROOM, widest + 14)),
    ]


def _ending(name: str) -> str:
    """A name at the end of its line, never cut: of the longest only the track is said shorter."""
    return name if words_width(name) <= NAME_ROOM - 14 else name.replace(", all CPUs", ", all")


def _pixels(field: str) -> Spec:
    """A place on the page and not on the scale."""
    return {"value": {"expr": f"datum.{field}"}}


def spread_out(wanted: list[float], gap: float, height: float) -> list[float]:
    """Ascending places as near to the wanted ones as a least gap between neighbours allows, kept
    inside the height.
    """
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + gap) if places else max(place, 0.0))
    limit = max(height, gap * (len(places) - 1))
    for i in range(len(places) - 1, -1, -1):
        ceiling = limit if i == len(places) - 1 else places[i + 1] - gap
        places[i] = min(places[i], ceiling)
    return places


_MOST = 5
_PANEL_HEIGHT = 150
_TITLE_Y = -8.0  # of a title of one line, as in the configuration of all charts
_SEEN = 0.02  # an interval that is shorter than this share of the axis is hidden by its own mark
KNEE = 1.1  # over the ideal response by this: more at a time only wait longer


def multiples_chart(
    summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette, setting: str = ""
) -> Chart | None:
    """None where a workload has one metric only (figures beside it are none), or nothing varies.

    `setting`: what tells the column's point from that of the headline.
    """
    cells = [c for c in summary.cells if c.workload == workload.name and not c.figures]
    key = swept([c for c in cells if c.metric == column.metric], workload.curve)
    everyone = (
        [c for c in along(cells, column.point, key) if value(c, key) is not None] if key else []
    )
    chosen = [c for c in everyone if c.median]
    metrics = [m for m in workload.metrics if any(c.metric == m for c in chosen)]
    if key is None or len(metrics) < 2 or len({value(c, key) for c in chosen}) < 2:
        return None
    limits = limits_of(summary, column, {c.track for c in chosen})
    limited = [m for m in metrics if limits and _limited(workload, m, _unit(chosen, m))]
    scales = {
        m: scale_of_estimates((c.median for c in chosen if c.metric == m), _unit(chosen, m))
        for m in metrics
    }
    shown = limited or _panels(metrics, chosen)
    words = workload.parameters.get(key, key)
    titles = [f"{workload.metrics[m]}, {scales[m].symbol}".rstrip(", ") for m in metrics]
    titles += [f"{workload.metrics[m]}, {_OF_LIMIT.symbol}" for m in limited]
    head = [
        "Runtime",
        "Track",
        key,
        *(part for title in titles for part in (title, "Interval")),
        "n",
        SAYS,
    ]
    return Chart(
        id=text.anchor("multiples", workload.name, *([setting] if setting else [])),
        title=f"{workload.title} against {words} ({key}){f', {setting}' if setting else ''}",
        caption=_caption(workload, chosen, everyone, key, limits),
        description=(
            f"{len(shown)} panels of lines against {key}; all numbers are in the table below."
        ),
        specs={
            kind: finish(
                _limit_spec(workload, limited, chosen, key, limits, colors)
                if limited
                else _multiples_spec(workload, shown, chosen, key, scales, colors, kind)
            )
            for kind in (("linear",) if limited else ("linear", "log"))
        },
        head=head,
        rows=[
            *_rows(everyone, key, workload.metrics, scales, dict.fromkeys(limited, limits)),
            *gap_rows(everyone, head),
        ],
    )


_OF_LIMIT = Scale(0.01, "% of the limit")


def _limited(workload: WorkloadFacts, metric: str, unit: str) -> bool:
    """Whether arithmetic sets a limit to a metric: a rate, and response times but for the worst,
    which is one request's luck.
    """
    title = workload.metrics[metric]
    return unit == "1/s" or (unit == "s" and metric.startswith("response") and "worst" not in title)


def _of_limit(cell: Cell, key: str, limits: Mapping[str, Limit]) -> Cell:
    """The number as a share of what its track's CPUs allow at this point."""
    limit, x = limits[cell.track], value(cell, key)
    if cell.median is None or x is None:
        return cell
    ideal = limit.rate(x) if cell.unit == "1/s" else limit.response(x)
    return msgspec.structs.replace(cell, median=cell.median.times(1 / ideal), unit="")


def _panels(metrics: list[str], cells: list[Cell]) -> list[str]:
    """One metric of each unit, then the first ones, in the order of the spec."""
    first = list({_unit(cells, m): m for m in reversed(metrics)}.values())[::-1]
    chosen = [*first, *(m for m in metrics if m not in first)][:_MOST]
    return [m for m in metrics if m in chosen]


def _unit(cells: list[Cell], metric: str) -> str:
    return next((c.unit for c in cells if c.metric == metric), "")


def _caption(
    workload: WorkloadFacts,
    cells: list[Cell],
    everyone: list[Cell],
    key: str,
    limits: dict[str, Limit],
) -> Caption:
    if not limits:
        bars = interval_words(c.median for c in cells)
        return caption_of(
            everyone,
            "Lines: typical values; bars: intervals.",
            f"Each line is named beside the first panel; bars: {bars}.",
        )
    knees: dict[str, list[str]] = {}
    for (track, runtime), at in knee(workload, cells, key, limits).items():
        knees.setdefault(at, []).append(f"{runtime}{' on all CPUs' if track == 'all-cpus' else ''}")
    told = "; ".join(f"{at}: {', '.join(names)}" for at, names in knees.items())
    had = ", ".join(f"{track}: {limit.cores}" for track, limit in limits.items())
    dashed = (
        f"The limit: what {key} at a time can have at most, and wait at least, with the CPUs "
        f"that the programs had ({had})."
    )
    bent = (
        f" Knee, the smallest {key} whose median response is over 10 % above CPU and waiting: "
        f"{told}."
        if told
        else ""
    )
    return caption_of(everyone, "Dashed: what these CPUs allow, 100 %.", dashed + bent)


def knee(
    workload: WorkloadFacts, cells: list[Cell], key: str, limits: dict[str, Limit]
) -> dict[tuple[str, str], str]:
    """(track, runtime) -> where it bends, by the first median time of the workload; "none" where it
    stays below.
    """
    metric = next(
        (
            m
            for m, title in workload.metrics.items()
            if "median" in title and _unit(cells, m) == "s"
        ),
        None,
    )
    found: dict[tuple[str, str], str] = {}
    for cell in sorted(
        (c for c in cells if c.metric == metric and c.track in limits),
        key=lambda c: value(c, key) or 0.0,
    ):
        ideal = limits[cell.track].response(0.0)
        place, at = (cell.track, cell.runtime), value(cell, key)
        if (
            found.setdefault(place, "none") == "none"
            and cell.median
            and cell.median.center > KNEE * ideal
        ):
            found[place] = f"{at:g}"
    return found


def _rows(
    cells: list[Cell],
    key: str,
    titles: Mapping[str, str],
    scales: dict[str, Scale],
    limited: Mapping[str, Mapping[str, Limit]],
) -> list[list[str]]:
    """`scales`: of the metrics that have a column, in their order; `titles`: of the metrics by
    name; `limited`: of those that have another as shares of their limits.
    """
    places: dict[tuple[str, str, float], dict[str, Cell]] = {}
    for cell in (c for c in cells if not c.gap):
        places.setdefault((cell.track, cell.runtime, value(cell, key) or 0.0), {})[cell.metric] = (
            cell
        )
    return [
        [
            runtime,
            TRACK_TITLES[track],
            f"{x:,g}",
            *(shown for m, scale in scales.items() for shown in _both(here.get(m), scale)),
            *(
                shown
                for m, limits in limited.items()
                for shown in _both(
                    _of_limit(here[m], key, limits) if m in here else None, _OF_LIMIT
                )
            ),
            str(max((c.median.n for c in here.values() if c.median), default=0)),
            says_of([here[m] for m in scales if m in here], titles),
        ]
        for (track, runtime, x), here in sorted(places.items(), key=lambda item: item[0])
    ]


def _both(cell: Cell | None, scale: Scale) -> tuple[str, str]:
    """A number and its interval."""
    found = cell.median if cell else None
    return units.show(found, scale), units.show_interval(found, scale)


def _multiples_spec(
    workload: WorkloadFacts,
    metrics: list[str],
    cells: list[Cell],
    key: str,
    scales: dict[str, Scale],
    colors: Palette,
    kind: str,
) -> Spec:
    many = len({c.track for c in cells}) > 1
    xs = _measured_at(cells, key)
    parts = []
    for metric in metrics:
        here = [c for c in cells if c.metric == metric]
        data = [_multiples_datum(c, key, scales[metric], colors, many) for c in here]
        unit = f", {scales[metric].symbol}" if scales[metric].symbol else ""
        title = directed(f"{workload.metrics[metric]}{unit}", here[0].better, kind)
        ends = value_range(data, kind)
        place = {"first": metric == metrics[0], "last": metric == metrics[-1]}
        parts.append(_panel(title, data, ends, kind, **place, key=key, xs=xs))
    return {"vconcat": parts, "spacing": 26}


def _limit_spec(
    workload: WorkloadFacts,
    metrics: list[str],
    cells: list[Cell],
    key: str,
    limits: dict[str, Limit],
    colors: Palette,
) -> Spec:
    """A panel a metric, all shares of the limit on one axis: rates lie below it, times above."""
    many = len({c.track for c in cells}) > 1
    panels = {
        metric: [
            _multiples_datum(_of_limit(c, key, limits), key, _OF_LIMIT, colors, many)
            for c in cells
            if c.metric == metric
        ]
        for metric in metrics
    }
    values = [d[end] for data in panels.values() for d in data for end in ("low", "high")]
    ends = (min([*values, 100.0]) - 2, max([*values, 100.0]) + 2)
    xs = _measured_at(cells, key)
    parts = []
    for metric, data in panels.items():
        better = next(c.better for c in cells if c.metric == metric)
        title = directed(f"{workload.metrics[metric]}, {_OF_LIMIT.symbol}", better, "linear")
        place = {"first": metric == metrics[0], "last": metric == metrics[-1]}
        parts.append(_panel(title, data, ends, "linear", **place, key=key, xs=xs, limit=100.0))
    return {"vconcat": parts, "spacing": 26}


def _measured_at(cells: list[Cell], key: str) -> list[float]:
    return sorted({x for c in cells if (x := value(c, key)) is not None})


def _multiples_datum(cell: Cell, key: str, scale: Scale, colors: Palette, many: bool) -> Spec:
    assert cell.median is not None
    return {
        "series": series_name(cell, many),
        "x": value(cell, key),
        **extent(cell.median, scale.factor),
        "tip": tip(f"{series_name(cell, many)} at {value(cell, key):,g}", cell.median, scale),
        **colors.look(cell.runtime, cell.trusted),
    }


def _panel(
    title: str,
    data: list[Spec],
    ends: tuple[float, float],
    kind: str,
    *,
    first: bool,
    last: bool,
    key: str,
    xs: list[float],
    limit: float | None = None,
) -> Spec:
    """`xs`: where something was measured, in any of the panels. `limit`: where a dashed line
    stands.
    """
    width = PLOT
    height = max(_PANEL_HEIGHT, 13 * len({d["series"] for d in data})) if first else _PANEL_HEIGHT
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": {"nice": False, "zero": False, "domain": [xs[0], xs[-1]]},
        "axis": {
            "title": key if last else None,
            "format": NUMBER,
            "values": apart(even_ticks(xs[0], xs[-1]), (xs[0], xs[-1]), width, "linear"),
            "grid": False,
        },
    }
    y = magnitude(ends, kind, title, ticks=4)
    lines = textwrap.wrap(title, characters(width + NAME_ROOM))
    y["axis"] |= {"title": lines, "titleY": _TITLE_Y - _GAP * (len(lines) - 1)}
    wide = [d for d in data if d["high"] - d["low"] > _SEEN * (ends[1] - ends[0])]
    dashed_at: Spec = {
        "data": {"values": [{}]},
        "mark": {"type": "rule", "strokeDash": [5, 3], "strokeWidth": 1.2},
        "encoding": {
            "y": {"datum": limit, "scale": y["scale"]},
            "x": None,
            "color": {"value": MUTED},
        },
    }
    return {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [
            *([] if limit is None else [dashed_at]),
            {
                "mark": {"type": "line", "strokeWidth": 1.6},
                "encoding": {
                    "y": y,
                    "detail": {"field": "series"},
                    "color": direct("hue"),
                    **dashed(data),
                },
            },
            {
                "data": {"values": wide},
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            points(30, y=y),
            *(end_labels(data, width, height, ends, kind) if first else [room(width, NAME_ROOM)]),
        ],
    }


_FIT_HEIGHT = 250
_RESIDUAL_HEIGHT = 150


def fit_charts(column: Column, cells: list[Cell], colors: Palette) -> list[Chart]:
    """The curve with its fit, and the residuals; nothing where no cell has a curve."""
    fitted = [c for c in cells if c.curve and c.median]
    if not fitted:
        return []
    scale = scale_of([y for c in fitted for _, y, *_ in c.curve], column.unit)
    many = len({c.track for c in fitted}) > 1
    data = [d for c in fitted for d in _data(c, scale, colors, many)]
    return [_fit(column, scale, cells, fitted, data), _residuals(column, scale, fitted, data)]


def line_at(cell: Cell, x: float) -> float:
    """The fitted line at x, in the base unit."""
    assert cell.median is not None
    intercept = cell.figures.get("intercept")
    return cell.median.center * x + (intercept.center if intercept else 0.0)


def _data(cell: Cell, scale: Scale, colors: Palette, many: bool) -> list[Spec]:
    return [
        {
            "series": series_name(cell, many),
            "track": cell.track,
            "unit": colors.units.get(cell.runtime, ""),
            "x": x,
            "value": y / scale.factor,
            "fit": line_at(cell, x) / scale.factor,
            "residual": (y - line_at(cell, x)) / scale.factor,
            "tip": f"{series_name(cell, many)} at {x:,g}: {units.bare(y, cell.unit)}",
            **colors.look(cell.runtime, cell.trusted),
        }
        for x, y, *_ in sorted(cell.curve)
    ]


def _fit(
    column: Column, scale: Scale, everyone: list[Cell], cells: list[Cell], data: list[Spec]
) -> Chart:
    what = "private memory" if column.unit == "B" else "time"
    slope, of_each = column.scale.symbol, f" {column.per}" if column.per else ""
    ladder = _ladder(cells)
    head = ["Runtime", "Track", f"Slope, {slope}{of_each}", "Interval", "Fixed part"]
    head += [*(f"{what.capitalize()} at n = {x:,.0f}, {scale.symbol}" for x in ladder), "n", SAYS]
    return Chart(
        id=text.anchor("fit", column.workload, column.metric),
        title=f"{column.title}: {what} against tasks (n), with the fitted line",
        caption=caption_of(
            everyone,
            "Marks: measured; line: the fit.",
            "Measured: the median over blocks; the Theil-Sen line's slope is the "
            f"{slope}{of_each} of the matrix.",
        ),
        description=(
            f"Marks of {what} against tasks with a fitted line for {len(cells)} runtimes; "
            "numbers in the table below."
        ),
        specs={kind: finish(_fit_spec(scale, data, kind)) for kind in ("linear", "log")},
        head=head,
        rows=[
            *(_fit_row(c, column, scale, ladder) for c in cells),
            *(_failed(c, head) for c in everyone if not c.median and not c.gap),
            *gap_rows(everyone, head),
        ],
    )


def _ladder(cells: list[Cell]) -> list[float]:
    return sorted({x for c in cells for x, *_ in c.curve})


def _fit_row(cell: Cell, column: Column, scale: Scale, ladder: list[float]) -> list[str]:
    intercept = cell.figures.get("intercept")
    measured = {x: y / scale.factor for x, y, *_ in cell.curve}
    return [
        cell.runtime,
        TRACK_TITLES[cell.track],
        units.show(cell.median, column.scale),
        units.show_interval(cell.median, column.scale),
        units.bare(intercept.center if intercept else None, cell.unit),
        *(
            units.plain(measured[x], _digits(measured[x])) if x in measured else units.NONE
            for x in ladder
        ),
        str(cell.median.n if cell.median else 0),
        says(cell),
    ]


def _failed(cell: Cell, head: list[str]) -> list[str]:
    return [
        cell.runtime,
        TRACK_TITLES[cell.track],
        *[units.NONE] * (len(head) - 4),
        "0",
        says(cell),
    ]


def _digits(value: float) -> int:
    return units.decimals(value, 0) if value else 0


def _x(data: list[Spec], kind: str) -> Spec:
    axis: dict[str, Any] = {
        "title": f"tasks (n){', log' if kind == 'log' else ''}",
        "format": "~s",
        "labelExpr": _THOUSANDS,
        "tickCount": 3,
        "grid": False,
    }
    if kind == "log":
        axis |= {"values": even_places(data), "tickCount": 30}
    return {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": kind, "nice": False, "zero": kind == "linear"},
        "axis": axis,
    }


def _fit_spec(scale: Scale, data: list[Spec], kind: str) -> Spec:
    ends = value_range(data, kind)
    width = PLOT
    height = max(_FIT_HEIGHT, 13 * len({d["series"] for d in data}))
    y = magnitude(ends, kind, directed(scale.symbol, "lower", kind), clamp=True)
    return {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": _x(data, kind), "color": direct("color")},
        "layer": [
            {
                "mark": {"type": "line", "strokeWidth": 1.4},
                "encoding": {
                    "y": {**y, "field": "fit"},
                    "detail": {"field": "series"},
                    "color": direct("hue"),
                    **dashed(data),
                },
            },
            points(46, y=y),
            *end_labels(data, width, height, ends, kind),
        ],
    }


def _residuals(column: Column, scale: Scale, cells: list[Cell], data: list[Spec]) -> Chart:
    # the largest decides: of a fit that is exact somewhere the least is next to nothing
    most = max(abs(d["residual"]) * scale.factor for d in data)
    unit = scale_of([most], column.unit)
    digits = max(0, units.decimals(most / unit.factor, 0))
    ladder = _ladder(cells)
    shown = [{**d, "value": d["residual"] * scale.factor / unit.factor} for d in data]
    values = [d["value"] for d in shown]
    room = (max(values) - min(values)) * 0.06 or 1.0
    ends = (min([*values, 0.0]) - room, max([*values, 0.0]) + room)
    width, height = (
        PLOT,
        max(_RESIDUAL_HEIGHT, 13 * len({d["series"] for d in shown})),
    )
    y: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": list(ends), "nice": False},
        "axis": {"title": f"{unit.symbol} over the line", "format": NUMBER, "tickCount": 5},
    }
    spec = {
        "width": width,
        "height": height,
        "data": {"values": shown},
        "encoding": {"x": _x(data, "log"), "color": direct("color")},
        "layer": [
            {
                "mark": {"type": "rule", "color": MUTED},
                "encoding": {"y": {"datum": 0}, "x": None, "color": {"value": MUTED}},
            },
            {
                "mark": {"type": "line", "strokeWidth": 1, "opacity": 0.6},
                "encoding": {"y": y, "detail": {"field": "series"}},
            },
            points(40, y=y),
            *end_labels(shown, width, height, ends, "linear"),
        ],
    }
    return Chart(
        id=text.anchor("residual", column.workload, column.metric),
        title=f"{column.title}: what the line leaves over",
        caption=caption_of(
            cells,
            "Measured minus fitted.",
            "A bend here means that one slope can't stand for the whole ladder.",
        ),
        description=(
            "Residuals of the fitted line against the number of tasks; the numbers are in "
            "the table below."
        ),
        specs={"log": finish(spec)},
        head=[
            "Runtime",
            "Track",
            *(f"Residual at n = {x:,.0f}, {unit.symbol}" for x in ladder),
            SAYS,
        ],
        rows=[
            [c.runtime, TRACK_TITLES[c.track], *_over(c, unit, digits, ladder), says(c)]
            for c in cells
        ],
    )


def _over(cell: Cell, unit: Scale, digits: int, ladder: list[float]) -> list[str]:
    over = {x: (y - line_at(cell, x)) / unit.factor for x, y, *_ in cell.curve}
    return [units.plain(over[x], digits) if x in over else units.NONE for x in ladder]
