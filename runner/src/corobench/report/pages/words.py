"""Pages of words: how to read this, every note in one place, and the data behind it all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from corobench import store
from corobench.plan import PROFILE
from corobench.report import exports
from corobench.report.collect import Entry
from corobench.report.headline import ordered_workloads
from corobench.report.pages.run import runtime_href
from corobench.report.templating import render
from corobench.report.writing import write
from corobench.statistics import contamination, flags, noise, slope
from corobench.statistics.values import RunComparison, RunSummary, WorkloadFacts


def write_method(entries: list[Entry], out: Path) -> Path:
    """method.html; its figures come from the code that uses them, so that the two can't drift apart."""
    figures = {
        "profiles": list(PROFILE.values()),
        "least_n": flags.LEAST_N,
        "wide_red": flags.WIDE_RED,
        "wide_amber": flags.WIDE_AMBER,
        "not_linear": slope.NOT_LINEAR,
        "least_delta": noise.LEAST_DELTA,
        "control_off": noise.CONTROL_OFF,
        "other_cores": contamination.OTHER_CORES,
        "other_share": contamination.OTHER_SHARE,
        "steal": contamination.STEAL_SHARE,
    }
    page = render("method.html.j2", depth=0, here="method.html", workloads=_workloads(entries), **figures)
    return write(out / "method.html", page)


def _workloads(entries: list[Entry]) -> list[WorkloadFacts]:
    """Each workload as its newest run describes it, those of the newest run first."""
    found: dict[str, WorkloadFacts] = {}
    for entry in entries:
        if not found.keys() >= set(entry.card.workloads):  # a summary is only read for what no newer one has
            found |= {w.name: w for w in ordered_workloads(entry.summary) if w.name not in found}
    return list(found.values())


def write_notes(entries: list[Entry], out: Path) -> Path:
    """notes.html: what to know of every runtime, and the warnings of every run."""
    runtimes: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if not runtimes.keys() >= set(entry.card.runtimes):
            for r in entry.summary.runtimes:
                runtimes.setdefault(r.name, {"name": r.name, "notes": r.notes, "href": runtime_href(r.name)})
    warned = [(entry, entry.card.warnings) for entry in entries if entry.card.warnings]
    return write(
        out / "notes.html", render("notes.html.j2", depth=0, here="notes.html", runtimes=list(runtimes.values()), warned=warned)
    )


SCHEMAS: dict[str, tuple[str, Any]] = {
    "summary.schema.json": ("summary.json: everything that a page of a run shows", RunSummary),
    "run.schema.json": ("run.json: what was known of a run before it began", store.RunHeader),
    "log.schema.json": ("log.jsonl: each line of the raw log", store.Line),
    "compare.schema.json": ("compare.json: two runs against each other", RunComparison),
}


def write_data(entries: list[Entry], out: Path) -> Path:
    """data.html and the JSON Schemas."""
    for name, (title, kind) in SCHEMAS.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **msgspec.json.schema(kind)}
        write(out / "data" / name, msgspec.json.format(msgspec.json.encode(schema)))
    index = [
        {
            "box": e.box,
            "run": e.name,
            "created": e.card.created,
            "claims": e.card.claims,
            "summary": e.place + "summary.json",
        }
        for e in entries
    ]
    write(out / "data" / "runs.json", msgspec.json.format(msgspec.json.encode(index)))
    schemas = [(f"data/{name}", title) for name, (title, _) in SCHEMAS.items()]
    formats = {kept: [e for e in exports.EXPORTERS.values() if e.shipped is kept] for kept in (True, False)}
    values = {"entries": entries, "schemas": schemas, "formats": formats[True], "others": formats[False]}
    page = render("data.html.j2", depth=0, here="data.html", **values)
    return write(out / "data.html", page)
