"""Boxes side by side: only ratios to the reference runtime of each box, never absolute verdicts."""

from __future__ import annotations

from pathlib import Path

from corobench.report.charts.ratios import Ratio, ratio_chart
from corobench.report.charts.style import Chart
from corobench.report.collect import Entry
from corobench.report.drawing import draw
from corobench.report.facts import flat
from corobench.report.headline import Column, columns
from corobench.report.matrix import TRACK_TITLES
from corobench.report.slugs import anchor
from corobench.report.templating import render
from corobench.report.writing import write
from corobench.statistics.values import Cell


def write_boxes(entries: list[Entry], out: Path, pictures: bool) -> Path:
    """boxes.html: facts of each box and the ratios of its newest run that makes claims."""
    newest: dict[str, Entry] = {}
    for entry in entries:
        if entry.box not in newest or (entry.card.claims and not newest[entry.box].card.claims):
            newest[entry.box] = entry
    claiming = [e for e in newest.values() if e.card.claims]
    drawn = draw(charts(claiming) if len(claiming) > 1 else [], out / "boxes", pictures, "ratios to the reference of each box")
    names = list(dict.fromkeys(name for e in newest.values() for name, _ in flat(e.summary.box)))
    facts = [(name, [dict(flat(e.summary.box)).get(name, "") for e in newest.values()]) for name in names]
    page = render(
        "boxes.html.j2",
        depth=0,
        here="boxes.html",
        boxes=list(newest.values()),
        claiming=claiming,
        drawn=list(drawn.values()),
        facts=facts,
    )
    return write(out / "boxes.html", page)


def charts(entries: list[Entry]) -> list[Chart]:
    """A chart a column and track: rows are runtimes, a colour and shape a box."""
    heads = {h.key: h for e in entries for h in columns(e.summary)}
    found = [_chart(head, track, entries) for head in heads.values() for track in TRACK_TITLES]
    return [chart for chart in found if chart is not None]


def _chart(head: Column, track: str, entries: list[Entry]) -> Chart | None:
    ratios: list[Ratio] = []
    references: dict[str, None] = {}
    for series, entry in enumerate(entries):
        for cell in entry.summary.cells:
            if (cell.workload, cell.point, cell.metric, cell.track) == (
                head.workload,
                head.point,
                head.metric,
                track,
            ) and cell.comparison:
                references[cell.comparison.other] = None
                ratios.append(_ratio(cell, entry, series))
    if not ratios:
        return None
    ratios.sort(key=lambda r: r.row)
    title = f"{head.title}, {head.where} · {TRACK_TITLES[track]}: ratio to {' or '.join(references)}"
    caption = "Each box against its own reference, with 95 % intervals. Faint: not ranked in its run." + _units(entries, ratios)
    return ratio_chart(anchor("boxes", head.workload, track), title, caption, ratios, head.better)


def _units(entries: list[Entry], ratios: list[Ratio]) -> str:
    """What each row is a ratio of, where runtimes of unlike units meet."""
    known = {r.name: r.unit for entry in entries for r in entry.summary.runtimes}
    found: dict[str, dict[str, None]] = {}
    for ratio in ratios:
        found.setdefault(known[ratio.row], {})[ratio.row] = None
    words = [f"{unit} ({', '.join(names)})" for unit, names in found.items()]
    return f" Units differ: {'; '.join(words)}." if len(words) > 1 else ""


def _ratio(cell: Cell, entry: Entry, series: int) -> Ratio:
    assert cell.comparison is not None
    note = "" if cell.trusted else "not ranked"
    return Ratio(row=cell.runtime, label=entry.box, value=cell.comparison.ratio, note=note, series=series, sure=cell.trusted)
