"""One table for a workload of many metrics: a row a case, a column a metric, so that what belongs together stands together."""

from __future__ import annotations

import msgspec

from corobench.report import units
from corobench.report.headline import short_point
from corobench.report.matrix import TRACK_TITLES, cell_anchor
from corobench.report.notes import Notes, reason
from corobench.report.tables import compared, places, state
from corobench.report.units import Scale
from corobench.report.wording import direction
from corobench.statistics.values import Cell, RunSummary, RuntimeFacts, WorkloadFacts


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A metric of a case: as shown, and raw in base units. `state` as in the matrix; `reason`: why it isn't ranked, or is none.

    `beside`: its n, and the ratio to the reference with the verdict.
    """

    metric: str
    state: str
    text: str
    interval: str
    raw: float | None
    group: int | None
    reason: str = ""
    beside: list[str] = []
    marks: list[int] = []


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A case. `reason` says why it has no number at all."""

    case: str
    runtime: RuntimeFacts
    anchor: str
    parts: list[Part]
    reason: str
    marks: list[int] = []


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """The cases of one point on one track."""

    title: str
    track: str
    lines: list[Line]


class Wide(msgspec.Struct, frozen=True, kw_only=True):
    """All metrics of a workload; `heads`: title, symbol and direction of each column."""

    id: str
    title: str
    heads: list[tuple[str, str, str]]
    bodies: list[Body]


def is_wide(workload: WorkloadFacts, cells: list[Cell]) -> bool:
    """Whether its numbers are many metrics of a case and not figures beside one headline."""
    return len(workload.metrics) > 1 and not any(c.figures or c.curve for c in cells)


def wide_table(summary: RunSummary, workload: WorkloadFacts, cells: list[Cell], notes: Notes) -> Wide:
    """The table of a workload's cells, rows in the order of the runtimes."""
    found = {m: [c for c in cells if c.metric == m] for m in workload.metrics}
    scales = {m: units.scale_of_estimates((c.typical for c in here), here[0].unit) for m, here in found.items() if here}
    cases: dict[tuple[str, str, str], dict[str, Cell]] = {}
    for cell in cells:
        cases.setdefault((cell.track, cell.point, cell.runtime), {})[cell.metric] = cell
    bodies = []
    for track, point in places(cells):
        here = [(r, case) for r in summary.runtimes if (case := cases.get((track, point, r.name)))]
        lines = [_line(runtime, case, scales, notes) for runtime, case in here]
        bodies.append(Body(title=f"{short_point(point)} · {TRACK_TITLES[track]}", track=track, lines=lines))
    return Wide(
        id=f"table-{workload.name}",
        title=f"{workload.title}: every metric, with its interval, n, and the ratio to the reference",
        heads=[(workload.metrics[m], scale.symbol, direction(found[m][0])) for m, scale in scales.items()],
        bodies=bodies,
    )


def _line(runtime: RuntimeFacts, case: dict[str, Cell], scales: dict[str, Scale], notes: Notes) -> Line:
    first = next(iter(case.values()))
    measured = any(c.typical for c in case.values())
    return Line(
        case=first.key.removesuffix(f"/{first.metric}"),
        runtime=runtime,
        anchor=cell_anchor(first),
        parts=[_part(m, case.get(m), scale, notes) for m, scale in scales.items()] if measured else [],
        reason="" if measured else reason(first) or "no number",
        marks=[] if measured else sorted({mark for c in case.values() for mark in notes.of_cell.get(c.key, [])}),
    )


def _part(metric: str, cell: Cell | None, scale: Scale, notes: Notes) -> Part:
    if cell is None or cell.typical is None:
        why = reason(cell) if cell else "no number at this point"
        marks = notes.of_cell.get(cell.key, []) if cell else []
        return Part(metric=metric, state="none", text=units.NONE, interval="", raw=None, group=None, reason=why, marks=marks)
    return Part(
        metric=metric,
        state=state(cell),
        text=units.show(cell.typical, scale),
        interval=units.show_interval(cell.typical, scale),
        raw=cell.typical.center,
        group=cell.group if cell.trusted else None,
        reason="" if cell.trusted else reason(cell),
        beside=[f"n = {cell.typical.n}", compared(cell) if cell.trusted else "not ranked"],
        marks=notes.of_cell.get(cell.key, []),
    )
