"""A made-up chart of what those that take longest are made of: panels with lines, intervals, marks and names at their ends."""

from __future__ import annotations

from corobench.report.charts import style
from corobench.report.charts.curve import end_labels, value_range
from corobench.report.charts.percentiles import lines, share_axis
from corobench.report.charts.style import NAME_ROOM, WIDTH, Spec

_HEIGHT = 92
_SERIES = ("a", "b")
_AT = (2.0, 10.0, 100.0)


def panels() -> Spec:
    """Two, one on a logarithmic axis and one on a linear one."""
    return style.finish({"vconcat": [_panel("log"), _panel("linear")], "spacing": 16})


def _panel(scale: str) -> Spec:
    data = [_datum(series, x) for series in _SERIES for x in _AT]
    width, ends = WIDTH - NAME_ROOM - 30, value_range(data, scale)
    y = style.magnitude(ends, scale, scale, clamp=True)
    interval = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}
    return {
        "title": {"text": scale},
        "width": width,
        "height": _HEIGHT,
        "data": {"values": data},
        "encoding": {"x": share_axis(data, width), "color": style.direct("color")},
        "layer": [
            *lines(y, data),
            {"mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5}, "encoding": interval},
            style.points(30, y=y),
            *end_labels(data, width, _HEIGHT, ends, scale),
        ],
    }


def _datum(series: str, x: float) -> Spec:
    color = {"color": style.INK, "fill": style.INK, "hue": style.MUTED}
    look = {**color, "shape": "circle", "dash": style.dash(_SERIES.index(series))}
    return {"series": series, "x": x, "value": x, "low": x / 1.2, "high": x * 1.2, **look}
