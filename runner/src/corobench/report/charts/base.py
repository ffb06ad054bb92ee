"""What all charts share: the chart as a value, colours, axes, ticks, captions.

Colour tells languages apart, shape tells units apart, and every series carries its name, so that
neither is needed to read a chart. The hues are Okabe & Ito's order (jfly.uni-koeln.de/color),
darkened or lightened to 3:1 against the page.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from zlib import crc32

import msgspec

from corobench.report import units
from corobench.report.headline import Column
from corobench.report.sweeps import special
from corobench.report.text import TRACK_TITLES
from corobench.report.units import Scale
from corobench.report.vega import Spec
from corobench.statistics.flags import flag_words
from corobench.statistics.types import Cell, Estimate, RunSummary

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
INK, MUTED, GRID, PAPER, FADED, ZONE = (
    "#1f2328",
    "#59636e",
    "#e3e6ea",
    "#fffffe",
    "#8b949e",
    "#eef0f3",
)
SERIES = (
    "#0066b3",
    "#c8501e",
    "#00805f",
    "#8a4fb5",
    "#946800",
    "#b8336f",
    "#0f7f9c",
    "#4d5866",
    "#5f7d1f",
    "#8c3b3b",
)
DARK_SERIES = (
    "#5aa9f0",
    "#ff8a5c",
    "#2fc19a",
    "#c79bf0",
    "#e0b040",
    "#f279ad",
    "#4cc6e0",
    "#aab4c0",
    "#a5c95a",
    "#e08a8a",
)
# On a dark page, as site.css has them.
DARK = {
    INK: "#e6e9ed",
    MUTED: "#a3adb8",
    GRID: "#2a3038",
    PAPER: "#14171b",
    FADED: "#7d8793",
    ZONE: "#20262d",
    **dict(zip(SERIES, DARK_SERIES, strict=True)),
}
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
SHAPES = {
    "timer": "triangle-down",
    "future": "diamond",
    "stackless task": "circle",
    "stackful task": "square",
    "thread": "triangle-up",
}
FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif"
# On a phone (362 px between its margins) a chart is drawn smaller: no label under 9 px.
WIDTH = 436
WIDE = 936  # of a chart of many rows, which fills a page
MANY_ROWS = 20
LABEL = 200
VALUE_ROOM = 70
NAME_ROOM = 206
PLOT = WIDTH - NAME_ROOM - 44  # of a chart with names at the ends of its lines
# On the left a name may be wider than its room: the widest of common fonts takes 7 px a character.
PADDING = {"left": 18, "right": 6, "top": 6, "bottom": 6}
_CHARACTER = 6.4  # pixels at 11.5 px, with room for fonts that are a sixth wider than Arial

# Baselines are alphabetic, and moved by hand: where Vega places the others depends on a size that
# drawing hides from it.
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
    "title": {
        "color": INK,
        "fontSize": 12.5,
        "fontWeight": "bold",
        "anchor": "start",
        "frame": "group",
        "offset": 8,
    },
    "header": {"labelColor": INK, "labelFontSize": 12.5},
    "text": {"color": INK, "fontSize": 11.5, "baseline": "alphabetic", "dy": 4},
}


class Caption(msgspec.Struct, frozen=True):
    """`words`: one line, which says what the marks are; `details` stand folded with the numbers."""

    words: str
    details: str = ""


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """A chart and its numbers. `specs` by scale ("log", "linear"), the first one is shown; `wide`:
    the same for a window that has the room, where it has many rows. `table`: head and rows.
    """

    id: str
    title: str
    caption: Caption
    description: str
    specs: dict[str, Spec]
    wide: dict[str, Spec] = {}
    head: list[str]
    rows: list[list[str]]


# The hue of a language is the same on every page; the first of each family that borrows one.
LANGUAGES = (
    "CPython",
    "Rust",
    "Go",
    "Node.js",
    "C and C++",
    "Java",
    "Haskell (GHC)",
    "Lua",
    "Erlang/OTP",
    "Ruby",
)
_LIKE = {
    "Bun": "Node.js",
    "Deno": "Node.js",
    "Kotlin (on Java)": "Java",
    "Scala (on Java)": "Java",
    "Clojure (on Java)": "Java",
    "Elixir": "Erlang/OTP",
    "PHP": "Ruby",
}


@cache
def hue(language: str) -> str:
    """The colour of a language."""
    language = _LIKE.get(language, language)
    known = language in LANGUAGES
    place = LANGUAGES.index(language) if known else crc32(language.encode())
    return SERIES[place % len(SERIES)]


class Palette(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The colour of a runtime's language, a shape for its unit, and dashes that tell the runtimes
    of a language apart; the same in all charts.
    """

    names: list[str]
    units: dict[str, str]
    languages: dict[str, str]

    def color(self, name: str) -> str:
        return hue(self.languages.get(name, ""))

    def dash(self, name: str) -> list[int]:
        return dash(self._places.get(name, 0))

    @cached_property
    def _places(self) -> dict[str, int]:
        """Each runtime's place among those of its colour."""
        alike: Counter[str] = Counter()
        places = {}
        for name in self.names:
            color = self.color(name)
            places[name] = alike[color]
            alike[color] += 1
        return places

    def shape(self, name: str) -> str:
        return shape(self.units.get(name, ""))

    def look(self, name: str, trusted: bool) -> Spec:
        """The fields of a runtime's marks: coloured and filled where it is ranked, grey and hollow
        where it isn't.
        """
        color = self.color(name) if trusted else FADED
        return {
            "color": color,
            "fill": color if trusted else PAPER,
            "hue": self.color(name),
            "shape": self.shape(name),
            "dash": self.dash(name),
        }


def tip(name: str, value: Estimate, scale: Scale) -> str:
    """What a mark says to who points at it: `asyncio: 739 ns (731-747)`."""
    shown = f"{units.show(value, scale)} {scale.symbol}".rstrip()
    return f"{name}: {shown} ({units.show_interval(value, scale)})"


def dash(place: int) -> list[int]:
    """The dashes of the line at a place, of lines that have one colour."""
    return DASHES[place % len(DASHES)]


def shape(unit: str) -> str:
    """The shape of a unit's marks."""
    return SHAPES.get(unit, "cross")


def palette(summary: RunSummary) -> Palette:
    """Of a language's runtimes those of the core workloads, which meet in most charts, have the
    plainer dashes.
    """
    core = {w.name for w in summary.workloads if w.group == "core"}
    met = {c.runtime for c in summary.cells if c.workload in core and c.median} - special(
        summary
    ).keys()
    names = sorted((r.name for r in summary.runtimes), key=lambda name: name not in met)
    return Palette(
        names=names,
        units={r.name: r.unit for r in summary.runtimes},
        languages={r.name: r.language for r in summary.runtimes},
    )


def finish(spec: Spec) -> Spec:
    """The complete specification, ready for any Vega-Lite reader."""
    fit = {"type": "pad", "contains": "padding"}
    return {"$schema": SCHEMA, "config": CONFIG, "padding": PADDING, "autosize": fit, **spec}


def axis_title(column: Column, scale: str) -> str:
    """The axis says what, in which unit, and whether it is logarithmic."""
    return directed(column.scale.symbol, column.better, scale)


def literal(text: str) -> str:
    """A text as a part of a Vega expression: what comes from a run's file could end the string and
    say more.
    """
    return json.dumps(text)


def directed(what: str, better: str, scale: str) -> str:
    """What an axis shows, with the direction in which it is better."""
    return f"{what} ({better} is better{', log' if scale == 'log' else ''})"


def names(values: list[str], title: str | None = None) -> Spec:
    """The axis of a chart whose rows are names: its room is fixed, so that the names of all charts
    begin at one place.
    """
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
        "encoding": {
            "x": {"value": width},
            "x2": {"value": width + beside},
            "y": {"value": 0},
            "color": {"value": PAPER},
        },
    }


def extent(value: Estimate | None, factor: float = 1.0) -> Spec:
    """The fields of a mark with its interval, in a unit of so many base units."""
    return {
        "value": value.center / factor if value else None,
        "low": value.low / factor if value else None,
        "high": value.high / factor if value else None,
    }


def direct(field: str) -> Spec:
    """An encoding whose data already holds the colour, shape or dash."""
    return {"field": field, "type": "nominal", "scale": None, "legend": None}


LOOK = {name: direct(name) for name in ("color", "fill", "shape")}


def points(size: float, x: Spec | None = None, y: Spec | None = None) -> Spec:
    """The layer of the marks of `Palette.look`, one a datum, of so many square pixels; each says
    the datum's `tip`.
    """
    places = {name: place for name, place in (("x", x), ("y", y)) if place is not None}
    mark = {"type": "point", "filled": False, "strokeWidth": 1.5, "opacity": 1, "size": size}
    return {
        "mark": {**mark, "aria": True},
        "encoding": {**places, **LOOK, "description": {"field": "tip", "type": "nominal"}},
    }


def dashed(data: list[Spec]) -> Spec:
    """What tells lines of one colour apart, where there are more series than colours."""
    return {"strokeDash": direct("dash")} if any(d["dash"] != DASHES[0] for d in data) else {}


_TICKS = 3
NUMBER = ",.6~g"  # never 1e+2: the columns of the tables have the same unit


def log_ticks(low: float, high: float) -> list[float]:
    """A tick a decade; 1, 2 and 5 of each where there are few decades, more of them where an axis
    is short.
    """
    for steps in ((1.0,), (1.0, 2.0, 5.0), tuple(map(float, range(1, 10)))):
        found = _multiples(low, high, steps)
        if len(found) >= _TICKS:
            return found
    return _even(low, high)


def magnitude(
    ends: tuple[float, float], scale: str, title: str | None, ticks: int = 5, *, clamp: bool = False
) -> Spec:
    """The encoding of the values from one end to the other, on a linear or a log axis."""
    found: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {
            "type": scale,
            "domain": list(ends),
            "nice": False,
            **({"clamp": True} if clamp else {}),
        },
        "axis": {"title": title, "format": NUMBER, "tickCount": ticks},
    }
    if scale == "log":
        found["axis"] |= {"values": log_ticks(*ends), "tickCount": 30}
    return found


def _multiples(low: float, high: float, steps: tuple[float, ...]) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [
        float(f"{step * 10.0**decade:.3g}")
        for decade in decades
        for step in steps
        if low <= step * 10.0**decade <= high
    ]


def _even(low: float, high: float) -> list[float]:
    """Of an axis that is shorter than an octave or so: round values at even steps."""
    step = 10.0 ** math.floor(math.log10((high - low) / 2)) if high > low else 1.0
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= _TICKS + 1)
    return [
        float(f"{step * n:.6g}") for n in range(math.ceil(low / step), math.floor(high / step) + 1)
    ]


_GAP = 5.0  # pixels between two labels


def plain(value: float) -> str:
    """About what the axis writes (NUMBER of charts.style)."""
    return f"{value:,.6g}"


def short(value: float) -> str:
    """With SI prefixes, as counts are written."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= factor:
            return f"{value / factor:g}{prefix}"
    return f"{value:g}"


def even_ticks(low: float, high: float) -> list[float]:
    """A few round values of a linear axis at even steps; whole ones where both ends are."""
    found = _even(low, high)
    if low == int(low) and high == int(high):
        found = [tick for tick in found if tick == int(tick)]
    return found


def apart(
    ticks: Iterable[float],
    ends: tuple[float, float],
    width: float,
    scale: str = "log",
    text: Callable[[float], str] = plain,
) -> list[float]:
    """Those whose labels have room beside each other, the rounder ones before the others; `ends` of
    an axis so wide (pixels). Of the decades of a log axis all, or every second one, or third.
    """
    wanted = sorted(ticks)
    if len(wanted) < 2 or ends[0] >= ends[1]:
        return wanted
    place = math.log if scale == "log" else float
    pixels = width / (place(ends[1]) - place(ends[0]))

    def beside(shown: Iterable[float]) -> list[float]:
        kept: dict[float, tuple[float, float]] = {}
        for tick in shown:
            words = words_width(text(tick))
            begin = pixels * (place(tick) - place(ends[0])) - words / 2
            # at the ends of an axis a label is moved inside
            begin = max(0.0, min(begin, width - words))
            if all(
                begin + words + _GAP <= left or begin >= right + _GAP
                for left, right in kept.values()
            ):
                kept[tick] = (begin, begin + words)
        return sorted(kept)

    rounder = sorted(wanted, key=_roundness)
    decades = [tick for tick in rounder if scale == "log" and _digits(tick) == "1"]
    others = [tick for tick in rounder if tick not in decades]
    for step in range(1, len(decades)):
        evenly = [tick for tick in decades if round(math.log10(tick)) % step == 0]
        if beside(evenly) == evenly:
            return beside([*evenly, *(others if step == 1 else [])])
    return beside(rounder)


def _digits(value: float) -> str:
    return f"{abs(value):.5e}".split("e")[0].rstrip("0").rstrip(".")


def _roundness(value: float) -> tuple[int, float]:
    """Powers of ten first, then what has few digits, the larger ones of these last."""
    digits = _digits(value)
    return (0 if digits == "1" else len(digits), value)


def track_row(track: str, runtime: str = "") -> str:
    """The place of a runtime on the axis; without one, that of the track's title."""
    return f"{track}/{runtime}"


def track_axis(tracks: Mapping[str, Sequence[Cell]]) -> Spec:
    """The axis of names, a title above the rows of each track where there are several."""
    places = [
        r
        for track, cells in tracks.items()
        for r in (*_track_title(tracks, track), *(track_row(track, c.runtime) for c in cells))
    ]
    found = names(places)
    found["axis"]["labelExpr"] = (
        f"truncate(slice(datum.label, indexof(datum.label, '/') + 1), {characters(LABEL - 8)})"
    )
    return {**found, "field": "row", "scale": {"domain": places}}


def track_titles(tracks: Mapping[str, Sequence[Cell]]) -> list[Spec]:
    """The layer with the titles of the tracks, at the left end of the names."""
    shown = [
        {"row": r, "title": TRACK_TITLES[track]}
        for track in tracks
        for r in _track_title(tracks, track)
    ]
    if not shown:
        return []
    mark = {"type": "text", "align": "left", "fontWeight": "bold", "fontSize": 12.5, "color": INK}
    return [
        {
            "data": {"values": shown},
            "mark": mark,
            "encoding": {"x": {"value": 6 - LABEL}, "text": {"field": "title"}},
        }
    ]


def _track_title(tracks: Mapping[str, Sequence[Cell]], track: str) -> list[str]:
    return [track_row(track)] if len(tracks) > 1 else []


SAYS = "Says"
_HOLLOW = "Hollow: not ranked."
_NAMED = 6
_REASON = 560.0  # pixels of a reason in a caption: the table has the whole of it


def says(cell: Cell) -> str:
    """What the table of a chart says beside a number, or in its place; empty for one that may be
    ranked.
    """
    return _sentence(*_said(cell))


def says_of(cells: Sequence[Cell], titles: Mapping[str, str]) -> str:
    """What it says beside several metrics of a case: each thing once, and of which metrics where it
    isn't said of all.

    `titles`: of the metrics by name.
    """
    metrics: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        what, why = _said(cell)
        for reason in dict.fromkeys((why or [""]) if what else []):
            metrics.setdefault((what, reason), []).append(titles[cell.metric])
    reasons: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (what, reason), about in metrics.items():
        reasons.setdefault((what, tuple(about)), []).append(reason)
    return "; ".join(
        _sentence(what if len(about) == len(cells) else f"{what} ({'; '.join(about)})", why)
        for (what, about), why in reasons.items()
    )


def interval_words(estimates: Iterable[Estimate | None]) -> str:
    """What the bars of these numbers are: too few blocks have no 95 % interval."""
    known = {estimate.confidence > 0 for estimate in estimates if estimate}
    if known == {False}:
        return "lowest to highest, since so few blocks have no 95 % interval"
    return (
        "95 % interval, or lowest to highest where blocks are too few for one"
        if False in known
        else "95 % interval"
    )


def caption_of(cells: Iterable[Cell], words: str, details: str = "") -> Caption:
    """A caption, with who is not ranked, and who has no number, and why, in its details."""
    seen = list(cells)
    unranked = _names(
        (c.runtime, flag_words(flag))
        for c in seen
        if c.median
        for flag in c.flags
        if flag.level == "red"
    )
    missing = _names((c.runtime, shortened(says(c), _REASON)) for c in seen if c.median is None)
    told = [
        *(
            [f"Not ranked: {'; '.join(f'{names}: {name}' for name, names in unranked.items())}."]
            if unranked
            else []
        ),
        *(
            [f"No number: {'; '.join(f'{names} ({why})' for why, names in missing.items())}."]
            if missing
            else []
        ),
    ]
    return Caption(
        f"{words} {_HOLLOW}" if unranked else words, " ".join(filter(None, [details, *told]))
    )


def gap_rows(cells: Iterable[Cell], head: list[str]) -> list[list[str]]:
    """A row for each runtime and track that was not run, once and not at each point; `head` begins
    with these two.
    """
    found = {(c.runtime, c.track): says(c) for c in cells if c.gap}
    empty = [units.NONE] * (len(head) - 3)
    return [[runtime, TRACK_TITLES[track], *empty, why] for (runtime, track), why in found.items()]


def _said(cell: Cell) -> tuple[str, list[str]]:
    """What is to be said of a number, and why; nothing of one that may be ranked."""
    if cell.gap:
        return "not run", [cell.gap]
    if cell.median is None:
        return "failed" if cell.failures else "no number", cell.failures
    reds = [flag.text for flag in cell.flags if flag.level == "red"]
    return "not ranked" if reds else "", reds


def _sentence(what: str, why: list[str]) -> str:
    return ": ".join(filter(None, [what, "; ".join(why)]))


def _names(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Reason -> the runtimes that it is about, each once."""
    found: dict[str, dict[str, None]] = {}
    for runtime, reason in pairs:
        found.setdefault(reason, {})[runtime] = None
    return {reason: _listed(list(names)) for reason, names in found.items()}


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
