"""The page of a run, the page of its cells, and the files beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from corobench import store
from corobench.report import exports, reproduce, units, view
from corobench.report.collect import Entry
from corobench.report.drawing import Drawn, File, draw
from corobench.report.reproduce import Recipe
from corobench.report.slugs import slug
from corobench.report.templating import render, show
from corobench.report.view import Part, RunView
from corobench.report.writing import write
from corobench.statistics.values import Estimate, RunSummary

PAGES = ("index.html", "cells.html")
# A red flag's name, for those who don't know it.
RED_FLAGS = {
    "wide": "wide interval",
    "few": "few blocks",
    "steal": "CPU time taken by the hypervisor",
    "other-cpu": "other programs ran",
    "drift": "drift",
    "modes": "two modes",
    "control": "the reference differs from itself",
}
KINDS = {"runtime": "runtime", "note": "note", "red": "not ranked", "amber": "caution", "failed": "failed", "gap": "no number"}


def write_run(entry: Entry, out: Path, pictures: bool) -> None:
    """Everything of a run: page, cells, charts, summary and exports, in its own folder of the site."""
    run = store.read(entry.folder)
    folder = out / entry.place
    folder.mkdir(parents=True, exist_ok=True)
    shown = view.make_view(entry.box, entry.name, entry.summary)
    downloads = exports.write_all(run, entry.summary, folder)
    drawn = draw(_charts(shown), folder, pictures, stamp(entry))
    values = {**page_values(shown, drawn, downloads), "base": "", "brief": False}
    recipes, origin = _by_runtime(entry.summary, run), reproduce.origin(entry.summary, run.header)
    cells = render("cells.html.j2", depth=3, view=shown, quick=shown.quick, recipes=recipes, origin=origin)
    write(folder / "index.html", render("run.html.j2", depth=3, **values))
    write(folder / "cells.html", cells)


def _by_runtime(summary: RunSummary, run: store.Run) -> dict[str, list[Recipe]]:
    found: dict[str, list[Recipe]] = {}
    for recipe in reproduce.recipes(summary, run.header):
        found.setdefault(recipe.runtime, []).append(recipe)
    return found


def stamp(entry: Entry) -> str:
    """What every chart that leaves the page says of its origin."""
    origin = f"{entry.box}, {entry.name}"
    return origin if entry.card.claims else f"{origin}; quick run: no claims"


def featured(entry: Entry, out: Path, pictures: bool) -> dict[str, Any]:
    """The values for the index, which shows one chart a workload; its files are those of the run's own folder."""
    shown = view.make_view(entry.box, entry.name, entry.summary, "brief")
    downloads = exports.shipped()
    drawn = draw(_charts(shown), out / entry.place, pictures, stamp(entry))
    return {**page_values(shown, drawn, downloads), "base": entry.place, "brief": True}


def _charts(shown: RunView) -> list[Any]:
    return [chart for section in shown.sections for part in section.parts for chart in part.charts]


def page_values(shown: RunView, drawn: dict[str, Drawn], downloads: list[File]) -> dict[str, Any]:
    """What the template of a run's body takes."""
    summary = shown.summary
    groups = sorted({g for rows in shown.matrix.bodies.values() for row in rows for g in row.groups})
    return {
        "view": shown,
        "drawn": drawn,
        "downloads": downloads,
        "quick": shown.quick,
        "groups": groups,
        "kinds": KINDS,
        "red_flags": RED_FLAGS,
        "noise_floor": f"±{units.percent(summary.noise_floor)}",
        "warnings": all_warnings(summary),
        "wakeups": wake_ups(summary),
        "agreement": agreement(summary),
        "better": "Lower is better in every column." if all(c.better == "lower" for c in shown.matrix.columns) else "",
        "unlike": lambda part: unlike(part, summary),
        "runtime_href": runtime_href,
    }


def runtime_href(name: str) -> str:
    """The page of a runtime, relative to the site's root."""
    return f"runtimes/{slug(name)}.html"


def unlike(part: Part, summary: RunSummary) -> str:
    """`stackless task (asyncio, uvloop); thread (...)` where a workload's runtimes have different units."""
    present = {c.runtime for c in summary.cells if c.workload == part.workload.name and c.typical}
    found: dict[str, list[str]] = {}
    for runtime in summary.runtimes:
        if runtime.name in present:
            found.setdefault(runtime.unit, []).append(runtime.name)
    return "; ".join(f"{unit} ({', '.join(names)})" for unit, names in found.items()) if len(found) > 1 else ""


def all_warnings(summary: RunSummary) -> list[str]:
    """Those of the run and those of its box."""
    told = summary.box.get("warnings", [])
    return [*summary.warnings, *(_words(w) for w in (told if isinstance(told, list) else [told]))]


def _words(warning: Any) -> str:
    """A warning of the box: words, or an object that says what and what to do about it."""
    return ": ".join(str(v) for v in warning.values()) if isinstance(warning, dict) else str(warning)


def wake_ups(summary: RunSummary) -> list[tuple[str, str]]:
    """What a wake-up costs on this box: setting -> median round trip."""
    found = []
    for line in summary.controls.get("wake-up", []):
        times = line.get("round_trip_ns") or []
        value = units.bare(sorted(times)[len(times) // 2] * 1e-9, "s") if times else f"failed: {line.get('failed', 'no value')}"
        found.append((str(line.get("setting", "")), value))
    return found


def agreement(summary: RunSummary) -> list[list[str]]:
    """The rows of the native cross-check."""
    found = []
    for row in summary.controls.get("agreement", []):
        ours, theirs = (msgspec.convert(row[name], Estimate) for name in ("ours", "theirs"))
        case = f"{row['runtime']}: {row['workload']}, {row['point']}"
        verdict = "agrees" if row["agrees"] else f"disagrees by over 10 %: {row.get('explanation') or 'not explained'}"
        found.append([case, str(row["harness"]), show(ours, "s"), show(theirs, "s"), f"{row['ratio']:.2f}", verdict])
    return found
