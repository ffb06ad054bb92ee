"""What the document that a scenario reproduces says, beside what was measured here."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from corobench.model import point_name
from corobench.quoting import Quoted
from corobench.report import places, units
from corobench.report.headline import short_point
from corobench.report.sweep import parameters, value
from corobench.report.wording import joined
from corobench.statistics import paired
from corobench.statistics.flagwords import doubted
from corobench.statistics.values import Cell, Estimate, RunSummary, WorkloadFacts

NOT_MEASURED = "not measured in this run"


class Quotation(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the original with the number of this run that it is about. `url` is empty where no address is known.

    `measured`: that number, of two that make a ratio the one that can be ranked less; None where the run has none.
    """

    source: str
    url: str
    claim: str
    here: str
    place: str
    measured: Cell | None


def quotations(summary: RunSummary, workload: WorkloadFacts) -> list[Quotation]:
    """All that are quoted, also where this run has no number beside it."""
    cells = [c for c in summary.cells if c.workload == workload.name and c.typical]
    return [_quotation(quoted, summary, workload, cells) for quoted in workload.quoted]


def _quotation(quoted: Quoted, summary: RunSummary, workload: WorkloadFacts, cells: list[Cell]) -> Quotation:
    cell = _cell(quoted, cells)
    told = _told(quoted, cell, cells, summary.whole_blocks) if cell else None
    who = f"{quoted.runtime} over {quoted.against}" if quoted.against else quoted.runtime
    what = workload.metrics.get(quoted.metric, quoted.metric)
    address = quoted.source.url if quoted.source else ""
    return Quotation(
        source=quoted.source.title if quoted.source else quoted.mark,
        url=address if address.startswith(("https://", "http://")) else "",
        claim=quoted.claim,
        here=_here(*told) if told else NOT_MEASURED,
        place=", ".join([who, what, *_at(quoted, cell), places.title(summary, workload.name, quoted.track)]),
        measured=min(told[2], key=lambda c: c.trusted) if told else None,
    )


def _cell(quoted: Quoted, cells: list[Cell]) -> Cell | None:
    """The number that is meant, or the one at the largest value of a parameter that may stand in for it."""
    asked = (quoted.runtime, quoted.metric, quoted.track)
    ours = [c for c in cells if (c.runtime, c.metric, c.track) == asked]
    meant = next((c for c in ours if _is_meant(quoted, c)), None)
    sized = [(size, c) for c in ours if quoted.largest and (size := value(c, quoted.largest)) is not None]
    return meant or max(sized, key=lambda pair: pair[0], default=(0.0, None))[1]


def _is_meant(quoted: Quoted, cell: Cell) -> bool:
    point = parameters(cell.point)
    return all(point.get(key) == str(given) for key, given in quoted.at.items())


def _at(quoted: Quoted, cell: Cell | None) -> list[str]:
    """The point that is meant, or the one that stands in for it as that."""
    if cell and not _is_meant(quoted, cell):
        return [short_point(cell.point), f"the largest {quoted.largest} measured"]
    return [short_point(point_name(quoted.at))] if quoted.at else []


def _told(quoted: Quoted, cell: Cell, cells: list[Cell], whole: Sequence[int]) -> tuple[Estimate, str, list[Cell]] | None:
    """What stands beside a claim, its unit, and the numbers that it is made of; None for a ratio that there is not."""
    if quoted.against is None:
        return (cell.typical, cell.unit, [cell]) if cell.typical else None
    place = (quoted.against, cell.metric, cell.track, cell.point)
    other = next((c for c in cells if (c.runtime, c.metric, c.track, c.point) == place), None)
    ratio = paired.compared(paired.within(cell.samples, whole), other.samples) if other else None
    return (ratio, "", [cell, other]) if other and ratio else None


def _here(estimate: Estimate, unit: str, cells: list[Cell]) -> str:
    """The number, whether it can't be ranked, and what the spec doubts of it."""
    scale = units.scale_of_estimates([estimate], unit)
    shown = " ".join(filter(None, [units.show(estimate, scale), scale.symbol, f"({units.show_interval(estimate, scale)})"]))
    unranked = "" if all(c.trusted for c in cells) else ", not ranked"
    doubts = {words: None for c in cells if (words := doubted(c.flags))}
    return f"{shown}{unranked}{f': {joined(doubts)}' if doubts else ''}"
