"""Charts as Vega-Lite specifications: data and grammar only, rendered when the report is made."""

from __future__ import annotations

from corobench.report.charts.curve import curve_chart
from corobench.report.charts.fit import fit_charts
from corobench.report.charts.position import position_chart, spread_chart
from corobench.report.charts.style import Chart, Palette
from corobench.report.headline import Column
from corobench.statistics.values import Cell


def charts_of(column: Column, cells: list[Cell], colors: Palette) -> list[Chart]:
    """The charts of a workload, chosen by what it yields and not by its name, so that a new workload has charts as well."""
    headline = [c for c in cells if (c.point, c.metric) == (column.point, column.metric)]
    same = [c for c in cells if c.metric == column.metric]
    if any(c.curve for c in headline):
        return [*fit_charts(column, headline, colors), position_chart(column, headline, colors)]
    found = [position_chart(column, headline, colors), spread_chart(column, headline, colors), curve_chart(column, same, colors)]
    return [chart for chart in found if chart is not None]
