"""A workload over the runs of each box. Nothing is joined across a change of the box."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import msgspec

from corobench.report.charts.history import Moment, history_chart
from corobench.report.charts.style import Chart, Palette
from corobench.report.collect import Entry, header, recent
from corobench.report.drawing import draw
from corobench.report.headline import Column, column, family_order
from corobench.report.matrix import TRACK_TITLES
from corobench.report.slugs import anchor, slug
from corobench.report.templating import render
from corobench.report.units import scale_of_estimates
from corobench.report.writing import write
from corobench.statistics import environment

MOST = 24  # runs of a box that a chart has room for; the others are on the first page
_SHOWN = 3
_LEAST = 2  # a single run is on its own page


def write_history(entries: list[Entry], out: Path, pictures: bool) -> list[Path]:
    """history.html and a page for each workload that a box measured more than once."""
    claiming = recent([entry for entry in entries if entry.card.claims], MOST)[::-1]
    boxes = {box: [e for e in claiming if e.box == box] for box in dict.fromkeys(e.box for e in entries)}
    eras = {box: changes(found) for box, found in boxes.items()}
    workloads = {w.name: w for found in boxes.values() if len(found) >= _LEAST for e in found for w in e.summary.workloads}
    pages, listed = [], []
    for workload in sorted(workloads.values(), key=lambda w: (family_order(w.family), w.name)):
        sections = []
        for box, found in boxes.items():
            charts = _charts(box, found, eras[box], workload.name)
            if charts:
                sections.append((box, charts))
        if not sections:
            continue
        name = f"history/{slug(workload.name)}.html"
        drawn = draw([c for _, charts in sections for c in charts], out / "history" / slug(workload.name), pictures, "history")
        shown = [{"box": box, "charts": [drawn[c.id] for c in charts]} for box, charts in sections]
        body = render(
            "history_case.html.j2",
            depth=1,
            here="history.html",
            workload=workload,
            sections=shown,
            base=slug(workload.name) + "/",
        )
        pages.append(write(out / name, body))
        listed.append({"href": name, "title": workload.title, "question": workload.question})
    overview = [_box(box, found, eras[box]) for box, found in boxes.items()]
    page = render("history.html.j2", depth=0, here="history.html", workloads=listed, boxes=overview, most=MOST)
    return [*pages, write(out / "history.html", page)]


def changes(runs: list[Entry]) -> list[list[str]]:
    """For each run, oldest first, what confounds it with the one before; nothing for the first."""
    found: list[list[str]] = [[]]
    for before, after in itertools.pairwise(runs):
        differences = environment.differences(header(before), header(after))
        found.append([d.key for d in differences if d.kind == "confounding"])
    return found[: len(runs)]


def _charts(box: str, runs: list[Entry], confounders: list[list[str]], workload: str) -> list[Chart]:
    newest = next((e for e in reversed(runs) if any(w.name == workload for w in e.summary.workloads)), None)
    facts = next((w for w in newest.summary.workloads if w.name == workload), None) if newest else None
    head = column(newest.summary, facts) if newest and facts else None
    if head is None:
        return []
    return [c for track in TRACK_TITLES if (c := _chart(box, runs, confounders, head, track)) is not None]


def _chart(box: str, runs: list[Entry], confounders: list[list[str]], head: Column, track: str) -> Chart | None:
    moments, era = [], 0
    names = {r.name: r.unit for entry in reversed(runs) for r in entry.summary.runtimes}  # the newest run decides the colours
    for entry, changed in zip(runs, confounders, strict=True):
        era += bool(changed)
        place = (head.workload, head.point, head.metric, track)
        cells = {c.runtime: c for c in entry.summary.cells if (c.workload, c.point, c.metric, c.track) == place and c.typical}
        if cells:
            words = ", ".join(changed[:_SHOWN]) + (f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else "")
            moments.append(Moment(name=entry.name, created=entry.summary.created, era=era, change=words, cells=cells))
    if len(moments) < _LEAST:
        return None
    scaled = msgspec.structs.replace(
        head, scale=scale_of_estimates((c.typical for m in moments for c in m.cells.values()), head.unit)
    )
    title = f"{head.title}, {head.where} · {TRACK_TITLES[track]} · {box}"
    colors = Palette(names=list(names), units=names)
    return history_chart(anchor(box, head.workload, track), title, scaled, moments, colors)


def _box(box: str, runs: list[Entry], confounders: list[list[str]]) -> dict[str, Any]:
    rows = [
        {
            "href": e.place + "index.html",
            "name": e.name,
            "date": e.card.created[:10],
            "commit": e.card.commit[:10],
            "change": ", ".join(c),
        }
        for e, c in zip(runs, confounders, strict=True)
    ]
    return {"box": box, "rows": rows[::-1]}
