"""What a workload shows beside its headline: its sweep under other settings, and metrics that have points of their own."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from corobench.report.headline import Column, per, usual_point
from corobench.report.sweep import along, parameters, swept
from corobench.report.units import scale_of_estimates
from corobench.statistics.values import Cell, RunSummary, WorkloadFacts


def other_settings(summary: RunSummary, workload: WorkloadFacts, column: Column) -> Iterator[tuple[Column, str]]:
    """The column at a point of each other setting of a sweeping workload, and in words what tells it from the headline's."""
    left = [c for c in summary.cells if (c.workload, c.metric) == (workload.name, column.metric) and c.typical]
    key = swept(left, workload.curve) if workload.curve else None
    if key is None:
        return
    follows = _moving(along(left, column.point, key))
    left = _without(left, column.point, key)
    while left:
        point = usual_point(left)
        yield msgspec.structs.replace(column, point=point), _different(column.point, point, follows)
        left = _without(left, point, key)


def _without(cells: list[Cell], point: str, key: str) -> list[Cell]:
    taken = {point, *(c.point for c in along(cells, point, key))}
    return [c for c in cells if c.point not in taken]


def _moving(cells: list[Cell]) -> set[str]:
    """The parameters that are not the same in all of these."""
    points = [parameters(c.point) for c in cells]
    return {key for point in points for key in point if point[key] != points[0].get(key)}


def _different(usual: str, point: str, follows: set[str]) -> str:
    known = parameters(usual)
    return ", ".join(f"{k} = {v}" for k, v in parameters(point).items() if v != known.get(k) and k not in follows)


def own_metrics(summary: RunSummary, workload: WorkloadFacts, column: Column) -> Iterator[tuple[Column, list[Cell]]]:
    """The metrics that were not measured at the headline's points, such as differences of two: each at its usual point."""
    cells = [c for c in summary.cells if c.workload == workload.name]
    headline = {c.point for c in cells if c.metric == column.metric}
    for metric in workload.metrics:
        own = [c for c in cells if c.metric == metric and c.typical]
        if own and not headline & {c.point for c in own}:
            point = usual_point(own)
            yield of_metric(workload, column, metric, own, point), [c for c in cells if (c.metric, c.point) == (metric, point)]


def of_metric(workload: WorkloadFacts, column: Column, metric: str, cells: list[Cell], point: str) -> Column:
    """A column like the headline's, of another metric of the workload and some point; `cells` have its numbers."""
    title = workload.metrics[metric]
    return msgspec.structs.replace(
        column,
        metric=metric,
        title=f"{workload.title}, {title}",
        point=point,
        unit=cells[0].unit,
        per=per(title),
        what=title,
        better=cells[0].better,
        scale=scale_of_estimates((c.typical for c in cells), cells[0].unit),
    )
