"""Memory against the number of tasks, with the fitted line, and what the line leaves over.

Bytes divided by N overstate a task by the fixed cost of the process; the slope doesn't, and the residuals tell whether
a line is the right summary at all.
"""

from __future__ import annotations

from typing import Any

from corobench.report import slugs, units
from corobench.report.charts.curve import end_labels, measured_at, series_name, value_range
from corobench.report.charts.says import SAYS, gap_rows, says, with_caveats
from corobench.report.charts.style import (
    MUTED,
    NAME_ROOM,
    NUMBER,
    WIDTH,
    Chart,
    Palette,
    Spec,
    dashed,
    direct,
    directed,
    finish,
    magnitude,
    points,
)
from corobench.report.headline import Column
from corobench.report.matrix import TRACK_TITLES
from corobench.report.units import Scale, scale_of
from corobench.statistics.values import Cell

_HEIGHT = 250
_RESIDUAL_HEIGHT = 150


def fit_charts(column: Column, cells: list[Cell], colors: Palette) -> list[Chart]:
    """The curve with its fit, and the residuals; nothing where no cell has a curve."""
    fitted = [c for c in cells if c.curve and c.typical]
    if not fitted:
        return []
    scale = scale_of([y for c in fitted for _, y, *_ in c.curve], column.unit)
    many = len({c.track for c in fitted}) > 1
    data = [d for c in fitted for d in _data(c, scale, colors, many)]
    return [_fit(column, scale, cells, fitted, data), _residuals(column, scale, fitted, data)]


def line_at(cell: Cell, x: float) -> float:
    """The fitted line at x, in the base unit."""
    assert cell.typical is not None
    intercept = cell.figures.get("intercept")
    return cell.typical.center * x + (intercept.center if intercept else 0.0)


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
            **colors.look(cell.runtime, cell.trusted),
        }
        for x, y, *_ in sorted(cell.curve)
    ]


def _fit(column: Column, scale: Scale, everyone: list[Cell], cells: list[Cell], data: list[Spec]) -> Chart:
    what = "private memory" if column.unit == "B" else "time"
    slope = column.scale.symbol
    ladder = _ladder(cells)
    caption = f"Marks: measured (median over blocks); line: Theil-Sen fit, whose slope is the {slope} a task of the matrix."
    head = ["Runtime", "Track", f"Slope, {slope} a task", "Interval", "Fixed part"]
    head += [*(f"{what.capitalize()} at n = {x:,.0f}, {scale.symbol}" for x in ladder), "n", SAYS]
    return Chart(
        id=slugs.anchor("fit", column.workload, column.metric),
        title=f"{column.title}: {what} against tasks (n), with the fitted line",
        caption=with_caveats(caption, everyone),
        description=f"Marks of {what} against tasks with a fitted line for {len(cells)} runtimes; numbers in the table below.",
        specs={kind: finish(_fit_spec(scale, data, kind)) for kind in ("linear", "log")},
        head=head,
        rows=[
            *(_row(c, column, scale, ladder) for c in cells),
            *(_failed(c, head) for c in everyone if not c.typical and not c.gap),
            *gap_rows(everyone, head),
        ],
    )


def _ladder(cells: list[Cell]) -> list[float]:
    return sorted({x for c in cells for x, *_ in c.curve})


def _row(cell: Cell, column: Column, scale: Scale, ladder: list[float]) -> list[str]:
    intercept = cell.figures.get("intercept")
    measured = {x: y / scale.factor for x, y, *_ in cell.curve}
    return [
        cell.runtime,
        TRACK_TITLES[cell.track],
        units.show(cell.typical, column.scale),
        units.show_interval(cell.typical, column.scale),
        units.bare(intercept.center if intercept else None, cell.unit),
        *(units.plain(measured[x], _digits(measured[x])) if x in measured else units.NONE for x in ladder),
        str(cell.typical.n if cell.typical else 0),
        says(cell),
    ]


def _failed(cell: Cell, head: list[str]) -> list[str]:
    return [cell.runtime, TRACK_TITLES[cell.track], *[units.NONE] * (len(head) - 4), "0", says(cell)]


def _digits(value: float) -> int:
    return units.decimals(value, 0) if value else 0


def _x(data: list[Spec], kind: str) -> Spec:
    axis: dict[str, Any] = {
        "title": f"tasks (n){', log' if kind == 'log' else ''}",
        "format": "~s",
        "tickCount": 4,
        "grid": False,
    }
    if kind == "log":
        axis |= {"values": measured_at(data), "tickCount": 30}
    return {"field": "x", "type": "quantitative", "scale": {"type": kind, "nice": False, "zero": kind == "linear"}, "axis": axis}


def _fit_spec(scale: Scale, data: list[Spec], kind: str) -> Spec:
    ends = value_range(data, kind)
    width = WIDTH - NAME_ROOM - 30
    height = max(_HEIGHT, 13 * len({d["series"] for d in data}))
    y = magnitude(ends, kind, directed(scale.symbol, "lower", kind), clamp=True)
    return {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": _x(data, kind), "color": direct("color")},
        "layer": [
            {
                "mark": {"type": "line", "strokeWidth": 1.4},
                "encoding": {"y": {**y, "field": "fit"}, "detail": {"field": "series"}, "color": direct("hue"), **dashed(data)},
            },
            points(46, y=y),
            *end_labels(data, width, height, ends, kind),
        ],
    }


def _residuals(column: Column, scale: Scale, cells: list[Cell], data: list[Spec]) -> Chart:
    unit = scale_of([d["residual"] * scale.factor for d in data], column.unit)
    ladder = _ladder(cells)
    shown = [{**d, "value": d["residual"] * scale.factor / unit.factor} for d in data]
    values = [d["value"] for d in shown]
    room = (max(values) - min(values)) * 0.06 or 1.0
    ends = (min([*values, 0.0]) - room, max([*values, 0.0]) + room)
    width, height = WIDTH - NAME_ROOM - 30, max(_RESIDUAL_HEIGHT, 13 * len({d["series"] for d in shown}))
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
            {"mark": {"type": "rule", "color": MUTED}, "encoding": {"y": {"datum": 0}, "x": None, "color": {"value": MUTED}}},
            {"mark": {"type": "line", "strokeWidth": 1, "opacity": 0.6}, "encoding": {"y": y, "detail": {"field": "series"}}},
            points(40, y=y),
            *end_labels(shown, width, height, ends, "linear"),
        ],
    }
    return Chart(
        id=slugs.anchor("residual", column.workload, column.metric),
        title=f"{column.title}: what the line leaves over",
        caption=with_caveats("Measured minus fitted. A bend here means that one slope can't stand for the whole ladder.", cells),
        description="Residuals of the fitted line against the number of tasks; the numbers are in the table below.",
        specs={"log": finish(spec)},
        head=["Runtime", "Track", *(f"Residual at n = {x:,.0f}, {unit.symbol}" for x in ladder), SAYS],
        rows=[[c.runtime, TRACK_TITLES[c.track], *_over(c, unit, ladder), says(c)] for c in cells],
    )


def _over(cell: Cell, unit: Scale, ladder: list[float]) -> list[str]:
    over = {x: (y - line_at(cell, x)) / unit.factor for x, y, *_ in cell.curve}
    return [f"{over[x]:,.3g}" if x in over else units.NONE for x in ladder]
