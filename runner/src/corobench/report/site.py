"""The whole static site from the results folder: what is unchanged is left as it is.

A run's pages depend on its own raw files and on the code alone, so that a site of many runs is made by making the new ones.
"""

from __future__ import annotations

import hashlib
import shutil
from functools import cache as once
from pathlib import Path
from typing import Any

import vl_convert

from corobench.report import units
from corobench.report.collect import Entry, code_digest, collect
from corobench.report.pages import boxes, compare, history, runtimes, words
from corobench.report.pages import run as run_page
from corobench.report.rendering import VEGA_LITE, VERSION, Renderer
from corobench.report.templating import render
from corobench.report.view import box_fact
from corobench.report.writing import write

_HERE = Path(__file__).parent
_STAMP = ".made-from"


def build(
    results: Path, out: Path, source_root: Path | None = None, cache: Path | None = None, only: list[Path] | None = None
) -> list[Path]:
    """Writes the site of all runs, or of those folders only, to `out` and returns the pages that it holds.

    `source_root`: the checkout whose sources are shown beside the runtimes. `cache`: where summaries and drawings are
    remembered, `<out>/../.report-cache` by default; it may be emptied at any time. Raises UserError for a run that can't be read.
    """
    cache = cache or out.parent / ".report-cache"
    entries = collect(results, cache / "summaries", only)
    renderer = Renderer(cache / "drawings")
    out.mkdir(parents=True, exist_ok=True)
    _assets(out, cache)
    _forget(entries, out)
    pages = [page for entry in entries for page in _run(entry, out, renderer)]
    pages += _comparisons(entries, out, renderer, cache)
    pages += history.write_history(entries, out, renderer)
    pages += runtimes.write_runtimes(entries, out, source_root)
    pages += [boxes.write_boxes(entries, out, renderer), words.write_method(entries, out), words.write_notes(entries, out)]
    return [_index(entries, out, renderer), words.write_data(entries, out), *pages]


def featured(entries: list[Entry]) -> Entry | None:
    """The run that the first page shows: the newest one that makes claims, the newest one where none does."""
    return next((e for e in entries if e.summary.claims), entries[0] if entries else None)


def _run(entry: Entry, out: Path, renderer: Renderer) -> list[Path]:
    folder = out / entry.place
    made_from = _made_from(entry.digest)
    if not _is_made(folder, made_from):
        run_page.write_run(entry, out, renderer)
        write(folder / _STAMP, made_from.encode())
    return [folder / "index.html", folder / "cells.html"]


def _made_from(*digests: str) -> str:
    return hashlib.sha256(" ".join([*digests, report_digest()]).encode()).hexdigest()


def _is_made(folder: Path, made_from: str) -> bool:
    stamp = folder / _STAMP
    return stamp.is_file() and stamp.read_text() == made_from


@once
def report_digest() -> str:
    """A hash of the code and templates that decide what a page looks like."""
    files = sorted(file for file in _HERE.rglob("*") if file.suffix in (".py", ".j2", ".css", ".js"))
    return hashlib.sha256(code_digest().encode() + b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _forget(entries: list[Entry], out: Path) -> None:
    """Pages of runs that are no longer there: only folders that this module made, which its stamp tells."""
    kept = {out / entry.place for entry in entries} | {out / compare.place(*pair) for pair in compare.pairs(entries)}
    for stamp in [*out.glob(f"runs/*/*/{_STAMP}"), *out.glob(f"compare/*/*/{_STAMP}")]:
        if stamp.parent not in kept:
            shutil.rmtree(stamp.parent)


def _assets(out: Path, cache: Path) -> None:
    target = out / "assets"
    for file in sorted((_HERE / "assets").iterdir()):
        write(target / file.name, file.read_bytes())
    bundle = cache / f"vega-{VERSION}.js"
    if not bundle.is_file():
        write(bundle, vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE).encode())
    write(target / "vega.js", bundle.read_bytes())


def _comparisons(entries: list[Entry], out: Path, renderer: Renderer, cache: Path) -> list[Path]:
    pages, listed = [], []
    for before, after in compare.pairs(entries):
        place = compare.place(before, after)
        found = compare.compared(before, after, cache / "comparisons")
        folder = out / place
        made_from = _made_from(before.digest, after.digest)
        if not _is_made(folder, made_from):
            compare.write_pair(before, after, found, out, renderer)
            write(folder / _STAMP, made_from.encode())
        pages.append(folder / "index.html")
        confounders = ", ".join(d.key for d in found.environment if d.kind == "confounding")
        words = {"sentence": compare.sentence(found), "confounders": confounders, "box": after.box}
        listed.append({"href": place + "index.html", "after": after.name, "before": before.name, **words})
    page = render("compare.html.j2", depth=0, here="compare.html", pairs=listed)
    return [*pages, write(out / "compare.html", page)]


def _index(entries: list[Entry], out: Path, renderer: Renderer) -> Path:
    page = out / "index.html"
    first = featured(entries)
    if first is None:
        write(page, render("empty.html.j2", depth=0, here="index.html"))
        return page
    values = run_page.featured(first, out, renderer)
    write(page, render("index.html.j2", depth=0, here="index.html", runs=[_listed(e) for e in entries], **values))
    return page


def _listed(entry: Entry) -> dict[str, Any]:
    summary = entry.summary
    return {
        "href": entry.place + "index.html",
        "name": entry.name,
        "box": entry.box,
        "cpu": box_fact(summary.box, "cpu.model", "cpu_model"),
        "date": summary.created[:10],
        "profile": summary.profile,
        "claims": summary.claims,
        "blocks": summary.blocks,
        "commit": summary.commit[:10],
        "noise": f"±{units.percent(summary.noise_floor)}",
    }
