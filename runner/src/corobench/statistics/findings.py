"""Whether published claims hold on a box: each is a few ratios of numbers of one run, and the range in which they bear it out.

A ratio is taken block by block (paired.py). It bears the claim out where its whole interval lies in the range, and
contradicts it where the interval lies outside; anything else, and any number that may not be ranked, decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from corobench.claims import Check, Finding, Number
from corobench.statistics import paired
from corobench.statistics.summary import NO_CLAIMS
from corobench.statistics.values import Cell, Estimate, RunSummary, Value

Outcome = Literal["borne out", "in part", "not borne out", "not decided", "not measured"]


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
    return Judged(outcome=together([checked.outcome for checked in checks]), checks=checks)


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
    logs = paired.log_ratios(this.samples, other.samples)
    if not logs:
        return Checked(check=check, this=this, other=other, ratio=None, outcome="not decided", reason="no block in common")
    ratio = paired.ratio(logs)
    reason = _doubt(this, other, ratio, summary)
    outcome: Outcome = "not decided" if reason else _outcome(check, ratio)
    return Checked(check=check, this=this, other=other, ratio=ratio, outcome=outcome, reason=reason)


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
    return same and (".." in cell.point if number.point is None else cell.point == number.point)


def _missing(check: Check, *cells: Cell | None) -> Iterator[str]:
    for number, cell in zip(check.numbers, cells, strict=True):
        if cell is None:
            yield f"{number.runtime} was not part of the run"
        elif cell.typical is None:
            yield f"{number.runtime}: {cell.gap or '; '.join(cell.failures)}"


def _doubt(this: Cell, other: Cell, ratio: Estimate, summary: RunSummary) -> str:
    """Why numbers that were measured decide nothing; empty where they do."""
    if not summary.claims:
        return NO_CLAIMS
    for cell in (this, other):
        if red := [flag.text for flag in cell.flags if flag.level == "red"]:
            return f"{cell.runtime}: {red[0]}"
    return "" if ratio.confidence else f"{ratio.n} blocks in common are too few for an interval"


def _outcome(check: Check, ratio: Estimate) -> Outcome:
    most = math.inf if check.most is None else check.most
    if check.least <= ratio.low and ratio.high <= most:
        return "borne out"
    return "not borne out" if ratio.high < check.least or ratio.low > most else "not decided"
