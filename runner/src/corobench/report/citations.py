"""What the document says that a scenario reproduces, beside what was measured, and how many of
something are worth it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from corobench.report import text, units
from corobench.report.headline import short_point
from corobench.report.sweeps import following, parameters, value
from corobench.report.text import TRACK_TITLES, joined, number
from corobench.statistics import estimates
from corobench.statistics.flags import doubted
from corobench.statistics.types import Cell, Estimate, RunSummary, WorkloadFacts
from corobench.suite import expression
from corobench.suite.expression import Number
from corobench.suite.workload import Advice, Citation, point_name

NOT_MEASURED = "not measured in this run"


class Quotation(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the original with the number of this run that it is about. `url` is empty where
    no address is known.

    `measured`: that number, of two that make a ratio the one that can be ranked less; None where
    the run has none.
    """

    source: str
    url: str
    claim: str
    here: str
    place: str
    measured: Cell | None


def quotations(summary: RunSummary, workload: WorkloadFacts) -> list[Quotation]:
    """All that are quoted, also where this run has no number beside it."""
    cells = [c for c in summary.cells if c.workload == workload.name and c.median]
    return [_quotation(quoted, summary, workload, cells) for quoted in workload.citation]


def _quotation(
    quoted: Citation, summary: RunSummary, workload: WorkloadFacts, cells: list[Cell]
) -> Quotation:
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
        place=", ".join(
            [who, what, *_at(quoted, cell), text.place_title(summary, workload.name, quoted.track)]
        ),
        measured=min(told[2], key=lambda c: c.trusted) if told else None,
    )


def _cell(quoted: Citation, cells: list[Cell]) -> Cell | None:
    """The number that is meant, or the one at the largest value of a parameter that may stand in
    for it.
    """
    asked = (quoted.runtime, quoted.metric, quoted.track)
    ours = [c for c in cells if (c.runtime, c.metric, c.track) == asked]
    meant = next((c for c in ours if _is_meant(quoted, c)), None)
    sized = [
        (size, c) for c in ours if quoted.largest and (size := value(c, quoted.largest)) is not None
    ]
    return meant or max(sized, key=lambda pair: pair[0], default=(0.0, None))[1]


def _is_meant(quoted: Citation, cell: Cell) -> bool:
    point = parameters(cell.point)
    return all(point.get(key) == str(given) for key, given in quoted.at.items())


def _at(quoted: Citation, cell: Cell | None) -> list[str]:
    """The point that is meant, or the one that stands in for it as that."""
    if cell and not _is_meant(quoted, cell):
        return [short_point(cell.point), f"the largest {quoted.largest} measured"]
    return [short_point(point_name(quoted.at))] if quoted.at else []


def _told(
    quoted: Citation, cell: Cell, cells: list[Cell], whole: Sequence[int]
) -> tuple[Estimate, str, list[Cell]] | None:
    """What stands beside a claim, its unit, and the numbers that it is made of; None for a ratio
    that there is not.
    """
    if quoted.against is None:
        return (cell.median, cell.unit, [cell]) if cell.median else None
    place = (quoted.against, cell.metric, cell.track, cell.point)
    other = next((c for c in cells if (c.runtime, c.metric, c.track, c.point) == place), None)
    ratio = (
        estimates.paired_estimate(estimates.within(cell.samples, whole), other.samples)
        if other
        else None
    )
    return (ratio, "", [cell, other]) if other and ratio else None


def _here(estimate: Estimate, unit: str, cells: list[Cell]) -> str:
    """The number, whether it can't be ranked, and what the spec doubts of it."""
    scale = units.scale_of_estimates([estimate], unit)
    shown = " ".join(
        filter(
            None,
            [
                units.show(estimate, scale),
                scale.symbol,
                f"({units.show_interval(estimate, scale)})",
            ],
        )
    )
    unranked = "" if all(c.trusted for c in cells) else ", not ranked"
    doubts = {words: None for c in cells if (words := doubted(c.flags))}
    return f"{shown}{unranked}{f': {joined(doubts)}' if doubts else ''}"


WORTH = 0.9  # of the best: who has so much would not pay for more
_UNKNOWN = "the run did not record the CPUs"
_FEW = 3  # values, below which nothing bends

Place = tuple[str, str, str]
"""Track, runtime, the point without what is chosen, what follows from that, and how much is asked.
"""


class Advised(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime at a setting: the smallest number that was worth it, and for each rule its number
    with what that gives.

    `above`: the next smaller number that was measured, which was too few; empty where there is
    none. What is worth it lies between the two. `where` is the setting, with where it ran.
    `ranked`: whether all that it rests on may be ranked.
    """

    runtime: str
    track: str
    setting: str
    where: str
    knee: str
    above: str
    rules: list[str]
    ranked: bool


def advised(summary: RunSummary, workload: WorkloadFacts) -> list[Advised]:
    """A row for each runtime, track and setting, at the largest demand that was asked of enough
    values there.
    """
    advice = workload.advice
    if advice is None:
        return []
    cells = [c for c in summary.cells if c.workload == workload.name and c.median]
    found: dict[Place, list[Cell]] = {}
    rated = [c for c in cells if c.metric == advice.metric]
    moving = {advice.over, *following(rated, advice.over)}
    for cell in rated:
        found.setdefault(_place(cell, {*moving, advice.demand}), []).append(cell)
    rows = []
    for (track, runtime, _), here in found.items():
        if asked := _asked(advice, here):
            beside = [c for c in cells if (c.track, c.runtime) == (track, runtime)]
            cores = summary.cpus.get(f"{workload.name}/{track}", 0)
            title = text.place_title(summary, workload.name, track)
            where = f"{title} ({cores})" if cores and title == TRACK_TITLES[track] else title
            rows.append(_row(advice, moving, asked, beside, cores, where))
    return rows


def _asked(advice: Advice, cells: list[Cell]) -> dict[float, Cell]:
    """Value -> its cell at the largest demand at which enough values were measured, in order; empty
    where there is none.

    Of a cross, each value is measured at one demand, and the largest demands at one value only.
    """
    found: dict[float, dict[float, Cell]] = {}
    for cell in sorted(cells, key=lambda c: _value(c, advice.over)):
        found.setdefault(_demand(cell, advice), {})[_value(cell, advice.over)] = cell
    return next(
        (found[demand] for demand in sorted(found, reverse=True) if len(found[demand]) >= _FEW), {}
    )


def _place(cell: Cell, free: Collection[str | None]) -> Place:
    rest = {key: value for key, value in parameters(cell.point).items() if key not in free}
    return cell.track, cell.runtime, ",".join(f"{key}={value}" for key, value in rest.items())


def _demand(cell: Cell, advice: Advice) -> float:
    return _value(cell, advice.demand) if advice.demand else 0.0


def _value(cell: Cell, key: str) -> float:
    return number(parameters(cell.point)[key]) or 0.0


def _row(
    advice: Advice,
    moving: set[str],
    found: dict[float, Cell],
    beside: list[Cell],
    cores: int,
    place: str,
) -> Advised:
    gives = {many: cell.median.center for many, cell in found.items() if cell.median}
    first, most = next(iter(found.values())), max(gives.values())
    knee = next(many for many, rate in gives.items() if rate >= WORTH * most)
    fewer = [many for many in gives if many < knee]
    had = {c.metric: c.median.center for c in beside if c.median and c.point == first.point}
    names = {
        **{key: number(text) or 0.0 for key, text in parameters(first.point).items()},
        **had,
        "cores": cores,
    }
    kept = {key: value for key, value in parameters(first.point).items() if key not in moving}
    setting = short_point(",".join(f"{key}={value}" for key, value in kept.items()))
    return Advised(
        runtime=first.runtime,
        track=first.track,
        setting=setting,
        where=f"{setting}, {place}",
        knee=f"{knee:g}",
        above=f"{max(fewer):g}" if fewer else "",
        rules=[
            _said(rule.value, names, gives, most) if cores else _UNKNOWN for rule in advice.rule
        ],
        ranked=all(cell.trusted for cell in found.values()),
    )


def _said(text: str, names: dict[str, Number], gives: dict[float, float], most: float) -> str:
    """The rule's number, and what that gave of the best: as it was measured, else the next larger
    one (or the largest).
    """
    many = float(expression.evaluate(text, names))
    near = next((measured for measured in gives if measured >= many), max(gives))
    return (
        f"{many:.3g}: {100 * gives[near] / most:.0f} % of the "
        f"best{'' if near == many else f' (with {near:g})'}"
    )
