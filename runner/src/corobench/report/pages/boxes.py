"""Boxes side by side: only ratios to the reference runtime of each box, never absolute verdicts."""

from __future__ import annotations

from pathlib import Path

import msgspec

from corobench.report.charts.ratios import Ratio, ratio_chart
from corobench.report.charts.says import says
from corobench.report.charts.style import Chart
from corobench.report.collect import Entry
from corobench.report.drawing import draw
from corobench.report.facts import flat
from corobench.report.headline import Column, column, family_order
from corobench.report.matrix import TRACK_TITLES
from corobench.report.newest import Told, claiming_first
from corobench.report.slugs import anchor
from corobench.report.templating import render
from corobench.report.writing import write
from corobench.statistics.values import Cell

_LEAST = 2  # boxes, below which nothing stands beside anything


def write_boxes(entries: list[Entry], told: list[Told], out: Path, pictures: bool) -> Path:
    """boxes.html: facts of each box, and the newest ratio of each case there that a run with claims has."""
    shown: dict[str, Entry] = {}
    for entry in claiming_first(entries):
        shown.setdefault(entry.box, entry)
    boxes = [shown[box] for box in dict.fromkeys(e.box for e in entries)]
    claiming = [e for e in boxes if e.card.claims]
    drawn = draw(charts(told) if len(claiming) >= _LEAST else [], out / "boxes", pictures, "ratios to the reference of each box")
    names = list(dict.fromkeys(name for e in boxes for name, _ in flat(e.summary.box)))
    facts = [(name, [dict(flat(e.summary.box)).get(name, "") for e in boxes]) for name in names]
    page = render(
        "boxes.html.j2", depth=0, here="boxes.html", boxes=boxes, claiming=claiming, drawn=list(drawn.values()), facts=facts
    )
    return write(out / "boxes.html", page)


def charts(told: list[Told]) -> list[Chart]:
    """A chart for each workload and track: rows are runtimes, a colour and shape a box; of what several boxes have."""
    compared = _shared([one for one in told if one.entry.card.claims and one.cell.comparison])
    boxes = {box: place for place, box in enumerate(dict.fromkeys(one.entry.box for one in compared))}
    found = [
        _chart(
            head, track, [one for one in compared if _place(one.cell) == (head.workload, head.point, head.metric, track)], boxes
        )
        for head in _heads(compared)
        for track in TRACK_TITLES
    ]
    return [chart for chart in found if chart is not None]


def _shared(told: list[Told]) -> list[Told]:
    """Those of a case that another box has as well."""
    boxes: dict[str, set[str]] = {}
    for one in told:
        boxes.setdefault(one.cell.key, set()).add(one.entry.box)
    return [one for one in told if len(boxes[one.cell.key]) >= _LEAST]


def _heads(told: list[Told]) -> list[Column]:
    """The headline of each workload over all boxes, so that one point stands for it on each."""
    runs = list({one.entry.key: one.entry for one in told}.values())
    workloads = {w.name: (entry, w) for entry in reversed(runs) for w in entry.summary.workloads}
    cells = [one.cell for one in told]
    merged = {name: (msgspec.structs.replace(e.summary, cells=cells, workloads=[w]), w) for name, (e, w) in workloads.items()}
    heads = [column(*merged[name]) for name in sorted(merged, key=lambda name: (family_order(merged[name][1].family), name))]
    return [head for head in heads if head is not None]


def _place(cell: Cell) -> tuple[str, str, str, str]:
    return cell.workload, cell.point, cell.metric, cell.track


def _chart(head: Column, track: str, told: list[Told], boxes: dict[str, int]) -> Chart | None:
    if len({one.entry.box for one in told}) < _LEAST:
        return None
    references = dict.fromkeys(one.cell.comparison.other for one in told if one.cell.comparison)
    ratios = sorted((_ratio(one, boxes[one.entry.box]) for one in told), key=lambda r: (r.row, r.series))
    title = f"{head.title}, {head.where} · {TRACK_TITLES[track]}: ratio to {' or '.join(references)}"
    caption = "Each box against its own reference, with 95 % intervals. Hollow and faint: not ranked in its run."
    return ratio_chart(
        anchor("boxes", head.workload, track), title, caption + _units(told), ratios, head.better, row="Runtime", label="Box"
    )


def _units(told: list[Told]) -> str:
    """What each row is a ratio of, where runtimes of unlike units meet."""
    found: dict[str, dict[str, None]] = {}
    for one in told:
        unit = next(r.unit for r in one.entry.summary.runtimes if r.name == one.cell.runtime)
        found.setdefault(unit, {})[one.cell.runtime] = None
    words = [f"{unit} ({', '.join(sorted(names))})" for unit, names in found.items()]
    return f" Units differ: {'; '.join(words)}." if len(words) > 1 else ""


def _ratio(one: Told, series: int) -> Ratio:
    assert one.cell.comparison is not None
    note = "; ".join(part for part in (says(one.cell), f"run {one.entry.name}") if part)
    value = one.cell.comparison.ratio
    return Ratio(row=one.cell.runtime, label=one.entry.box, value=value, note=note, series=series, sure=one.cell.trusted)
