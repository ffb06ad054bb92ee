"""One page a runtime: how it was built and run, the newest of each of its numbers, its notes, its
source.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from corobench.report import units
from corobench.report.headline import in_order, ordered_workloads, short_point
from corobench.report.pages.run import KINDS, runtime_href
from corobench.report.render import render
from corobench.report.reproduce import checkout_commit, write_sources
from corobench.report.runs import Entry, Told, claiming_first, header, write
from corobench.report.tables import cell_anchor, compared, places, state
from corobench.report.text import flat, unclaimed
from corobench.statistics.types import Cell, RuntimeFacts, WorkloadFacts
from corobench.suite.runtime import in_words

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
    """A runtime with the runs that have it, newest first, and its newest numbers.

    The first of `runs` makes claims if one of them does, and tells how the runtime was built.
    """

    facts: RuntimeFacts
    runs: list[Entry]
    told: list[Told]


def write_runtimes(
    entries: list[Entry], told: list[Told], out: Path, source_root: Path | None
) -> list[Path]:
    """runtimes.html and a page for each runtime of any run."""
    known = collect_runtimes(entries, told)
    pages = [_write(runtime, out, source_root) for runtime in known]
    listed = [
        {
            "href": runtime_href(k.facts.name),
            "name": k.facts.name,
            "title": k.facts.title,
            "language": k.facts.language,
            "unit": k.facts.unit,
            "version": version(k.facts),
            "tracks": k.facts.tracks,
            "runs": len(k.runs),
        }
        for k in known
    ]
    return [
        *pages,
        write(
            out / "runtimes.html",
            render("runtimes.html.j2", depth=0, here="runtimes.html", runtimes=listed),
        ),
    ]


def collect_runtimes(entries: list[Entry], told: list[Told]) -> list[Known]:
    """Every runtime, as its newest run that makes claims knows it, or its newest where none
    does.
    """
    runs: dict[str, list[Entry]] = {}
    for entry in claiming_first(entries):
        for name in entry.card.runtimes:
            runs.setdefault(name, []).append(entry)
    numbers: dict[str, list[Told]] = {}
    for one in told:
        numbers.setdefault(one.cell.runtime, []).append(one)
    return [
        Known(
            facts=next(r for r in found[0].summary.runtimes if r.name == name),
            runs=found,
            told=numbers.get(name, []),
        )
        for name, found in sorted(runs.items())
    ]


def version(facts: RuntimeFacts) -> str:
    """Of each part where it puts several together; of the language where it has none of its own and
    its programs tell none.
    """
    if parts := facts.facts.get("parts"):
        return parts
    return (
        f"{facts.language} {facts.version}"
        if facts.version and facts.version == facts.language_version
        else facts.version
    )


def _described(known: Known) -> dict[str, Any]:
    """What the run that tells how it was built says of it."""
    return header(known.runs[0]).runtimes.get(known.facts.name, {})


def _folder(known: Known) -> str:
    return str(_described(known).get("folder", ""))


def _built(known: Known) -> list[tuple[str, str]]:
    """Names and words: what its manifest says, then what its programs told of their settings
    besides.
    """
    facts = {**_described(known), "version": known.facts.version}
    asked = dict(flat(known.facts.settings))
    told = {name: value for name, value in known.facts.told.items() if asked.get(name) != value}
    found = {key: facts[key] for key in _BUILT if facts.get(key) not in (None, "", [], {})}
    return [
        (name, in_words(value)) for name, value in flat({**found, "told by its programs": told})
    ]


def _write(known: Known, out: Path, source_root: Path | None) -> Path:
    entry, name, folder = known.runs[0], known.facts.name, _folder(known)
    page = render(
        "runtime.html.j2",
        depth=1,
        here="runtimes.html",
        quick="" if entry.card.claims else unclaimed(entry.card.profile),
        runtime=known.facts,
        version=version(known.facts),
        entry=entry,
        runs=known.runs[:_RUNS],
        more=len(known.runs[_RUNS:]),
        built=_built(known),
        folder=folder,
        files=write_sources(source_root, out, folder) if source_root else [],
        commit=checkout_commit(source_root) if source_root else "",
        site=_link(known.facts.site),
        tables=_tables(known.told),
        kinds=KINDS,
    )
    return write(out / runtime_href(name), page)


def _tables(told: list[Told]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Title and rows of each workload; of several boxes one after the other, by point, metric and
    track.
    """
    found: dict[str, list[Told]] = {}
    for one in told:
        found.setdefault(one.cell.workload, []).append(one)
    workloads: dict[str, WorkloadFacts] = {}
    for entry in {one.entry.key: one.entry for one in told}.values():
        for workload in ordered_workloads(entry.summary):
            workloads.setdefault(workload.name, workload)
    return [
        (w.title, [_row(one, w) for one in _by_place(found[w.name], w)])
        for w in in_order(workloads.values())
        if w.name in found
    ]


def _by_place(told: list[Told], workload: WorkloadFacts) -> list[Told]:
    boxes, metrics = list(dict.fromkeys(one.entry.box for one in told)), list(workload.metrics)
    order = {place: rank for rank, place in enumerate(places([one.cell for one in told]))}

    def key(one: Told) -> tuple[int, int, int]:
        metric = metrics.index(one.cell.metric) if one.cell.metric in metrics else len(metrics)
        return boxes.index(one.entry.box), order[one.cell.track, one.cell.point], metric

    return sorted(told, key=key)


def _link(address: str) -> str:
    """Only a web address may become a link: a run's file could hold anything."""
    return address if address.startswith(("https://", "http://")) else ""


def _row(one: Told, workload: WorkloadFacts) -> dict[str, Any]:
    entry, cell = one.entry, one.cell
    scale = units.scale_of_estimates([cell.median], cell.unit)
    return {
        "href": f"{entry.place}cells.html#{cell_anchor(cell)}",
        "key": cell.key,
        "run": entry,
        "point": short_point(cell.point),
        "metric": workload.metrics.get(cell.metric, cell.metric),
        "track": cell.track,
        "state": state(cell),
        "value": f"{units.show(cell.median, scale)} {scale.symbol}" if cell.median else "no number",
        "raw": cell.median.center if cell.median else None,
        "interval": units.show_interval(cell.median, scale) if cell.median else "",
        "n": cell.median.n if cell.median else 0,
        "group": cell.group if cell.trusted and entry.card.claims else None,
        "compared": compared(cell),
        "said": _said(cell),
    }


def _said(cell: Cell) -> list[tuple[str, str]]:
    """What stands below a number, or in its place: kind and text."""
    return [
        *([("gap", cell.gap)] if cell.gap else []),
        *(("failed", text) for text in cell.failures),
        *((flag.level, flag.text) for flag in cell.flags),
        *(("note", text) for text in cell.notes),
    ]
