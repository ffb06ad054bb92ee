"""The versions of each runtime side by side, for the first page."""

from __future__ import annotations

import msgspec

from corobench.report import runs
from corobench.report.answer import QUESTIONS
from corobench.report.charts import base
from corobench.report.charts.base import Chart
from corobench.report.charts.versions import Release, Row, lines, rows_of, versions_chart
from corobench.report.runs import Entry
from corobench.report.view import presentable

_LEAST = 2  # versions of a line with a number


def version_charts(entries: list[Entry], first: Entry) -> list[Chart]:
    """A chart for each question of the first page, of the box and the claims of its run.

    Each line is from the newest run that has most of its versions: a ratio needs both in one run.
    """
    usable = [e for e in entries if e.box == first.box and e.card.claims == first.card.claims]
    found = {entry.key: lines(runs.header(entry).runtimes) for entry in usable}
    titles = sorted({title for known in found.values() for title in known}, key=str.lower)
    charts = []
    for workload in QUESTIONS:
        rows: list[Row] = []
        for title in titles:
            entry = max(
                usable, key=lambda e: len(_measured(e, workload, found[e.key].get(title, [])))
            )
            releases = found[entry.key].get(title, [])
            if len(_measured(entry, workload, releases)) >= _LEAST:
                band = rows[-1].band + 1 if rows else 0
                shown = presentable(entry.summary)
                rows += rows_of(shown, entry.name, workload, releases, band)
        if rows:
            charts.append(_chart(usable, workload, rows))
    return charts


def _measured(entry: Entry, workload: str, releases: list[Release]) -> list[str]:
    measured = entry.card.measured.get(workload, [])
    return [release.runtime for release in releases if release.runtime in measured]


def _chart(usable: list[Entry], workload: str, rows: list[Row]) -> Chart:
    """With the colours that the runtimes have on the pages of their own runs."""
    summaries = {e.name: e.summary for e in usable if e.name in {row.run for row in rows}}
    facts = next(
        w for summary in summaries.values() for w in summary.workloads if w.name == workload
    )
    palettes = [base.palette(summary) for summary in summaries.values()]
    colors = msgspec.structs.replace(
        palettes[0],
        names=[name for one in palettes for name in one.names],
        units={name: unit for one in palettes for name, unit in one.units.items()},
        languages={name: language for one in palettes for name, language in one.languages.items()},
    )
    return versions_chart(facts, rows, colors)
