"""What changes with time: the cases of a workload over the runs of each box, and the versions of a
runtime side by side. Nothing is joined across a change of the box.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import msgspec

from corobench.report import runs
from corobench.report.charts import base, of_metric
from corobench.report.charts.base import Chart, Palette
from corobench.report.charts.intervals import Moment, history_chart
from corobench.report.charts.versions import Release, Row, lines, rows_of, versions_chart
from corobench.report.headline import QUESTIONS, Column, column, family_order, short_point
from corobench.report.render import draw, render
from corobench.report.runs import Entry, header, recent, write
from corobench.report.tables import places
from corobench.report.text import TRACK_TITLES, anchor, slug
from corobench.report.units import scale_of_estimates
from corobench.report.view import presentable
from corobench.statistics import environment
from corobench.statistics.types import Cell, Difference, WorkloadFacts

MOST = 24  # runs of a box that a chart has room for; the others are on the first page
_SHOWN = 3
_LEAST = 2  # a single run is on its own page


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A case over the runs of a box. `key` is the same on every box; only the cases of the
    headline's metric are drawn.
    """

    key: str
    title: str
    chart: Chart
    drawn: bool


def write_history(entries: list[Entry], out: Path, pictures: bool) -> list[Path]:
    """history.html and a page for each workload that a box measured more than once."""
    claiming = recent([entry for entry in entries if entry.card.claims], MOST)[::-1]
    boxes = {
        box: [e for e in claiming if e.box == box] for box in dict.fromkeys(e.box for e in entries)
    }
    eras = {box: changes(found) for box, found in boxes.items()}
    workloads = {
        w.name: w
        for found in boxes.values()
        if len(found) >= _LEAST
        for e in found
        for w in e.summary.workloads
    }
    pages, listed = [], []
    for workload in sorted(workloads.values(), key=lambda w: (family_order(w.family), w.name)):
        sections = {
            box: found
            for box, runs in boxes.items()
            if (found := _cases(box, runs, eras[box], workload))
        }
        if sections:
            pages.append(_write(workload, sections, out, pictures))
            listed.append(
                {"href": _href(workload), "title": workload.title, "question": workload.question}
            )
    overview = [_box(box, found, eras[box]) for box, found in boxes.items()]
    page = render(
        "history.html.j2", depth=0, here="history.html", workloads=listed, boxes=overview, most=MOST
    )
    return [*pages, write(out / "history.html", page)]


def _href(workload: WorkloadFacts) -> str:
    return f"history/{slug(workload.name)}.html"


def _write(
    workload: WorkloadFacts, sections: dict[str, list[Case]], out: Path, pictures: bool
) -> Path:
    charts = [case.chart for cases in sections.values() for case in cases if case.drawn]
    body = render(
        "history_case.html.j2",
        depth=1,
        here="history.html",
        workload=workload,
        sections=sections,
        cases={case.key: case.title for cases in sections.values() for case in cases},
        drawn=draw(charts, out / "history" / slug(workload.name), pictures, "history"),
        base=slug(workload.name) + "/",
    )
    return write(out / _href(workload), body)


def changes(runs: list[Entry]) -> list[list[Difference]]:
    """For each run, oldest first, what confounds it with the one before; nothing for the first."""
    found: list[list[Difference]] = [[]]
    for before, after in itertools.pairwise(runs):
        differences = environment.differences(header(before), header(after))
        found.append([d for d in differences if d.kind == "confounding"])
    return found[: len(runs)]


def _cases(
    box: str, runs: list[Entry], confounders: list[list[Difference]], workload: WorkloadFacts
) -> list[Case]:
    """The headline first, then the other points of its metric, then the other metrics."""
    cells = [c for e in runs for c in e.summary.cells if c.workload == workload.name and c.median]
    if not cells:
        return []
    head = column(msgspec.structs.replace(runs[-1].summary, cells=cells), workload)
    if head is None:
        return []
    wanted = [
        (metric, track, point)
        for metric in workload.metrics
        for track, point in places(_of(cells, metric))
    ]
    wanted.sort(key=lambda w: (w[0] != head.metric, w[2] != head.point))
    spoilt = [
        [d.key for d in changed if not d.workloads or workload.name in d.workloads]
        for changed in confounders
    ]
    found = []
    for metric, track, point in wanted:
        own = (
            of_metric(workload, head, metric, _of(cells, metric), point)
            if metric != head.metric
            else head
        )
        moments = _moments(runs, spoilt, (workload.name, point, metric, track))
        if len(moments) >= _LEAST:
            title = f"{metric}, {short_point(point)}, {TRACK_TITLES[track]}"
            chart = _chart(box, runs, moments, msgspec.structs.replace(own, point=point), track)
            found.append(
                Case(
                    key=f"{metric}/{point}/{track}",
                    title=title,
                    chart=chart,
                    drawn=metric == head.metric,
                )
            )
    return found


def _of(cells: list[Cell], metric: str) -> list[Cell]:
    return [c for c in cells if c.metric == metric]


def _moments(
    runs: list[Entry], confounders: list[list[str]], place: tuple[str, str, str, str]
) -> list[Moment]:
    moments, era = [], 0
    for entry, changed in zip(runs, confounders, strict=True):
        era += bool(changed)
        cells = {
            c.runtime: c
            for c in entry.summary.cells
            if (c.workload, c.point, c.metric, c.track) == place and c.median
        }
        if cells:
            words = ", ".join(changed[:_SHOWN]) + (
                f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
            )
            moments.append(
                Moment(
                    name=entry.name,
                    created=entry.summary.created,
                    era=era,
                    change=words,
                    cells=cells,
                )
            )
    return moments


def _chart(box: str, runs: list[Entry], moments: list[Moment], head: Column, track: str) -> Chart:
    known = {r.name: r for entry in reversed(runs) for r in entry.summary.runtimes}
    scaled = msgspec.structs.replace(
        head,
        scale=scale_of_estimates((c.median for m in moments for c in m.cells.values()), head.unit),
    )
    title = f"{head.title}, {short_point(head.point)} · {TRACK_TITLES[track]} · {box}"
    colors = Palette(
        names=list(known),
        units={name: runtime.unit for name, runtime in known.items()},
        languages={name: runtime.language for name, runtime in known.items()},
    )
    return history_chart(
        anchor(box, head.workload, head.metric, head.point, track), title, scaled, moments, colors
    )


def _box(box: str, runs: list[Entry], confounders: list[list[Difference]]) -> dict[str, Any]:
    rows = [
        {
            "href": e.place + "index.html",
            "name": e.name,
            "date": e.card.created[:10],
            "commit": e.card.commit[:10],
            "change": ", ".join(d.key for d in c)
            or ("nothing that was recorded" if place else "the first run here"),
        }
        for place, (e, c) in enumerate(zip(runs, confounders, strict=True))
    ]
    return {"box": box, "rows": rows[::-1]}


_LEAST_VERSIONS = 2  # versions of a line with a number


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
            numbers = {
                e.key: _with_number(e, workload, found[e.key].get(title, [])) for e in usable
            }
            entry = max(usable, key=lambda e: numbers[e.key])
            if numbers[entry.key] >= _LEAST_VERSIONS:
                band = rows[-1].band + 1 if rows else 0
                releases = found[entry.key][title]
                shown = presentable(entry.summary)
                rows += rows_of(shown, entry.name, workload, releases, band)
        if rows:
            charts.append(_versions_chart(usable, workload, rows))
    return charts


def _with_number(entry: Entry, workload: str, releases: list[Release]) -> int:
    """How many of them have a number in a run."""
    measured = entry.card.measured.get(workload, [])
    return sum(release.runtime in measured for release in releases)


def _versions_chart(usable: list[Entry], workload: str, rows: list[Row]) -> Chart:
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
