"""What the document that a scenario reproduces says, beside what was measured here."""

from __future__ import annotations

import msgspec

from corobench.model import point_name
from corobench.quoting import Quoted
from corobench.report import units
from corobench.report.headline import short_point
from corobench.report.matrix import TRACK_TITLES
from corobench.report.sweep import parameters
from corobench.statistics.values import Cell, WorkloadFacts

NOT_MEASURED = "not measured in this run"


class Quotation(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the original with the number of this run that it is about. `url` is empty where no address is known.

    `measured`: that number; None where the run has none.
    """

    source: str
    url: str
    claim: str
    here: str
    place: str
    measured: Cell | None


def quotations(workload: WorkloadFacts, cells: list[Cell]) -> list[Quotation]:
    """All that are quoted, also where this run has no number beside it."""
    return [_quotation(quoted, workload, cells) for quoted in workload.quoted]


def _quotation(quoted: Quoted, workload: WorkloadFacts, cells: list[Cell]) -> Quotation:
    cell = next((c for c in cells if c.typical and _is_meant(quoted, c)), None)
    what = workload.metrics.get(quoted.metric, quoted.metric)
    at = [short_point(point_name(quoted.at))] if quoted.at else []
    address = quoted.source.url if quoted.source else ""
    return Quotation(
        source=quoted.source.title if quoted.source else quoted.mark,
        url=address if address.startswith(("https://", "http://")) else "",
        claim=quoted.claim,
        here=_here(cell) if cell else NOT_MEASURED,
        place=", ".join([quoted.runtime, what, *at, TRACK_TITLES[quoted.track]]),
        measured=cell,
    )


def _here(cell: Cell) -> str:
    scale = units.scale_of_estimates([cell.typical], cell.unit)
    value = f"{units.show(cell.typical, scale)} {scale.symbol} ({units.show_interval(cell.typical, scale)})"
    return value if cell.trusted else f"{value}, not ranked"


def _is_meant(quoted: Quoted, cell: Cell) -> bool:
    point = parameters(cell.point)
    same = (cell.runtime, cell.metric, cell.track) == (quoted.runtime, quoted.metric, quoted.track)
    return same and all(point.get(key) == str(value) for key, value in quoted.at.items())
