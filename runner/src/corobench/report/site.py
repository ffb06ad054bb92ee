"""The whole static site from the results folder: what is unchanged is left as it is.

A run's pages depend on its own raw files and on the code alone, so that a site of many runs is made by making the new ones.
"""

from __future__ import annotations

import hashlib
import shutil
from functools import cache as once
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import vl_convert

from corobench.report import units
from corobench.report.collect import Entry, code_digest, collect
from corobench.report.facts import box_fact
from corobench.report.pages import boxes, compare, findings, history, runtimes, words
from corobench.report.pages import run as run_page
from corobench.report.rendering import THEMED, VEGA_LITE, VERSION, Renderer
from corobench.report.templating import render
from corobench.report.workers import each
from corobench.report.writing import write

_HERE = Path(__file__).parent
_STAMP = ".made-from"

Pair = tuple[Entry, Entry]


def build(
    results: Path,
    out: Path,
    source_root: Path | None = None,
    cache: Path | None = None,
    only: list[Path] | None = None,
    pictures: bool = False,
) -> list[Path]:
    """Writes the site of all runs, or of those folders only, to `out` and returns the pages that it holds.

    `source_root`: the checkout whose sources are shown beside the runtimes. `cache`: where summaries and drawings are
    remembered, `<out>/../.report-cache` by default; it may be emptied at any time. `pictures`: a PNG beside each SVG, which
    makes the site three times as large. Raises UserError for a run that can't be read.
    """
    cache = cache or out.parent / ".report-cache"
    entries = collect(results, cache / "summaries", only)
    renderer = Renderer(cache / "drawings", pictures)
    out.mkdir(parents=True, exist_ok=True)
    _assets(out, cache)
    _forget(entries, out)
    each(partial(_run, out=out, renderer=renderer), [e for e in entries if not _is_made(out / e.place, _run_digest(e, renderer))])
    pages = [out / entry.place / name for entry in entries for name in run_page.PAGES]
    pages += _comparisons(entries, out, renderer, cache)
    pages += history.write_history(entries, out, renderer)
    pages += runtimes.write_runtimes(entries, out, source_root)
    pages.append(findings.write_findings(entries, out, source_root))
    pages += [boxes.write_boxes(entries, out, renderer), words.write_method(entries, out), words.write_notes(entries, out)]
    return [_index(entries, out, renderer), words.write_data(entries, out), *pages]


def featured(entries: list[Entry]) -> Entry | None:
    """The run that the first page shows: the newest one that makes claims, the newest one where none does."""
    return next((e for e in entries if e.summary.claims), entries[0] if entries else None)


def _run(entry: Entry, out: Path, renderer: Renderer) -> None:
    _clear(out / entry.place)
    run_page.write_run(entry, out, renderer)
    write(out / entry.place / _STAMP, _run_digest(entry, renderer).encode())


def _run_digest(entry: Entry, renderer: Renderer) -> str:
    return _made_from(entry.digest, str(renderer.pictures))


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
            _clear(stamp.parent)


def _clear(folder: Path) -> None:
    """Only what this module made: files of an older form would stay otherwise."""
    if (folder / _STAMP).is_file():
        shutil.rmtree(folder)


def _assets(out: Path, cache: Path) -> None:
    target = out / "assets"
    for file in sorted((_HERE / "assets").iterdir()):
        write(target / file.name, file.read_bytes())
    bundle = cache / f"vega-{VERSION}.js"
    if not bundle.is_file():
        write(bundle, vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE).encode())
    write(target / "vega.js", bundle.read_bytes())
    write(target / "palette.js", b"window.palette = " + msgspec.json.encode(THEMED) + b";\n")


def _comparisons(entries: list[Entry], out: Path, renderer: Renderer, cache: Path) -> list[Path]:
    pairs = compare.pairs(entries)
    each(
        partial(_comparison, out=out, renderer=renderer, cache=cache),
        [p for p in pairs if not _is_compared(p, out, renderer, cache)],
    )
    listed = [_outcome(pair, cache) for pair in pairs]
    page = render("compare.html.j2", depth=0, here="compare.html", pairs=listed)
    return [*(out / compare.place(*pair) / "index.html" for pair in pairs), write(out / "compare.html", page)]


def _comparison(pair: Pair, out: Path, renderer: Renderer, cache: Path) -> None:
    _clear(out / compare.place(*pair))
    compare.write_pair(*pair, compare.compared(*pair, cache / "comparisons"), out, renderer)
    write(out / compare.place(*pair) / _STAMP, _pair_digest(pair, renderer).encode())


def _is_compared(pair: Pair, out: Path, renderer: Renderer, cache: Path) -> bool:
    known = compare.remembered(*pair, cache / "comparisons") is not None
    return known and _is_made(out / compare.place(*pair), _pair_digest(pair, renderer))


def _pair_digest(pair: Pair, renderer: Renderer) -> str:
    return _made_from(*(entry.digest for entry in pair), str(renderer.pictures))


def _outcome(pair: Pair, cache: Path) -> dict[str, str]:
    before, after = pair
    found = compare.compared(before, after, cache / "comparisons")
    confounders = ", ".join(d.key for d in found.environment if d.kind == "confounding")
    words = {"sentence": compare.sentence(found), "confounders": confounders, "box": after.box}
    return {"href": compare.place(before, after) + "index.html", "after": after.name, "before": before.name, **words}


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
