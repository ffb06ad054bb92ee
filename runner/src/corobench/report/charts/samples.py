"""The samples of a workload's cases, all invocations of a case together, each case with what tells it in a chart."""

from __future__ import annotations

import msgspec

from corobench.distribution import Distribution
from corobench.model import TRACKS
from corobench.report import units
from corobench.report.charts.style import Palette
from corobench.report.headline import Column, usual_point
from corobench.report.units import Scale, scale_of
from corobench.statistics.values import Cell, RunSummary


class Sampled(msgspec.Struct, frozen=True, kw_only=True):
    """A case of a chart: `label` names it, with its track where that is not one CPU; `cell` is its headline."""

    label: str
    runtime: str
    case: str
    cell: Cell


Found = list[tuple[Sampled, Distribution]]


def scale_over(found: Found) -> Scale:
    """The unit in which the middle and the tail of all of them read best."""
    return scale_of([samples.quantile(q) for _, samples in found for q in (0.5, 0.999)], "s")


def at_samples(summary: RunSummary, column: Column, series: str) -> Column:
    """The column at its own point where a series has samples there, else at the usual one of the points that have some.

    A metric that has no number there, as a percentile of another series, gives way to the first that has.
    """
    cells = [c for c in summary.cells if c.workload == column.workload and c.typical and _has(summary, c, series)]
    if not cells or any(c.point == column.point for c in cells):
        return column
    metric = next((c.metric for c in cells if c.metric == column.metric), cells[0].metric)
    return msgspec.structs.replace(column, metric=metric, point=usual_point(c for c in cells if c.metric == metric))


def samples_of(summary: RunSummary, column: Column, series: str, colors: Palette) -> Found:
    """The cases of a column that have samples of a series."""
    return [
        (one, samples)
        for one in sampled(summary, column, colors)
        if (samples := summary.distributions.get(one.case, {}).get(series)) and samples.count
    ]


def sampled(summary: RunSummary, column: Column, colors: Palette) -> list[Sampled]:
    """What a column has, track by track."""
    place = (column.workload, column.point, column.metric)
    cells = {(c.track, c.runtime): c for c in summary.cells if (c.workload, c.point, c.metric) == place}
    return [
        Sampled(
            label=name if track == "one-cpu" else f"{name}, all CPUs",
            runtime=name,
            case=_case(cells[track, name]),
            cell=cells[track, name],
        )
        for track in TRACKS
        for name in colors.names
        if (track, name) in cells
    ]


def _has(summary: RunSummary, cell: Cell, series: str) -> bool:
    found = summary.distributions.get(_case(cell), {}).get(series)
    return found is not None and found.count > 0


def _case(cell: Cell) -> str:
    return "/".join((cell.workload, cell.point, cell.track, cell.runtime))


def shown(value: float, factor: float) -> str:
    """A single value in another unit."""
    return units.plain(value / factor, units.decimals(value / factor, 0))
