"""The longest request as a timeline: when it had the CPU, when others had it, when nobody did.

Chosen where a program kept raw triples (task, begin, end in ns), the task in question first.
"""

from __future__ import annotations

from corobench.report import slugs
from corobench.report.charts.samples import sampled, shown
from corobench.report.charts.style import (
    FADED,
    LABEL,
    NUMBER,
    VALUE_ROOM,
    WIDTH,
    Chart,
    Palette,
    Spec,
    direct,
    finish,
    names,
    room,
)
from corobench.report.headline import Column
from corobench.report.units import scale_of
from corobench.statistics.values import RunSummary

Piece = tuple[int, int, int]
Place = tuple[str, str]
_STEP = 24
_NS = 1e-9


def timeline_charts(summary: RunSummary, column: Column, colors: Palette, *of: str) -> list[Chart]:
    """A chart for each raw series of the column's point whose numbers are such triples. `of`: what tells it from others."""
    titles = next(w.series for w in summary.workloads if w.name == column.workload)
    found = []
    for series, title in titles.items():
        if rows := _pieces(summary, column, series, colors):
            found.append(_chart(column, (series, *of), title, rows, colors))
    return found


def _pieces(summary: RunSummary, column: Column, series: str, colors: Palette) -> dict[Place, list[Piece]]:
    """Label and runtime of what has any."""
    found = {}
    for one in sampled(summary, column, colors):
        raw = summary.raw.get(one.case, {}).get(series, [])
        if raw and len(raw) % 3 == 0:
            found[one.label, one.runtime] = [(raw[i], raw[i + 1], raw[i + 2]) for i in range(0, len(raw), 3)]
    return found


def _chart(column: Column, of: tuple[str, ...], title: str, rows: dict[Place, list[Piece]], colors: Palette) -> Chart:
    scale = scale_of([max(end for _, _, end in pieces) * _NS for pieces in rows.values()], "s")
    factor = scale.factor / _NS
    data = [
        {
            "runtime": label,
            "begin": begin / factor,
            "end": end / factor,
            "whose": "this request" if task == pieces[0][0] else "another one",
            "color": colors.color(name) if task == pieces[0][0] else FADED,
            "strength": 1.0 if task == pieces[0][0] else 0.45,
        }
        for (label, name), pieces in rows.items()
        for task, begin, end in sorted(pieces, key=lambda p: p[0] == pieces[0][0])
    ]
    x: Spec = {
        "field": "begin",
        "type": "quantitative",
        "scale": {"nice": False},
        "axis": {"title": f"{scale.symbol} after its arrival", "format": NUMBER, "tickCount": 6},
    }
    width = WIDTH - LABEL - VALUE_ROOM
    spec = {
        "width": width,
        "height": {"step": _STEP},
        "data": {"values": data},
        "layer": [
            {
                "mark": {"type": "rect", "height": {"band": 0.55}},
                "encoding": {
                    "x": x,
                    "x2": {"field": "end"},
                    "y": names([label for label, _ in rows]),
                    "color": direct("color"),
                    "opacity": {"field": "strength", "type": "quantitative", "scale": None, "legend": None},
                },
            },
            room(width, VALUE_ROOM),
        ],
    }
    return Chart(
        id=slugs.anchor("timeline", column.workload, *of),
        title=f"{column.title}, {', '.join([column.where, *of[1:]])}: {title}",
        caption="One row a runtime, its last invocation. Colour: this request had a CPU; grey: another one; blank: nobody.",
        description=f"Timelines of the longest request of {len(rows)} runtimes; the sums are in the table below.",
        specs={"linear": finish(spec)},
        head=[
            "Runtime",
            *(f"{what}, {scale.symbol}" for what in ("Last piece ends", "This request had a CPU", "Others had it")),
            "Pieces",
        ],
        rows=[[label, *_sums(pieces, factor), str(len(pieces))] for (label, _), pieces in rows.items()],
    )


def _sums(pieces: list[Piece], factor: float) -> list[str]:
    own = sum(end - begin for task, begin, end in pieces if task == pieces[0][0])
    others = sum(end - begin for task, begin, end in pieces if task != pieces[0][0])
    return [shown(max(end for _, _, end in pieces), factor), shown(own, factor), shown(others, factor)]
