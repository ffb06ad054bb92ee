"""Exports: one file a format. A module here with an `EXPORTER` is registered by being here."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import msgspec

from corobench import store
from corobench.errors import unknown
from corobench.report.drawing import File
from corobench.report.exports.format import Exporter
from corobench.report.slugs import slug
from corobench.report.writing import write
from corobench.statistics.values import RunSummary


def _discover() -> dict[str, Exporter]:
    found: dict[str, Exporter] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        made = getattr(importlib.import_module(f"{__name__}.{module.name}"), "EXPORTER", None)
        if made is not None:
            found[made.name] = made
    return found


EXPORTERS: dict[str, Exporter] = _discover()


def exporter(name: str) -> Exporter:
    """The exporter of a name; UserError with the nearest one otherwise."""
    if name not in EXPORTERS:
        raise unknown("export format", name, EXPORTERS)
    return EXPORTERS[name]


def write_all(of: Path, header: store.RunHeader, summary: RunSummary, folder: Path) -> list[File]:
    """Every format that is shipped, into a folder; the others say the same again in the words of other tools."""
    known = store.Run(folder=of, header=header, lines=[], warnings=[])
    for made in EXPORTERS.values():
        if made.shipped:
            write(folder / made.file, made.export(store.read(of) if made.lines else known, summary).encode())
    return shipped()


def write_part(header: store.RunHeader, summary: RunSummary, workload: str, of: Path, folder: Path) -> None:
    """The cells of one workload alone, for those who came for one question."""
    part = msgspec.structs.replace(summary, cells=[cell for cell in summary.cells if cell.workload == workload])
    known = store.Run(folder=of, header=header, lines=[], warnings=[])
    write(folder / part_file(workload).href, EXPORTERS["csv"].export(known, part).encode())


def part_file(workload: str) -> File:
    """The file of one workload's cells."""
    return File(title="These numbers (CSV)", href=f"csv--{slug(workload)}.csv")


def shipped() -> list[File]:
    """The files beside the page of a run."""
    return [File(title=made.title, href=made.file) for made in EXPORTERS.values() if made.shipped]
