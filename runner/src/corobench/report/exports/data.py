"""A summary as data, for spreadsheets, data frames and programs: CSV and JSON."""

from __future__ import annotations

import csv
import io

import msgspec

from corobench.report.exports import Exporter, claims, status
from corobench.results import log
from corobench.statistics.counts import counted_estimate
from corobench.statistics.types import Cell, Estimate, RunSummary

_HEAD = [
    "box",
    "run",
    "claims",
    "workload",
    "point",
    "track",
    "runtime",
    "unit_of_work",
    "metric",
    "unit",
    "status",
]
_NUMBERS = ["median", "low", "high", "n", "confidence"]
_REST = ["group", "reference", "ratio", "ratio_low", "ratio_high", "verdict", "flags", "reason"]
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export_csv(run: log.Run, summary: RunSummary) -> str:
    """One row a number, in base units, for spreadsheets and data frames: cells, then counts.

    Figures beside the median are columns `figure_<name>`; a missing number is an empty field.

    The metric of a count is its event, `low` and `high` are its processes, its confidence is 0.
    """
    names = sorted({name for cell in summary.cells for name in cell.figures})
    units = {runtime.name: runtime.unit for runtime in summary.runtimes}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_HEAD, *_NUMBERS, *(f"figure_{name}" for name in names), *_REST])
    for cell in summary.cells:
        writer.writerow(
            [_safe(field) for field in _row(run, summary, cell, units.get(cell.runtime, ""))]
            + _estimate(cell.median)
            + [repr(cell.figures[name].center) if name in cell.figures else "" for name in names]
            + [_safe(field) for field in _comparison(cell)]
        )
    for one in summary.counts:
        place = [one.workload, one.point, one.track, one.runtime, units.get(one.runtime, "")]
        status = "gap" if one.value is None else "counted"
        writer.writerow(
            [_safe(field) for field in [*_origin(run, summary), *place, one.event, "1", status]]
            + _estimate(counted_estimate(one))
            + [""] * len(names)
            + [_safe(field) for field in [str(one.group or ""), *[""] * 6, one.reason]]
        )
    return out.getvalue()


def _origin(run: log.Run, summary: RunSummary) -> list[str]:
    box = run.folder.parent.name or str(summary.box.get("name", ""))
    return [box, summary.run, claims(summary) or "yes"]


def _row(run: log.Run, summary: RunSummary, cell: Cell, unit: str) -> list[str]:
    place = [cell.workload, cell.point, cell.track, cell.runtime, unit]
    return [*_origin(run, summary), *place, cell.metric, cell.unit, status(cell)]


def _estimate(value: Estimate | None) -> list[str]:
    if value is None:
        return ["", "", "", "0", ""]
    return [
        repr(value.center),
        repr(value.low),
        repr(value.high),
        str(value.n),
        repr(value.confidence),
    ]


def _comparison(cell: Cell) -> list[str]:
    c = cell.comparison
    ratio = (
        [c.other, repr(c.ratio.center), repr(c.ratio.low), repr(c.ratio.high), c.verdict]
        if c
        else [""] * 5
    )
    flags = "; ".join(f"{flag.level}: {flag.name}: {flag.text}" for flag in cell.flags)
    return [str(cell.group or ""), *ratio, flags, cell.gap or "; ".join(cell.failures)]


def _safe(text: str) -> str:
    """A spreadsheet would run a field that starts like a formula (OWASP, CSV injection)."""
    return f"'{text}" if text.startswith(_FORMULA) else text


CSV = Exporter(
    name="csv",
    title="Cells (CSV)",
    suffix=".csv",
    media_type="text/csv",
    function=export_csv,
    shipped=True,
)


def export_json(_run: log.Run, summary: RunSummary) -> str:
    """The summary as it is (schema in data/summary.schema.json of the site). `claims` and
    `warnings` stand in it: it needs no other mark.
    """
    return msgspec.json.encode(summary).decode() + "\n"


JSON = Exporter(
    name="json",
    title="Summary (JSON)",
    suffix=".json",
    media_type="application/json",
    function=export_json,
    shipped=True,
)

EXPORTERS = [CSV, JSON]
