"""One page a runtime: how it was built and run, every number of its newest run, its notes, its source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from corobench.report import units
from corobench.report.collect import Entry, header
from corobench.report.drawing import File
from corobench.report.facts import flat
from corobench.report.headline import ordered_workloads, short_point
from corobench.report.matrix import cell_anchor
from corobench.report.pages.run import runtime_href
from corobench.report.sources import checkout_commit, copy_sources
from corobench.report.tables import compared, state
from corobench.report.templating import render
from corobench.report.writing import write
from corobench.statistics.values import Cell, RuntimeFacts

_BUILT = (
    "version",
    "language_version",
    "command",
    "arguments",
    "env",
    "settings",
    "threads",
    "order",
    "collector",
    "facts",
    "hashes",
)

_RUNS = 12  # that are named; all are on the first page


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime with the runs that have it, newest first; the first of `runs` is the one that is shown."""

    facts: RuntimeFacts
    runs: list[Entry]


def write_runtimes(entries: list[Entry], out: Path, source_root: Path | None) -> list[Path]:
    """runtimes.html and a page for each runtime of any run."""
    known = collect_runtimes(entries)
    commit = checkout_commit(source_root) if source_root else ""
    pages = [_write(runtime, out, source_root, commit) for runtime in known]
    listed = [
        {
            "href": runtime_href(k.facts.name),
            "name": k.facts.name,
            "title": k.facts.title,
            "language": k.facts.language,
            "unit": k.facts.unit,
            "version": k.facts.version,
            "tracks": k.facts.tracks,
            "runs": len(k.runs),
        }
        for k in known
    ]
    return [*pages, write(out / "runtimes.html", render("runtimes.html.j2", depth=0, here="runtimes.html", runtimes=listed))]


def collect_runtimes(entries: list[Entry]) -> list[Known]:
    """Every runtime, as its newest run that makes claims knows it, or its newest where none does."""
    found: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda e: not e.card.claims):  # stable: newest first in each half
        for name in entry.card.runtimes:
            found.setdefault(name, []).append(entry)
    return [
        Known(facts=next(r for r in runs[0].summary.runtimes if r.name == name), runs=runs)
        for name, runs in sorted(found.items())
    ]


def _write(known: Known, out: Path, source_root: Path | None, commit: str) -> Path:
    entry, name = known.runs[0], known.facts.name
    facts = header(entry).runtimes.get(name, {})
    folder = str(facts.get("folder", ""))
    files: list[File] = copy_sources(source_root, folder, out) if source_root else []
    rows: dict[str, list[dict[str, Any]]] = {}
    for cell in entry.summary.cells:
        if cell.runtime == name:
            rows.setdefault(cell.workload, []).append(_row(entry, cell))
    page = render(
        "runtime.html.j2",
        depth=1,
        here="runtimes.html",
        quick="" if entry.card.claims else "Quick run: no claims.",
        runtime=known.facts,
        entry=entry,
        runs=known.runs[:_RUNS],
        more=len(known.runs[_RUNS:]),
        built=flat({key: facts[key] for key in _BUILT if facts.get(key) not in (None, "", [], {})}),
        folder=folder,
        files=files,
        same=bool(commit) and commit == entry.summary.commit and not entry.summary.dirty,
        commit=commit,
        site=_link(known.facts.site),
        tables=[(w.title, rows[w.name]) for w in ordered_workloads(entry.summary) if w.name in rows],
    )
    return write(out / runtime_href(name), page)


def _link(address: str) -> str:
    """Only a web address may become a link: a run's file could hold anything."""
    return address if address.startswith(("https://", "http://")) else ""


def _row(entry: Entry, cell: Cell) -> dict[str, Any]:
    scale = units.scale_of_estimates([cell.typical], cell.unit)
    return {
        "href": f"{entry.place}cells.html#{cell_anchor(cell)}",
        "key": cell.key,
        "point": short_point(cell.point),
        "metric": cell.metric,
        "track": cell.track,
        "state": state(cell),
        "value": f"{units.show(cell.typical, scale)} {scale.symbol}" if cell.typical else "no number",
        "raw": cell.typical.center if cell.typical else None,
        "interval": units.show_interval(cell.typical, scale) if cell.typical else "",
        "n": cell.typical.n if cell.typical else 0,
        "group": cell.group if cell.trusted and entry.card.claims else None,
        "compared": compared(cell),
        "flags": "; ".join(
            [cell.gap or "", *cell.failures, *(f"{f.level}: {f.name}: {f.text}" for f in cell.flags), *cell.notes]
        ).strip("; "),
    }
