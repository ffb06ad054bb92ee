"""Charts as Vega-Lite specifications: data and grammar only, rendered when the report is made."""

from __future__ import annotations

from corobench.report.charts.curve import curve_chart
from corobench.report.charts.fit import fit_charts
from corobench.report.charts.heat import heat_charts
from corobench.report.charts.multiples import multiples_chart
from corobench.report.charts.percentiles import percentile_charts
from corobench.report.charts.position import position_chart, spread_chart
from corobench.report.charts.style import Chart, Palette
from corobench.report.charts.timeline import timeline_charts
from corobench.report.charts.tradeoff import tradeoff_chart
from corobench.report.headline import Column
from corobench.statistics.values import RunSummary, WorkloadFacts


def charts_of(summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette) -> list[Chart]:
    """The charts of a workload, chosen by what it yields and not by its name, so that a new workload has charts as well.

    The first one is the one that stands for the workload on the first page.
    """
    same = [c for c in summary.cells if (c.workload, c.metric) == (workload.name, column.metric)]
    headline = [c for c in same if c.point == column.point]
    position, spread = position_chart(column, headline, colors), spread_chart(column, headline, colors)
    if any(c.curve for c in headline):
        return [*fit_charts(column, headline, colors), position]
    if workload.group == "core":
        over = [multiples_chart(summary, workload, column, colors) or curve_chart(column, same, colors)]
        first: list[Chart | None] = [position, spread]
    else:
        over = [tradeoff_chart(summary, workload, colors), multiples_chart(summary, workload, column, colors)]
        first, over = [*over, *([] if workload.curve else heat_charts(column, same, colors))], [position, spread]
    samples = [*percentile_charts(summary, column, colors), *timeline_charts(summary, column, colors)]
    return [chart for chart in (*first, *over, *samples) if chart is not None]
