"""Whether published claims hold on a box: each is a few ratios of numbers of one run, and the range in which they bear it out.

A ratio is taken block by block (paired.py). It bears the claim out where its whole interval lies in the range, and
contradicts it where the interval lies outside; anything else, and any number that may not be ranked, decides nothing. A ratio
of which nothing is claimed is shown.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Literal

from corobench.claims import Check, Finding, Number
from corobench.statistics import paired
from corobench.statistics.summary import NO_CLAIMS
from corobench.statistics.values import Cell, Estimate, RunSummary, Value

_OF_THE_VALUE = ("not linear", "wide", "drift", "modes")
Outcome = Literal["borne out", "in part", "not borne out", "not decided", "not measured", "shown"]


class Checked(Value, frozen=True, kw_only=True):
    """One part of a claim in a run. `reason` says why it decides nothing, where it does not."""

    check: Check
    this: Cell | None
    other: Cell | None
    ratio: Estimate | None
    outcome: Outcome
    reason: str = ""


class Judged(Value, frozen=True, kw_only=True):
    """A claim in a run."""

    outcome: Outcome
    checks: list[Checked]


def judge(finding: Finding, summary: RunSummary) -> Judged:
    """What a run says of a claim."""
    checks = [_checked(check, summary) for check in finding.check]
    return Judged(outcome=together([checked.outcome for checked in checks if checked.check.is_claim]), checks=checks)


def together(outcomes: list[Outcome]) -> Outcome:
    """All parts as one: borne out, or contradicted, where every part is; in part where some are borne out and others are not."""
    kinds = set(outcomes)
    if len(kinds) == 1:
        return outcomes[0]
    if "borne out" in kinds:
        return "in part"
    return "not decided"


def _checked(check: Check, summary: RunSummary) -> Checked:
    this, other = _cell(check.this, summary), _cell(check.other, summary)
    if missing := next(_missing(check, this, other), None):
        return Checked(check=check, this=this, other=other, ratio=None, outcome="not measured", reason=missing)
    assert this is not None
    assert other is not None
    of_figures = check.this.figure or check.other.figure
    ratio = _of_figures(check, this, other) if of_figures else _by_block(this, other, summary.whole_blocks)
    if ratio is None:
        return Checked(check=check, this=this, other=other, ratio=None, outcome="not decided", reason="no whole block in common")
    reason = _doubt(check, this, other, ratio, summary)
    outcome: Outcome = "not decided" if reason else _outcome(check, ratio)
    return Checked(check=check, this=this, other=other, ratio=ratio, outcome=outcome, reason=reason)


def _by_block(this: Cell, other: Cell, whole: Collection[int]) -> Estimate | None:
    """None where no whole block has both, or too few have both positive."""
    logs = paired.log_ratios(paired.within(this.samples, whole), paired.within(other.samples, whole))
    ratio = paired.ratio(logs) if logs else None
    return ratio if ratio and paired.is_finite(ratio) else None


def _of_figures(check: Check, this: Cell, other: Cell) -> Estimate | None:
    """Figures are kept without their blocks: the ratio's interval is what the two intervals allow, which is wider."""
    above, below = figure(check.this, this), figure(check.other, other)
    if above is None or below is None or min(above.low, below.low) <= 0:
        return None
    return Estimate(
        center=above.center / below.center,
        low=above.low / below.high,
        high=above.high / below.low,
        n=min(above.n, below.n),
        confidence=min(above.confidence, below.confidence),
    )


def figure(number: Number, cell: Cell) -> Estimate | None:
    """What a cell says of a number."""
    return cell.figures.get(number.figure, cell.typical) if number.figure else cell.typical


def _cell(number: Number, summary: RunSummary) -> Cell | None:
    return next((cell for cell in summary.cells if names(number, cell)), None)


def names(number: Number, cell: Cell) -> bool:
    """Whether a cell is this number."""
    same = (cell.workload, cell.runtime, cell.metric, cell.track) == (
        number.workload,
        number.runtime,
        number.metric,
        number.track,
    )
    return same and (".." in cell.point if number.point is None else number.is_at(cell.point))


def _missing(check: Check, *cells: Cell | None) -> Iterator[str]:
    for number, cell in zip(check.numbers, cells, strict=True):
        if cell is None:
            yield f"{number.runtime} was not part of the run"
        elif cell.typical is None:
            yield f"{number.runtime}: {cell.gap or '; '.join(cell.failures)}"


def _doubt(check: Check, this: Cell, other: Cell, ratio: Estimate, summary: RunSummary) -> str:
    """Why numbers that were measured decide nothing; empty where they do. The shape of a value is not that of its figures."""
    if not summary.claims:
        return NO_CLAIMS
    for number, cell in zip(check.numbers, (this, other), strict=True):
        other_than = _OF_THE_VALUE if number.figure in cell.figures else ()
        if red := [flag.text for flag in cell.flags if flag.level == "red" and flag.name not in other_than]:
            return f"{cell.runtime}: {red[0]}"
    return "" if ratio.confidence else f"{ratio.n} blocks in common are too few for an interval"


def _outcome(check: Check, ratio: Estimate) -> Outcome:
    if not check.is_claim:
        return "shown"
    least, most = check.least or 0.0, math.inf if check.most is None else check.most
    if least <= ratio.low and ratio.high <= most:
        return "borne out"
    return "not borne out" if ratio.high < least or ratio.low > most else "not decided"
