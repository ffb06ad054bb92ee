"""Ratios with intervals around 1, the zone that counts as equal shaded: two runs of one box, or several boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from corobench.report import slugs, units
from corobench.report.charts.says import SAYS
from corobench.report.charts.style import (
    FADED,
    INK,
    LABEL,
    LOOK,
    MUTED,
    NUMBER,
    PAPER,
    SERIES,
    SHAPES,
    WIDTH,
    ZONE,
    Chart,
    Spec,
    direct,
    directed,
    finish,
    names,
)
from corobench.report.charts.ticks import apart
from corobench.statistics.values import Estimate

_STEP = 20
_ONE = units.Scale(1.0, "")


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    """One ratio of a chart. `series` chooses colour and shape (0 is the plain one); `sure`: carries a verdict of a difference.

    `delta`: the zone around 1 that counts as equal for this one (0.02 is 2 %), None where there is none.
    """

    row: str
    label: str
    value: Estimate
    note: str
    series: int = 0
    sure: bool = True
    delta: float | None = None


def ratio_chart(
    identity: str, title: str, caption: str, ratios: Sequence[Ratio], better: str, row: str = "Case", label: str = "By"
) -> Chart:
    """Dots with intervals on a log axis, each in its zone that counts as equal, where it has one.

    `better`: the direction of what the ratios are of. `row` and `label`: what the two are, in the table.
    Where the series have several labels (boxes), rows are split and a legend names them.
    """
    rows = list(dict.fromkeys(r.row for r in ratios))
    zones = ["Counts as equal"] * any(r.delta is not None for r in ratios)
    return Chart(
        id=slugs.anchor("ratios", identity),
        title=title,
        caption=caption,
        description=f"Ratios with intervals on a log axis for {len(rows)} rows; the numbers are in the table below.",
        specs={"log": finish(_spec(rows, ratios, better))},
        head=[row, label, "Ratio", "Interval", "n", *zones, SAYS],
        rows=[
            [r.row, r.label, units.show(r.value, _ONE), units.show_interval(r.value, _ONE), str(r.value.n)]
            + [units.NONE if r.delta is None else f"±{units.percent(r.delta)}" for _ in zones]
            + [r.note]
            for r in ratios
        ],
    )


def _spec(rows: list[str], ratios: Sequence[Ratio], better: str) -> Spec:
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
            "values": apart(_ticks(low, high), (low, high), WIDTH - LABEL),
            "tickCount": 40,
        },
    }
    labels = {r.series: r.label for r in ratios}
    alone: Spec = {"y": None, "yOffset": None}
    several = len(labels) > 1 and not zoned
    zone: list[Spec] = [
        {
            "data": {"values": [{"row": r.row, "from": 1 / (1 + (r.delta or 0.0)), "to": 1 + (r.delta or 0.0)} for r in zoned]},
            "mark": {"type": "rect", "color": ZONE},
            "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}},
        }
    ]
    look = _legend(labels) if several else LOOK
    return {
        "width": WIDTH - LABEL,
        "height": {"step": max(6, _STEP // len(labels)) + 2 if several else _STEP, **({"for": "offset"} if several else {})},
        "data": {"values": [_datum(r) for r in ratios]},
        "encoding": {
            "y": {**names(rows), "field": "row"},
            **(
                {"yOffset": {"field": "label", "type": "nominal", "sort": [labels[s] for s in sorted(labels)]}} if several else {}
            ),
        },
        "layer": [
            *(zone if zoned else []),
            {"data": {"values": [{}]}, "mark": {"type": "rule", "color": MUTED}, "encoding": {"x": {"datum": 1}, **alone}},
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "opacity": 0.55},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": look["color"]},
            },
            {
                "mark": {"type": "point", "filled": False, "strokeWidth": 1.5, "size": 50, "opacity": 1},
                "encoding": {"x": x, **look},
            },
        ],
    }


def _legend(labels: dict[int, str]) -> Spec:
    """Colour and shape of each box, named above the chart; a number that is not ranked is faint."""
    places = sorted(labels)
    named = {"field": "label", "type": "nominal"}
    legend = {"title": None, "orient": "top", "labelColor": INK, "labelLimit": 180, "symbolOpacity": 1, "columns": 1}
    domain = [labels[p] for p in places]
    return {
        "color": {**named, "scale": {"domain": domain, "range": [SERIES[p % len(SERIES)] for p in places]}, "legend": legend},
        "shape": {**named, "scale": {"domain": domain, "range": [_shape(p) for p in places]}, "legend": legend},
        "fill": direct("fill"),
        "opacity": {"field": "strength", "type": "quantitative", "scale": None, "legend": None},
    }


def _shape(series: int) -> str:
    shapes = ["circle", *(s for s in SHAPES.values() if s != "circle")]
    return shapes[series % len(shapes)]


def _datum(one: Ratio) -> Spec:
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
