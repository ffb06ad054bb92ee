"""The tables behind the charts: every cell of a workload with all its figures, one unit a column."""

from __future__ import annotations

import msgspec

from corobench.model import TRACKS
from corobench.report import units
from corobench.report.headline import short_point
from corobench.report.matrix import TRACK_TITLES, cell_anchor
from corobench.report.notes import Notes, reason
from corobench.report.sweep import number, parameters
from corobench.report.units import Scale
from corobench.report.wording import direction
from corobench.statistics.values import Cell, Estimate, RunSummary, WorkloadFacts

FIGURES = {
    "floor": "Floor",
    "cpu": "CPU",
    "cold": "Cold first",
    "user": "User",
    "system": "System",
    "cpu_above_bare": "CPU above bare",
    "intercept": "Fixed part",
    "rss": "Resident, largest n",
    "high": "High-water mark",
    "kept": "Kept after release",
    "collected": "After a collection",
    "kept_collected": "Kept, collected",
}
# These share the unit of the headline; the others are of another size (bytes of a process, not of a task).
_LIKE_HEADLINE = {"floor", "cpu", "cold", "user", "system", "cpu_above_bare", "collected"}
MAIN = "typical"


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A number of a table: as shown, and raw in base units for whoever checks it."""

    figure: str
    text: str
    raw: float | None


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A cell's row: `state` as in the matrix."""

    key: str
    runtime: str
    unit: str
    language: str
    anchor: str
    state: str
    reason: str
    typical: Field
    interval: str
    fields: list[Field]
    n: int
    group: int | None
    comparison: str
    marks: list[int]


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of one point on one track."""

    title: str
    track: str
    point: str
    lines: list[Line]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A metric of a workload. `heads`: figure title and unit symbol of each column after the headline's."""

    id: str
    title: str
    symbol: str
    direction: str
    heads: list[tuple[str, str]]
    bodies: list[Body]


def tables(summary: RunSummary, workload: WorkloadFacts, notes: Notes) -> list[Table]:
    """A table for each metric of a workload that has cells."""
    found = []
    for metric, title in workload.metrics.items():
        cells = [c for c in summary.cells if c.workload == workload.name and c.metric == metric]
        if cells:
            found.append(_table(summary, workload, metric, title, cells, notes))
    return found


def _table(summary: RunSummary, workload: WorkloadFacts, metric: str, title: str, cells: list[Cell], notes: Notes) -> Table:
    names = [name for name in FIGURES if any(name in c.figures for c in cells)]
    scale = units.scale_of_estimates((c.typical for c in cells), cells[0].unit)
    scales = {name: _scale(name, cells, scale) for name in names}
    facts = {r.name: r for r in summary.runtimes}
    order = {name: place for place, name in enumerate(facts)}
    bodies = []
    for track, point in places(cells):
        here = sorted((c for c in cells if (c.track, c.point) == (track, point)), key=lambda c: order.get(c.runtime, len(order)))
        lines = [
            _line(c, scale, scales, notes, facts[c.runtime].unit, facts[c.runtime].language) for c in here if c.runtime in facts
        ]
        bodies.append(Body(title=f"{short_point(point)} · {TRACK_TITLES[track]}", track=track, point=point, lines=lines))
    return Table(
        id=f"table-{workload.name}-{metric}",
        title=f"{workload.title}: {title}",
        symbol=scale.symbol,
        direction=direction(cells[0]),
        heads=[(FIGURES[name], scales[name].symbol) for name in names],
        bodies=bodies,
    )


def _scale(name: str, cells: list[Cell], headline: Scale) -> Scale:
    return headline if name in _LIKE_HEADLINE else units.scale_of_estimates((c.figures.get(name) for c in cells), cells[0].unit)


def places(cells: list[Cell]) -> list[tuple[str, str]]:
    """(track, point) of the cells, by tracks and then by the size of the parameters."""

    def size(place: tuple[str, str]) -> tuple[int, list[float], str]:
        sizes = [v for text in parameters(place[1]).values() if (v := number(text)) is not None]
        return (TRACKS.index(place[0]) if place[0] in TRACKS else len(TRACKS), sizes, place[1])

    return sorted({(c.track, c.point) for c in cells}, key=size)


def _line(cell: Cell, scale: Scale, scales: dict[str, Scale], notes: Notes, unit: str, language: str) -> Line:
    return Line(
        key=cell.key,
        runtime=cell.runtime,
        unit=unit,
        language=language,
        anchor=cell_anchor(cell),
        state=state(cell),
        reason=reason(cell),
        typical=_field(MAIN, cell.typical, scale),
        interval=units.show_interval(cell.typical, scale) if cell.typical else "",
        fields=[_beside(name, cell, s) for name, s in scales.items()],
        n=cell.typical.n if cell.typical else 0,
        group=cell.group if cell.trusted else None,
        comparison=compared(cell),
        marks=notes.of_cell.get(cell.key, []),
    )


def state(cell: Cell) -> str:
    """value | flagged | failed | gap; only `value` takes part in groups."""
    return "gap" if cell.gap else "failed" if cell.typical is None else "value" if cell.trusted else "flagged"


def _field(name: str, value: Estimate | None, scale: Scale) -> Field:
    return Field(figure=name, text=units.show(value, scale) if value else units.NONE, raw=value.center if value else None)


def _beside(name: str, cell: Cell, scale: Scale) -> Field:
    """A figure beside the headline; the floor with its digits."""
    value = cell.figures.get(name)
    if name != "floor" or value is None:
        return _field(name, value, scale)
    return Field(figure=name, text=units.show_beside(value, cell.typical, scale), raw=value.center)


def compared(cell: Cell) -> str:
    """Ratio, interval and verdict in words, against the reference of its cell; a number that claims nothing has no verdict."""
    if cell.comparison is None:
        return ""
    one = Scale(1.0, "")
    ratio = cell.comparison.ratio
    within = f" within ±{units.percent(cell.comparison.delta)}" if cell.comparison.verdict == "equal" else ""
    verdict = f"{cell.comparison.verdict}{within}" if cell.claims else "no claim"
    return f"{units.show(ratio, one)} ({units.show_interval(ratio, one)}) {verdict}"
