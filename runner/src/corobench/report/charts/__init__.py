"""What a workload shows beside its headline: its sweep under other settings, and metrics that have
points of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from corobench.report.charts.base import Chart, Palette
from corobench.report.charts.curves import curve_chart, fit_charts, multiples_chart, scaling_chart
from corobench.report.charts.distributions import mode_charts, percentile_charts
from corobench.report.charts.intervals import million_chart, position_chart, spread_chart
from corobench.report.charts.scenarios import heat_charts, timeline_charts, tradeoff_charts
from corobench.report.headline import Column, holds_a_million, per, usual_point
from corobench.report.sweeps import along, parameters, swept
from corobench.report.units import scale_of_estimates
from corobench.statistics.types import Cell, RunSummary, WorkloadFacts


def other_settings(
    summary: RunSummary, workload: WorkloadFacts, column: Column
) -> Iterator[tuple[Column, str]]:
    """The column at a point of each other setting of a sweeping workload, and in words what tells
    it from the headline's.
    """
    left = [
        c
        for c in summary.cells
        if (c.workload, c.metric) == (workload.name, column.metric) and c.median
    ]
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
    return ", ".join(
        f"{k} = {v}" for k, v in parameters(point).items() if v != known.get(k) and k not in follows
    )


def own_metrics(
    summary: RunSummary, workload: WorkloadFacts, column: Column
) -> Iterator[tuple[Column, list[Cell]]]:
    """The metrics that were not measured at the headline's points, such as differences of two: each
    at its usual point.
    """
    cells = [c for c in summary.cells if c.workload == workload.name]
    headline = {c.point for c in cells if c.metric == column.metric}
    for metric in workload.metrics:
        own = [c for c in cells if c.metric == metric and c.median]
        if own and not headline & {c.point for c in own}:
            point = usual_point(own)
            yield (
                of_metric(workload, column, metric, own, point),
                [c for c in cells if (c.metric, c.point) == (metric, point)],
            )


def of_metric(
    workload: WorkloadFacts, column: Column, metric: str, cells: list[Cell], point: str
) -> Column:
    """A column like the headline's, of another metric of the workload and some point; `cells` have
    its numbers.
    """
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
        scale=scale_of_estimates((c.median for c in cells), cells[0].unit),
    )


def charts_of(
    summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette
) -> Iterator[Chart]:
    """The charts of a workload, chosen by what it yields and not by its name, so that a new
    workload has charts as well.

    The first one is the one that stands for the workload on the first page; what a chart shows, no
    other one repeats.
    """
    same = [c for c in summary.cells if (c.workload, c.metric) == (workload.name, column.metric)]
    headline = [c for c in same if c.point == column.point]
    if any(c.curve for c in headline):
        if any(map(holds_a_million, headline)):
            yield million_chart(column, headline, colors)
        yield from fit_charts(column, headline, colors)
        yield position_chart(column, headline, colors)
        return
    several = multiples_chart(summary, workload, column, colors)
    settings = list(other_settings(summary, workload, column))
    if workload.group != "scenario":
        yield position_chart(column, headline, colors)
        # Of what varies a family the raw values stand at each cell; samples are spread out by their
        # percentiles.
        if workload.name == workload.family and not workload.series:
            yield from _known(spread_chart(column, headline, colors))
        yield from _known(several or curve_chart(column, same, colors))
        yield from _known(scaling_chart(summary, column, same, colors))
    else:
        floor = floor_of(summary, headline)
        if floor:
            yield from _against_floor(summary, workload, column, colors, floor)
        else:
            yield from tradeoff_charts(summary, workload, colors)
        yield from _known(several)
        yield from _known(
            *(multiples_chart(summary, workload, other, colors, words) for other, words in settings)
        )
        yield from [] if workload.curve else _heat(summary, workload, column, colors)
        if not floor:
            yield position_chart(column, headline, colors)
        for own, cells in own_metrics(summary, workload, column):
            yield position_chart(own, cells, colors, own.metric)
    yield from percentile_charts(summary, workload, column, colors)
    yield from mode_charts(summary, workload, column, colors)
    yield from timeline_charts(summary, column, colors)
    for other, words in settings:
        yield from timeline_charts(summary, other, colors, words)


def floor_of(summary: RunSummary, headline: list[Cell]) -> str:
    """The runtime below which no contestant can be: of those that are nothing but a floor in this
    run, where there is one, that with the best number; empty where there is none.
    """
    floors = [c for c in headline if c.lower_bound and c.median]
    contestants = {c.runtime for c in summary.cells if c.median and not c.lower_bound}
    floors = [c for c in floors if c.runtime not in contestants] or floors

    def cost(cell: Cell) -> float:
        assert cell.median is not None
        return cell.median.center * (-1 if cell.better == "higher" else 1)

    return min(floors, key=cost).runtime if floors else ""


def _against_floor(
    summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette, floor: str
) -> Iterator[Chart]:
    """The headline, and the first metric whose better end is the other one: requests a second, and
    what a request costs.
    """
    here = [c for c in summary.cells if (c.workload, c.point) == (workload.name, column.point)]
    measured = {m: [c for c in here if c.metric == m and c.median] for m in workload.metrics}
    other = next((m for m, own in measured.items() if own and own[0].better != column.better), None)
    for metric in filter(None, (column.metric, other)):
        yield position_chart(
            of_metric(workload, column, metric, measured[metric], column.point),
            [c for c in here if c.metric == metric],
            colors,
            *([metric] if metric != column.metric else []),
            floor=floor,
        )


def _heat(
    summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette
) -> Iterator[Chart]:
    """Of each metric of the headline's points that should be low: what is better the higher is the
    inverse of one of them.
    """
    for metric in workload.metrics:
        cells = [c for c in summary.cells if (c.workload, c.metric) == (workload.name, metric)]
        measured = [c for c in cells if c.median]
        if any(c.point == column.point and c.better == "lower" for c in measured):
            yield from heat_charts(
                of_metric(workload, column, metric, measured, column.point), cells, colors
            )


def _known(*charts: Chart | None) -> Iterator[Chart]:
    return (chart for chart in charts if chart is not None)
