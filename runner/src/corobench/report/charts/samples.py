"""The samples of a workload's cases, all invocations of a case together, each case with what tells it in a chart."""

from __future__ import annotations

import msgspec

from corobench.distribution import Distribution
from corobench.model import TRACKS
from corobench.report import units
from corobench.report.charts.style import Palette
from corobench.report.headline import Column
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
            case="/".join((column.workload, column.point, track, name)),
            cell=cells[track, name],
        )
        for track in TRACKS
        for name in colors.names
        if (track, name) in cells
    ]


def shown(value: float, factor: float) -> str:
    """A single value in another unit."""
    return units.plain(value / factor, units.decimals(value / factor, 0))
