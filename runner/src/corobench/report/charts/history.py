"""A case over the runs of one box: points in order of time, a line only where the box stayed the same."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from corobench.report import slugs, units
from corobench.report.charts.curve import end_labels, value_range
from corobench.report.charts.says import SAYS, says, with_caveats
from corobench.report.charts.style import (
    MUTED,
    NAME_ROOM,
    WIDTH,
    Chart,
    Palette,
    Spec,
    axis_title,
    direct,
    finish,
    literal,
    magnitude,
    points,
)
from corobench.report.headline import Column
from corobench.statistics.values import Cell

_HEIGHT = 230


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A run in a history. `era` counts up at every confounding change of the box: a line never crosses it."""

    name: str
    created: str
    era: int
    change: str
    cells: dict[str, Cell]


def history_chart(identity: str, title: str, column: Column, moments: Sequence[Moment], colors: Palette) -> Chart:
    """Typical values of every runtime, run by run. A quick run has no point here: it claims nothing."""
    data = [d for place, moment in enumerate(moments) for d in _data(place, moment, column, colors)]
    return Chart(
        id=slugs.anchor("history", identity),
        title=title,
        caption=with_caveats(
            "One point a run, oldest first, with its interval. Dashed upright: the box changed, so no line crosses it.",
            [cell for moment in moments for cell in moment.cells.values()],
        ),
        description=f"Typical values of {len(moments)} runs in order of time; the numbers are in the table below.",
        specs={kind: finish(_spec(column, moments, data, kind)) for kind in ("log", "linear")},
        head=["Run", "Runtime", f"Typical, {column.scale.symbol}", "Interval", "n", SAYS, "Change of the box before it"],
        rows=[_row(moment, cell, column) for moment in moments for cell in moment.cells.values()],
    )


def _row(moment: Moment, cell: Cell, column: Column) -> list[str]:
    value, interval = units.show(cell.typical, column.scale), units.show_interval(cell.typical, column.scale)
    return [moment.name, cell.runtime, value, interval, str(cell.typical.n if cell.typical else 0), says(cell), moment.change]


def _data(place: int, moment: Moment, column: Column, colors: Palette) -> list[Spec]:
    factor = column.scale.factor
    return [
        {
            "series": name,
            "line": f"{name} {moment.era}",
            "run": moment.name,
            "x": place,
            "value": cell.typical.center / factor,
            "low": cell.typical.low / factor,
            "high": cell.typical.high / factor,
            **colors.look(name, cell.trusted),
        }
        for name, cell in moment.cells.items()
        if cell.typical
    ]


def _spec(column: Column, moments: Sequence[Moment], data: list[Spec], kind: str) -> Spec:
    ends = value_range(data, kind)
    width = WIDTH - NAME_ROOM - 30
    height = max(_HEIGHT, 13 * len({d["series"] for d in data}))
    y = magnitude(ends, kind, axis_title(column, kind))
    shown = sorted({0, len(moments) - 1})
    dates = " : ".join(f"datum.value == {place} ? {literal(moments[place].created[:10])}" for place in shown) + " : ''"
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": {"domain": [0, max(1, len(moments) - 1)], "nice": False},
        "axis": {"title": None, "values": shown, "labelExpr": dates, "grid": False},
    }
    breaks = [{"x": place - 0.5} for place in range(1, len(moments)) if moments[place].era != moments[place - 1].era]
    lines: list[Spec] = [
        {
            "data": {"values": breaks},
            "mark": {"type": "rule", "strokeDash": [3, 3], "color": MUTED},
            "encoding": {"x": x, "color": {"value": MUTED}},
        }
    ]
    return {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [
            *(lines if breaks else []),
            {
                "mark": {"type": "line", "strokeWidth": 1.4},
                "encoding": {"y": y, "detail": {"field": "line"}, "color": direct("hue")},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            points(36, y=y),
            *end_labels(data, width, height, ends, kind),
        ],
    }
