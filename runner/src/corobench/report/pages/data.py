"""data.html: every file of the site that holds numbers, what it is and how large, and the JSON Schemas of those that have one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from corobench import store
from corobench.report import exports, raw, units
from corobench.report.collect import Entry
from corobench.report.drawing import File
from corobench.report.templating import render
from corobench.report.writing import write
from corobench.statistics.values import RunComparison, RunSummary


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A run in data/runs.json. `summary`: its summary's address, relative to the site's root."""

    box: str
    run: str
    created: str
    profile: str
    claims: bool
    summary: str


class Sized(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a run, with its size in words."""

    title: str
    href: str
    size: str


SCHEMAS: dict[str, tuple[str, Any]] = {
    "summary.schema.json": ("summary.json: everything that a page of a run shows", RunSummary),
    "run.schema.json": ("run.json: what was known of a run before it began", store.RunHeader),
    "log.schema.json": ("log.jsonl: each line of the raw log", store.Line),
    "compare.schema.json": ("compare.json: two runs against each other", RunComparison),
    "runs.schema.json": ("runs.json: all runs of this site", list[Listed]),
}


def write_data(entries: list[Entry], out: Path) -> Path:
    """data.html and the JSON Schemas."""
    for name, (title, kind) in SCHEMAS.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **msgspec.json.schema(kind)}
        write(out / "data" / name, msgspec.json.format(msgspec.json.encode(schema)))
    index = [
        Listed(
            box=e.box,
            run=e.name,
            created=e.card.created,
            profile=e.card.profile,
            claims=e.card.claims,
            summary=e.place + "summary.json",
        )
        for e in entries
    ]
    write(out / "data" / "runs.json", msgspec.json.format(msgspec.json.encode(index)))
    page = render(
        "data.html.j2",
        depth=0,
        here="data.html",
        runs=[(entry, _files(entry, out)) for entry in entries],
        kinds=[file.title for file in _shipped()],
        schemas=[(f"data/{name}", title) for name, (title, _) in SCHEMAS.items()],
        others=[made for made in exports.EXPORTERS.values() if not made.shipped],
    )
    return write(out / "data.html", page)


def _shipped() -> list[File]:
    return [*raw.FILES, *exports.shipped()]


def _files(entry: Entry, out: Path) -> list[Sized]:
    found = []
    for file in _shipped():
        size = units.bare((out / entry.place / file.href).stat().st_size, "B")
        found.append(Sized(title=file.title, href=entry.place + file.href, size=size))
    return found
