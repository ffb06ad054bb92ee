"""Two crossed parameters as a table with the numbers in its cells, one for each runtime and track."""

from __future__ import annotations

import math

from corobench.report import slugs, units
from corobench.report.charts.says import SAYS, says
from corobench.report.charts.style import INK, LABEL, MUTED, Chart, Palette, Spec, finish
from corobench.report.headline import Column
from corobench.report.matrix import TRACK_TITLES
from corobench.report.sweep import along, grid, value
from corobench.report.units import scale_of_estimates
from corobench.statistics.values import Cell

_CELL = 46
_STEP = 24


def heat_charts(column: Column, cells: list[Cell], colors: Palette) -> list[Chart]:
    """Charts over the grid of the headline's other parameters; nothing where no two parameters are crossed.

    The title of `column` names its metric (beside.of_metric).
    """
    crossed = grid(cells)
    if crossed is None:
        return []
    chosen = along(cells, column.point, *crossed)
    scaled = scale_of_estimates((c.typical for c in chosen), column.unit)
    found: dict[tuple[str, str], list[Cell]] = {}
    for cell in chosen:
        found.setdefault((cell.track, cell.runtime), []).append(cell)
    ends = [c.typical.center for c in chosen if c.typical and c.typical.center > 0]
    return [
        _chart(column, crossed, runtime, track, found[track, runtime], scaled, (min(ends), max(ends)), colors)
        for track in TRACK_TITLES
        for runtime in colors.names
        if ends and sum(c.typical is not None for c in found.get((track, runtime), [])) > 1
    ]


def _chart(
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
    data = [_datum(c, keys, scale, ends) for c in cells]
    head = [down, across, f"Typical, {scale.symbol}".rstrip(", "), "Interval", "n", SAYS]
    columns = len({d["across"] for d in data})
    place: Spec = {
        "x": {
            "field": "across",
            "type": "ordinal",
            "axis": {"title": across, "labelAngle": 0, "orient": "top", "titlePadding": 18},
        },
        "y": {"field": "down", "type": "ordinal", "axis": {"title": down, "minExtent": LABEL // 4, "titleX": -LABEL // 4}},
    }
    strength = {"field": "strength", "type": "quantitative", "scale": None, "legend": None}
    spec = {
        "width": _CELL * columns,
        "height": {"step": _STEP},
        "data": {"values": data},
        "encoding": place,
        "layer": [
            {"mark": {"type": "rect", "color": colors.color(runtime)}, "encoding": {"opacity": strength}},
            {
                "mark": {"type": "text", "align": "center"},
                "encoding": {"text": {"field": "text"}, "color": {"field": "ink", "scale": None}},
            },
        ],
    }
    better = "smaller" if column.better == "lower" else "larger"
    what = f"{column.title}{f', in {scale.symbol}' if scale.symbol else ''}"
    return Chart(
        id=slugs.anchor("heat", column.workload, column.metric, track, runtime),
        title=f"{what}: {runtime}, {TRACK_TITLES[track]}, by {down} and {across}",
        caption=f"{better.capitalize()} is better; strong colours are large numbers, on one log scale for all. "
        "In brackets: not ranked.",
        description=f"A table of {column.what} by {down} and {across}; the numbers stand in the table below.",
        specs={"log": finish(spec)},
        head=head,
        rows=[_row(c, keys, scale) for c in cells],
    )


def _datum(cell: Cell, keys: tuple[str, str], scale: units.Scale, ends: tuple[float, float]) -> Spec:
    if cell.typical is None:
        text, height = "failed" if cell.failures else "no run", 0.0
    else:
        shown = units.show(cell.typical, scale)
        text = shown if cell.trusted else f"({shown})"
        height = math.log(max(cell.typical.center, ends[0]) / ends[0]) / (math.log(ends[1] / ends[0]) or 1.0)
    return {
        "down": value(cell, keys[0]),
        "across": value(cell, keys[1]),
        "text": text,
        "strength": round(0.06 + 0.3 * height, 3),  # the words on it stay readable, in both themes
        "ink": INK if cell.trusted else MUTED,
    }


def _row(cell: Cell, keys: tuple[str, str], scale: units.Scale) -> list[str]:
    settings = [f"{value(cell, key):g}" for key in keys]
    count = str(cell.typical.n if cell.typical else 0)
    return [*settings, units.show(cell.typical, scale), units.show_interval(cell.typical, scale), count, says(cell)]
