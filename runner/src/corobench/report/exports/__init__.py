"""What an export format is, and the words that all of them owe."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from corobench.errors import unknown
from corobench.report.runs import File, write
from corobench.report.text import slug
from corobench.results import log
from corobench.statistics.types import Cell, RunSummary

NO_CLAIMS = "quick run: no claims"
NO_CLAIM = "no claim"


class Exporter(msgspec.Struct, frozen=True, kw_only=True):
    """A format: `name` on the command line, `file` beside the run's page where it is `shipped` with
    it.

    `lines`: it reads those of the raw log, which the run that it is given beside a page has only
    then: they are most of a run.
    """

    name: str
    title: str
    suffix: str
    media_type: str
    function: Callable[[log.Run, RunSummary], str]
    shipped: bool = False
    lines: bool = False

    @property
    def file(self) -> str:
        return "summary.json" if self.name == "json" else f"{self.name}{self.suffix}"

    def export(self, run: log.Run, summary: RunSummary) -> str:
        """The whole file as text."""
        return self.function(run, summary)


def claims(summary: RunSummary) -> str:
    """Empty for a run that may be quoted; the warning that every export of another one carries."""
    return "" if summary.claims else NO_CLAIMS


def numbers(summary: RunSummary) -> Iterator[Cell]:
    """The cells with a number."""
    return (cell for cell in summary.cells if cell.median is not None)


def status(cell: Cell) -> str:
    """ok, not ranked, failed or no number."""
    if cell.gap:
        return "no number"
    return "failed" if cell.median is None else "ok" if cell.trusted else "not ranked"


def caveat(summary: RunSummary, cell: Cell) -> str:
    """What a reader of one number must be told with it: that nothing is claimed, of the run or by
    the number, and red flags.
    """
    reds = [f"not ranked: {flag.name}" for flag in cell.flags if flag.level == "red"]
    return "; ".join(filter(None, [claims(summary), "" if cell.claims else NO_CLAIM, *reds]))


def _discover() -> dict[str, Exporter]:
    """By name, in that order; a module has an `EXPORTER`, or several `EXPORTERS`."""
    found: dict[str, Exporter] = {}
    for one in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{one.name}")
        alone = [module.EXPORTER] if hasattr(module, "EXPORTER") else []
        exporters = [*alone, *getattr(module, "EXPORTERS", [])]
        found |= {exporter.name: exporter for exporter in exporters}
    return dict(sorted(found.items()))


EXPORTERS: dict[str, Exporter] = _discover()


def exporter(name: str) -> Exporter:
    """The exporter of a name; UserError with the nearest one otherwise."""
    if name not in EXPORTERS:
        raise unknown("export format", name, EXPORTERS)
    return EXPORTERS[name]


def write_all(of: Path, header: log.RunHeader, summary: RunSummary, folder: Path) -> list[File]:
    """Every format that is shipped, into a folder; the others say the same again in the words of
    other tools.
    """
    known = log.Run(folder=of, header=header, lines=[], warnings=[])
    for made in EXPORTERS.values():
        if made.shipped:
            write(
                folder / made.file,
                made.export(log.read(of) if made.lines else known, summary).encode(),
            )
    return shipped()


def write_part(
    header: log.RunHeader, summary: RunSummary, workload: str, of: Path, folder: Path
) -> None:
    """The cells of one workload alone, for those who came for one question."""
    part = msgspec.structs.replace(
        summary, cells=[cell for cell in summary.cells if cell.workload == workload]
    )
    known = log.Run(folder=of, header=header, lines=[], warnings=[])
    write(folder / part_file(workload).href, EXPORTERS["csv"].export(known, part).encode())


def part_file(workload: str) -> File:
    """The file of one workload's cells."""
    return File(title="These numbers (CSV)", href=f"csv--{slug(workload)}.csv")


def shipped() -> list[File]:
    """The files beside the page of a run."""
    return [File(title=made.title, href=made.file) for made in EXPORTERS.values() if made.shipped]
