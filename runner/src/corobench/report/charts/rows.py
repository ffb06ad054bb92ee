"""Charts whose rows are runtimes, track under track in one plot: half as much to draw as a plot for each track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corobench.report.charts.style import INK, LABEL, Spec, characters
from corobench.report.charts.style import names as named
from corobench.report.matrix import TRACK_TITLES
from corobench.statistics.values import Cell


def row(track: str, runtime: str = "") -> str:
    """The place of a runtime on the axis; without one, that of the track's title."""
    return f"{track}/{runtime}"


def axis(tracks: Mapping[str, Sequence[Cell]]) -> Spec:
    """The axis of names, a title above the rows of each track where there are several."""
    places = [r for track, cells in tracks.items() for r in (*_title(tracks, track), *(row(track, c.runtime) for c in cells))]
    found = named(places)
    found["axis"]["labelExpr"] = f"truncate(slice(datum.label, indexof(datum.label, '/') + 1), {characters(LABEL - 8)})"
    return {**found, "field": "row", "scale": {"domain": places}}


def titles(tracks: Mapping[str, Sequence[Cell]]) -> list[Spec]:
    """The layer with the titles of the tracks, at the left end of the names."""
    shown = [{"row": r, "title": TRACK_TITLES[track]} for track in tracks for r in _title(tracks, track)]
    if not shown:
        return []
    mark = {"type": "text", "align": "left", "fontWeight": "bold", "fontSize": 12.5, "color": INK}
    return [{"data": {"values": shown}, "mark": mark, "encoding": {"x": {"value": 6 - LABEL}, "text": {"field": "title"}}}]


def _title(tracks: Mapping[str, Sequence[Cell]], track: str) -> list[str]:
    return [row(track)] if len(tracks) > 1 else []
