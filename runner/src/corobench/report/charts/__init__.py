"""Charts as Vega-Lite specifications: data and grammar only, rendered when the report is made."""

from __future__ import annotations

from collections.abc import Iterator

from corobench.report.charts.beside import of_metric, other_settings, own_metrics
from corobench.report.charts.curve import curve_chart
from corobench.report.charts.fit import fit_charts
from corobench.report.charts.heat import heat_charts
from corobench.report.charts.modes import mode_charts
from corobench.report.charts.multiples import multiples_chart
from corobench.report.charts.percentiles import percentile_charts
from corobench.report.charts.position import position_chart, spread_chart
from corobench.report.charts.style import Chart, Palette
from corobench.report.charts.timeline import timeline_charts
from corobench.report.charts.tradeoff import tradeoff_charts
from corobench.report.headline import Column
from corobench.statistics.values import RunSummary, WorkloadFacts


def charts_of(summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette) -> Iterator[Chart]:
    """The charts of a workload, chosen by what it yields and not by its name, so that a new workload has charts as well.

    The first one is the one that stands for the workload on the first page; what a chart shows, no other one repeats.
    """
    same = [c for c in summary.cells if (c.workload, c.metric) == (workload.name, column.metric)]
    headline = [c for c in same if c.point == column.point]
    if any(c.curve for c in headline):
        yield from fit_charts(column, headline, colors)
        yield position_chart(column, headline, colors)
        return
    several = multiples_chart(summary, workload, column, colors)
    settings = list(other_settings(summary, workload, column))
    if workload.group == "core":
        yield position_chart(column, headline, colors)
        # Of what varies a family the raw values stand at each cell; samples are spread out by their percentiles.
        if workload.name == workload.family and not workload.series:
            yield from _known(spread_chart(column, headline, colors))
        yield from _known(several or curve_chart(column, same, colors))
    else:
        yield from tradeoff_charts(summary, workload, colors)
        yield from _known(several)
        yield from _known(*(multiples_chart(summary, workload, other, colors, words) for other, words in settings))
        yield from [] if workload.curve else _heat(summary, workload, column, colors)
        yield position_chart(column, headline, colors)
        for own, cells in own_metrics(summary, workload, column):
            yield position_chart(own, cells, colors, own.metric)
    yield from percentile_charts(summary, workload, column, colors)
    yield from mode_charts(summary, workload, column, colors)
    yield from timeline_charts(summary, column, colors)
    for other, words in settings:
        yield from timeline_charts(summary, other, colors, words)


def _heat(summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette) -> Iterator[Chart]:
    """Of each metric of the headline's points that should be low: what is better the higher is the inverse of one of them."""
    for metric in workload.metrics:
        cells = [c for c in summary.cells if (c.workload, c.metric) == (workload.name, metric)]
        measured = [c for c in cells if c.typical]
        if any(c.point == column.point and c.better == "lower" for c in measured):
            yield from heat_charts(of_metric(workload, column, metric, measured, column.point), cells, colors)


def _known(*charts: Chart | None) -> Iterator[Chart]:
    return (chart for chart in charts if chart is not None)
