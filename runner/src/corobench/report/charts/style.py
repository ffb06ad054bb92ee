"""What all charts share: colours, shapes, type sizes, and the chart as a value.

Colour tells runtimes apart, shape tells units apart, and every series carries its name, so that neither is needed to
read a chart. The hues are Okabe & Ito's order (jfly.uni-koeln.de/color), darkened or lightened to 3:1 against the page.
"""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from corobench.report.headline import Column
from corobench.report.variants import special
from corobench.statistics.values import RunSummary

Spec = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
INK, MUTED, GRID, PAPER, FADED, ZONE = "#1f2328", "#59636e", "#e3e6ea", "#fffffe", "#8b949e", "#eef0f3"
SERIES = ("#0066b3", "#c8501e", "#00805f", "#8a4fb5", "#946800", "#b8336f", "#0f7f9c", "#4d5866", "#5f7d1f", "#8c3b3b")
DARK_SERIES = ("#5aa9f0", "#ff8a5c", "#2fc19a", "#c79bf0", "#e0b040", "#f279ad", "#4cc6e0", "#aab4c0", "#a5c95a", "#e08a8a")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
SHAPES = {
    "timer": "triangle-down",
    "future": "diamond",
    "stackless task": "circle",
    "stackful task": "square",
    "thread": "triangle-up",
}
FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif"
WIDTH = 480
LABEL = 200
VALUE_ROOM = 70
NAME_ROOM = 196
# On the left a name may be wider than its room: the widest of common fonts takes 7 px a character.
PADDING = {"left": 18, "right": 6, "top": 6, "bottom": 6}
_CHARACTER = 6.4  # pixels at 11.5 px, with room for fonts that are a sixth wider than Arial

# Baselines are alphabetic, and moved by hand: where Vega places the others depends on a size that drawing hides from it.
CONFIG: Spec = {
    "aria": False,
    "background": PAPER,
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "titleColor": MUTED,
        "gridColor": GRID,
        "domain": False,
        "ticks": False,
        "labelFontSize": 11.5,
        "titleFontSize": 11.5,
        "titleFontWeight": "normal",
        "labelPadding": 6,
        "labelLimit": 0,
        "titlePadding": 8,
    },
    "axisX": {"labelBaseline": "alphabetic", "labelPadding": 14, "titlePadding": 4},
    "axisY": {
        "labelBaseline": "alphabetic",
        "labelOffset": 4,
        "minExtent": 44,
        "titleAngle": 0,
        "titleAlign": "left",
        "titleAnchor": "end",
        "titleBaseline": "bottom",
        "titleX": 0,
        "titleY": -8,
    },
    "title": {"color": INK, "fontSize": 12.5, "fontWeight": "bold", "anchor": "start", "frame": "group", "offset": 8},
    "header": {"labelColor": INK, "labelFontSize": 12.5},
    "text": {"color": INK, "fontSize": 11.5, "baseline": "alphabetic", "dy": 4},
}


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """A chart and its numbers. `specs` by scale ("log", "linear"), the first one is shown; `table`: head and rows."""

    id: str
    title: str
    caption: str
    description: str
    specs: dict[str, Spec]
    head: list[str]
    rows: list[list[str]]


class Palette(msgspec.Struct, frozen=True, kw_only=True):
    """A fixed colour, dash and shape for each runtime of a run, the same in all of its charts."""

    names: list[str]
    units: dict[str, str]

    def color(self, name: str) -> str:
        return SERIES[self._place(name) % len(SERIES)]

    def dash(self, name: str) -> list[int]:
        return dash(self._place(name) // len(SERIES))

    def shape(self, name: str) -> str:
        return shape(self.units.get(name, ""))

    def look(self, name: str, trusted: bool) -> Spec:
        """The fields of a runtime's marks: coloured and filled where it is ranked, grey and hollow where it isn't."""
        color = self.color(name) if trusted else FADED
        return {
            "color": color,
            "fill": color if trusted else PAPER,
            "hue": self.color(name),
            "shape": self.shape(name),
            "dash": self.dash(name),
        }

    def _place(self, name: str) -> int:
        return self.names.index(name) if name in self.names else len(self.names)


def dash(place: int) -> list[int]:
    """The dashes of the line at a place, of lines that have one colour."""
    return DASHES[place % len(DASHES)]


def shape(unit: str) -> str:
    """The shape of a unit's marks."""
    return SHAPES.get(unit, "cross")


def palette(summary: RunSummary) -> Palette:
    """Colours by the place of a runtime in the run: those of the core workloads, which meet in most charts, before the others."""
    core = {w.name for w in summary.workloads if w.group == "core"}
    met = {c.runtime for c in summary.cells if c.workload in core and c.typical} - special(summary).keys()
    names = sorted((r.name for r in summary.runtimes), key=lambda name: name not in met)
    return Palette(names=names, units={r.name: r.unit for r in summary.runtimes})


def finish(spec: Spec) -> Spec:
    """The complete specification, ready for any Vega-Lite reader."""
    fit = {"type": "pad", "contains": "padding"}
    return {"$schema": SCHEMA, "config": CONFIG, "padding": PADDING, "autosize": fit, **spec}


def axis_title(column: Column, scale: str) -> str:
    """The axis says what, in which unit, and whether it is logarithmic."""
    return directed(column.scale.symbol, column.better, scale)


def literal(text: str) -> str:
    """A text as a part of a Vega expression: what comes from a run's file could end the string and say more."""
    return json.dumps(text)


def directed(what: str, better: str, scale: str) -> str:
    """What an axis shows, with the direction in which it is better."""
    return f"{what} ({better} is better{', log' if scale == 'log' else ''})"


def names(values: list[str], title: str | None = None) -> Spec:
    """The axis of a chart whose rows are names: its room is fixed, so that the names of all charts begin at one place."""
    return {
        "field": "runtime",
        "type": "nominal",
        "sort": values,
        "axis": {
            "title": title,
            "labelColor": INK,
            "labelExpr": f"truncate(datum.label, {characters(LABEL - 8)})",
            "minExtent": LABEL,
        },
    }


def characters(room: float) -> int:
    """How many characters a room (pixels) holds in any common font."""
    return int(room / _CHARACTER)


def words_width(text: str) -> float:
    """The room (pixels) that a text takes in any common font."""
    return len(text) * _CHARACTER


def shortened(text: str, room: float) -> str:
    """The text, cut where it would not fit."""
    most = characters(room)
    return text if len(text) <= most else text[: most - 1] + "…"


def room(width: float, beside: float) -> Spec:
    """Keeps room to the right of a plot for words beside it: an invisible line."""
    return {
        "data": {"values": [{}]},
        "mark": {"type": "rule", "opacity": 0},
        "encoding": {"x": {"value": width}, "x2": {"value": width + beside}, "y": {"value": 0}, "color": {"value": PAPER}},
    }


def direct(field: str) -> Spec:
    """An encoding whose data already holds the colour, shape or dash."""
    return {"field": field, "type": "nominal", "scale": None, "legend": None}


LOOK = {name: direct(name) for name in ("color", "fill", "shape")}


def points(size: float, x: Spec | None = None, y: Spec | None = None) -> Spec:
    """The layer of the marks of `Palette.look`, one a datum, of so many square pixels."""
    places = {name: place for name, place in (("x", x), ("y", y)) if place is not None}
    return {
        "mark": {"type": "point", "filled": False, "strokeWidth": 1.5, "opacity": 1, "size": size},
        "encoding": {**places, **LOOK},
    }


def dashed(data: list[Spec]) -> Spec:
    """What tells lines of one colour apart, where there are more series than colours."""
    return {"strokeDash": direct("dash")} if any(d["dash"] != DASHES[0] for d in data) else {}


_TICKS = 3
NUMBER = ",.6~g"  # never 1e+2: the columns of the tables have the same unit


def log_ticks(low: float, high: float) -> list[float]:
    """A tick a decade; 1, 2 and 5 of each where there are few decades, more of them where an axis is short."""
    for steps in ((1.0,), (1.0, 2.0, 5.0), tuple(map(float, range(1, 10)))):
        found = _multiples(low, high, steps)
        if len(found) >= _TICKS:
            return found
    return _even(low, high)


def magnitude(ends: tuple[float, float], scale: str, title: str | None, ticks: int = 5, *, clamp: bool = False) -> Spec:
    """The encoding of the values from one end to the other, on a linear or a log axis."""
    found: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"type": scale, "domain": list(ends), "nice": False, **({"clamp": True} if clamp else {})},
        "axis": {"title": title, "format": NUMBER, "tickCount": ticks},
    }
    if scale == "log":
        found["axis"] |= {"values": log_ticks(*ends), "tickCount": 30}
    return found


def _multiples(low: float, high: float, steps: tuple[float, ...]) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [float(f"{step * 10.0**decade:.3g}") for decade in decades for step in steps if low <= step * 10.0**decade <= high]


def _even(low: float, high: float) -> list[float]:
    """Of an axis that is shorter than an octave or so: round values at even steps."""
    step = 10.0 ** math.floor(math.log10((high - low) / 2)) if high > low else 1.0
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= _TICKS + 1)
    return [float(f"{step * n:.6g}") for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
