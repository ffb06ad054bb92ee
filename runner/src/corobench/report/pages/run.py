"""The page of a run, the page of its cells, and the files beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from corobench import store
from corobench.report import exports, reproduce, view
from corobench.report.charts import style
from corobench.report.collect import Entry, header
from corobench.report.drawing import Drawings, Drawn, File
from corobench.report.pages import controls
from corobench.report.reproduce import Recipe
from corobench.report.slugs import slug
from corobench.report.templating import render
from corobench.report.view import Part, RunView
from corobench.report.wording import counted, inside, unclaimed
from corobench.report.writing import write
from corobench.statistics.flagwords import flag_words
from corobench.statistics.summary import BOX_FLAGS, LOUD, NO_CLAIMS
from corobench.statistics.values import Flag, RunSummary

PAGES = ("index.html", "cells.html")
GLYPHS = {"circle": "●", "square": "■", "triangle-up": "▲", "triangle-down": "▼", "diamond": "◆", "cross": "✚"}  # of the shapes
NAMED = 3  # warnings that are named under the answer; all of them stand below, in full
KINDS = {"runtime": "runtime", "note": "note", "red": "not ranked", "amber": "caution", "failed": "failed", "gap": "no number"}


class Started(NamedTuple):
    """A run whose charts are being drawn, beside whatever is done until the rest is written."""

    entry: Entry
    shown: RunView
    drawings: Drawings


def start(entry: Entry, out: Path, pictures: bool) -> Started:
    """Writes nothing yet."""
    drawings = Drawings(out / entry.place, pictures, stamp(entry))
    charts = view.make_charts(entry.summary, begin=drawings.begin)
    return Started(entry, view.make_view(entry.box, entry.name, entry.summary, charts=charts), drawings)


def write_run(started: Started, out: Path) -> None:
    """Everything of a run: page, cells, charts, summary and exports, in its own folder of the site; what is drawn last."""
    entry, shown, drawings = started
    folder, known = out / entry.place, header(entry)
    downloads = exports.write_all(entry.folder, known, entry.summary, folder)
    for part in _parts(shown):
        exports.write_part(known, entry.summary, part.workload.name, entry.folder, folder)
    recipes, origin = _by_runtime(entry.summary, known), reproduce.origin(entry.summary, known)
    told: dict[str, Any] = {"recipes": recipes, "origin": origin, "runtime_href": runtime_href}
    setting_up = reproduce.setting_up(entry.summary, [runtime.name for runtime in entry.summary.runtimes])
    cells = render("cells.html.j2", depth=3, view=shown, quick=shown.quick, setting_up=setting_up, **told)
    write(folder / "cells.html", cells)
    values = {**page_values(shown, drawings.promised(), downloads), "base": "", "brief": False}
    write(folder / "index.html", drawings.filled(render("run.html.j2", depth=3, **values)))


def _by_runtime(summary: RunSummary, known: store.RunHeader) -> dict[str, list[Recipe]]:
    found: dict[str, list[Recipe]] = {}
    for recipe in reproduce.recipes(summary, known):
        found.setdefault(recipe.runtime, []).append(recipe)
    return found


def stamp(entry: Entry) -> str:
    """What every chart that leaves the page says of its origin."""
    origin = f"{entry.box}, {entry.name}"
    return origin if entry.card.claims else f"{origin}; {inside(unclaimed(entry.card.profile)).rstrip('.')}"


def featured(entry: Entry, out: Path, pictures: bool, drawings: Drawings | None) -> tuple[dict[str, Any], Drawings]:
    """The values for the index, which shows one chart a workload, and the charts; their files are in the run's own folder.

    `drawings`: all charts of the run, where they are being drawn.
    """
    if drawings is None:
        drawings = Drawings(out / entry.place, pictures, stamp(entry))
        charts = view.make_charts(entry.summary, "brief", drawings.begin)
    else:
        charts = view.make_charts(entry.summary, "brief")
    shown = view.make_view(entry.box, entry.name, entry.summary, "brief", charts)
    return {**page_values(shown, drawings.promised(), exports.shipped()), "base": entry.place, "brief": True}, drawings


def _parts(shown: RunView) -> Iterator[Part]:
    return (part for section in shown.sections for part in section.parts)


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
        "warnings": all_warnings(summary),
        "named": named(all_warnings(summary)),
        "spoiled": spoiled(summary),
        "disturbed": disturbed(summary),
        "quiet": quiet(summary),
        **controls.values(summary),
        "unlike": lambda part: unlike(part, summary),
        "marks_of": marks_of,
        "part_file": exports.part_file,
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
    return "; ".join(f"{_mark(unit)} ({', '.join(names)})" for unit, names in found.items()) if len(found) > 1 else ""


def marks_of(units: list[str]) -> str:
    """What a mark of each shape is, where a page has several units."""
    return ", ".join(map(_mark, units)) if len(units) > 1 else ""


def _mark(unit: str) -> str:
    return f"{GLYPHS[style.shape(unit)]} {unit}"


def all_warnings(summary: RunSummary) -> list[str]:
    """Those of the run and those of its box; that it makes no claims stands on top of the page."""
    return [*(warning for warning in summary.warnings if warning != NO_CLAIMS), *_of_box(summary)]


def named(warnings: list[str]) -> str:
    """The first of them by what they are about, which is what each begins with."""
    names = [warning.partition(": ")[0] for warning in warnings[:NAMED]]
    return "; ".join([*names, *([f"{len(warnings) - NAMED} more"] if len(warnings) > NAMED else [])])


def spoiled(summary: RunSummary) -> str:
    """How many numbers the box itself keeps out of the groups; empty for none."""
    hit = _hit(summary)
    return f"{sum(map(bool, hit)):,} of {counted(len(hit), 'number')} not ranked for it" if any(hit) else ""


def quiet(summary: RunSummary) -> str:
    """Whether the box was, in a word. What its facts warn of need not have shown."""
    if _spoiled(summary) > LOUD:
        return "no"
    return "mostly" if _spoiled(summary) or _of_box(summary) else "yes"


def disturbed(summary: RunSummary) -> list[str]:
    """What was not quiet about the box: how many numbers it spoiled, and what its facts warn of; nothing of a quiet box."""
    hit = _hit(summary)
    reasons = Counter(name for flags in hit for name in {flag_words(flag) for flag in flags})
    if not reasons:
        return _of_box(summary)
    why = ", ".join(f"{name}: {count}" for name, count in reasons.most_common())
    spoiled = f"{sum(map(bool, hit)):,} of {counted(len(hit), 'number')} of this run can't be ranked for what the box did ({why})"
    red = sum(not cell.trusted for cell in view.presentable(summary).cells if cell.typical)
    return [f"{spoiled}, {red:,} for any reason", *_of_box(summary)]


def _hit(summary: RunSummary) -> list[list[Flag]]:
    """For each number the red flags that the box gave it."""
    measured = (cell for cell in summary.cells if cell.typical)
    return [[flag for flag in cell.flags if flag.level == "red" and flag.name in BOX_FLAGS] for cell in measured]


def _spoiled(summary: RunSummary) -> float:
    """The share of the numbers that can't be ranked for what the box did besides."""
    hit = _hit(summary)
    return sum(map(bool, hit)) / len(hit) if hit else 0.0


def _of_box(summary: RunSummary) -> list[str]:
    told = summary.box.get("warnings", [])
    return [_words(warning) for warning in (told if isinstance(told, list) else [told])]


def _words(warning: Any) -> str:
    """A warning of the box: words, or an object that says what and what to do about it."""
    return ": ".join(str(v) for v in warning.values()) if isinstance(warning, dict) else str(warning)
