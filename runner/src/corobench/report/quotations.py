"""What the document that a scenario reproduces says, beside what was measured here."""

from __future__ import annotations

import msgspec

from corobench.model import Quoted
from corobench.report import units
from corobench.report.headline import short_point
from corobench.report.matrix import TRACK_TITLES
from corobench.report.sweep import parameters
from corobench.statistics.values import Cell, WorkloadFacts


class Quotation(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the original with the number of this run that it is about; `here` is empty of one that was not measured."""

    mark: str
    claim: str
    here: str
    place: str


def quotations(workload: WorkloadFacts, cells: list[Cell]) -> list[Quotation]:
    """Those whose runtime was measured at such a point."""
    found = []
    for quoted in workload.quoted:
        cell = next((c for c in cells if c.typical and _is_meant(quoted, c)), None)
        if cell is not None:
            scale = units.scale_of_estimates([cell.typical], cell.unit)
            value = f"{units.show(cell.typical, scale)} {scale.symbol} ({units.show_interval(cell.typical, scale)})"
            value = value if cell.trusted else f"{value}, not ranked"
            what = workload.metrics.get(cell.metric, cell.metric)
            place = f"{cell.runtime}, {what}, {short_point(cell.point)}, {TRACK_TITLES[cell.track]}"
            found.append(Quotation(mark=quoted.mark, claim=quoted.claim, here=value, place=place))
    return found


def _is_meant(quoted: Quoted, cell: Cell) -> bool:
    point = parameters(cell.point)
    same = (cell.runtime, cell.metric, cell.track) == (quoted.runtime, quoted.metric, quoted.track)
    return same and all(point.get(key) == str(value) for key, value in quoted.at.items())
