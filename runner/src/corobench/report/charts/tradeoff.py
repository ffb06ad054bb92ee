"""Two metrics that pull against each other, one mark a mode: a remedy that makes one better at the price of the other.

One panel a runtime and track on shared axes, since forty runtimes of five modes each on one plot could not be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from corobench.report import slugs, units
from corobench.report.charts.curve import end_labels
from corobench.report.charts.says import SAYS, gap_rows, interval_words, says, says_of, with_caveats
from corobench.report.charts.style import (
    NAME_ROOM,
    NUMBER,
    WIDTH,
    Chart,
    Palette,
    Spec,
    direct,
    directed,
    finish,
    magnitude,
    points,
)
from corobench.report.matrix import TRACK_TITLES
from corobench.report.sweep import modes, number, parameters, swept
from corobench.report.units import scale_of_estimates
from corobench.statistics.values import Cell, RunSummary, WorkloadFacts

_HEIGHT = 92


def tradeoff_charts(summary: RunSummary, workload: WorkloadFacts, colors: Palette) -> Iterator[Chart]:
    """The first metric that should be low against the first that should be high; none where there aren't both, or no modes.

    A chart for each setting of the words beside the modes: what a closed loop and an open one say of a mode is not one mark.
    """
    own = [c for c in summary.cells if c.workload == workload.name]
    cells = [c for c in own if c.typical]
    low, high = (
        next((m for m in workload.metrics for c in cells if (c.metric, c.better) == (m, b)), None) for b in ("lower", "higher")
    )
    key = modes(cells)
    if key is None or low is None or high is None or swept(cells):
        return
    settings = list(dict.fromkeys(_setting(c, key) for c in cells))
    for setting in settings:
        here = [c for c in own if _setting(c, key) == setting]
        if chart := _chart(here, workload, (low, high), key, setting if len(settings) > 1 else "", colors):
            yield chart


def _setting(cell: Cell, key: str) -> str:
    """What words the cell's point has beside the mode: `loop=open`."""
    return ",".join(f"{k}={v}" for k, v in parameters(cell.point).items() if k != key and number(v) is None)


def _chart(
    own: list[Cell], workload: WorkloadFacts, metrics: tuple[str, str], key: str, setting: str, colors: Palette
) -> Chart | None:
    """None where no mode has both metrics. `setting`: the chart's, where there are several."""
    low, high = metrics
    cost, gain = ({_place(c, key): c for c in own if c.metric == m and c.typical} for m in metrics)
    both = [(place, cost[place], gain[place]) for place in cost if place in gain]
    if not both:
        return None
    missing = [c for c in own if c.metric == low and not c.typical]
    scales = tuple(
        scale_of_estimates((c.typical for c in found.values()), next(iter(found.values())).unit) for found in (cost, gain)
    )
    order = {name: place for place, name in enumerate(colors.names)}
    both.sort(key=lambda item: (item[0][0] != "one-cpu", order.get(item[0][1], len(order))))
    titles = [f"{workload.metrics[m]}{f', {s.symbol}' if s.symbol else ''}" for m, s in zip(metrics, scales, strict=True)]
    bars = interval_words(c.typical for _, *found in both for c in found)
    head = ["Runtime", "Track", key, titles[0], "Interval", titles[1], "Interval", "n", SAYS]
    where = f" ({setting.replace('=', ' = ').replace(',', ', ')})" if setting else ""
    return Chart(
        id=slugs.anchor("tradeoff", workload.name, *([setting] if setting else [])),
        title=f"{workload.title}: {workload.metrics[low]} against {workload.metrics[high]}, by {key}{where}",
        caption=with_caveats(
            f"Best: down and to the right. One panel a runtime, the same axes in all; bars: {bars}.",
            [*(c for _, *found in both for c in found), *missing],
        ),
        description=f"Scatter plots of two metrics by {key} for each runtime; the numbers are in the table below.",
        specs={"log": finish(_spec(both, scales, titles, colors))},
        head=head,
        rows=[
            *(_row(pair, scales, workload.metrics) for pair in both),
            *(_missing(c, key) for c in missing if not c.gap),
            *gap_rows(missing, head),
        ],
    )


Place = tuple[str, str, str]
Pair = tuple[Place, Cell, Cell]
Scales = tuple[units.Scale, ...]


def _place(cell: Cell, key: str) -> Place:
    return (cell.track, cell.runtime, parameters(cell.point).get(key, ""))


def _row(pair: Pair, scales: Scales, titles: Mapping[str, str]) -> list[str]:
    (track, runtime, mode), cost, gain = pair
    return [
        runtime,
        TRACK_TITLES[track],
        mode,
        *(f(c.typical, s) for c, s in zip((cost, gain), scales, strict=True) for f in (units.show, units.show_interval)),
        str(min(c.typical.n for c in (cost, gain) if c.typical)),
        says_of((cost, gain), titles),
    ]


def _missing(cell: Cell, key: str) -> list[str]:
    track, runtime, mode = _place(cell, key)
    return [runtime, TRACK_TITLES[track], mode, *[units.NONE] * 4, "0", says(cell)]


def _spec(both: list[Pair], scales: Scales, titles: list[str], colors: Palette) -> Spec:
    data = [_datum(pair, scales, colors) for pair in both]
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
        named = (titles[0] if not parts else None, titles[1] if len(parts) == len(panels) - 1 else None)
        parts.append(_panel(title, found, ends, most, named))
    return {"vconcat": parts, "spacing": 16}


def _datum(pair: Pair, scales: Scales, colors: Palette) -> Spec:
    (_, runtime, mode), cost, gain = pair
    assert cost.typical is not None
    assert gain.typical is not None
    return {
        "series": mode,
        "value": cost.typical.center / scales[0].factor,
        "low": cost.typical.low / scales[0].factor,
        "high": cost.typical.high / scales[0].factor,
        "x": gain.typical.center / scales[1].factor,
        "left": gain.typical.low / scales[1].factor,
        "right": gain.typical.high / scales[1].factor,
        **colors.look(runtime, cost.trusted and gain.trusted),
    }


def _panel(title: str, data: list[Spec], ends: tuple[float, float], most: float, titles: tuple[str | None, str | None]) -> Spec:
    width = WIDTH - NAME_ROOM - 30
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
            {"mark": bar, "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}},
            {"mark": bar, "encoding": {"x": {**x, "field": "left"}, "x2": {"field": "right"}, "y": y}},
            points(50, x, y),
            *end_labels(data, width, _HEIGHT, ends, "log"),
        ],
    }
