"""Whether claims hold on a box: each is a few ratios of numbers of one run, and the range in which
they bear it out.

A ratio is taken block by block (estimates.py). It bears the claim out where its whole interval lies
in the range, and contradicts it where the interval lies outside; anything else, and any number that
may not be ranked, decides nothing. Of a number that is off by a known amount at most (flags.py),
the interval is wider by that, and may still lie in the range or outside. A ratio of which nothing
is claimed is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from corobench.statistics import estimates, flags
from corobench.statistics.summary import NO_CLAIMS
from corobench.statistics.types import Cell, Estimate, Flag, Ladder, RunSummary, Value
from corobench.statistics.verdicts import NOISY_DELTA
from corobench.suite.workload import Check, Finding, Number

# What a flag says of a value's own samples is no word on a figure's: those are asked themselves.
_OF_THE_VALUE = ("few", "wide", "drift", "modes", "not linear")
_NATURAL = ": see the curve"  # which is that of the value, too
_AFTER = {"collected": "after a collection"}
Outcome = Literal["borne out", "not borne out", "not decided", "not measured", "shown"]
Whole = Literal[
    "borne out",
    "not borne out",
    "in part",
    "borne out where decided",
    "not borne out where decided",
    "not decided",
    "not measured",
]


class Checked(Value, frozen=True, kw_only=True):
    """One part of a claim in a run. `reason` says what is uncertain of its numbers: why it decides
    nothing, where it does not.
    """

    check: Check
    this: Cell | None
    other: Cell | None
    ratio: Estimate | None
    outcome: Outcome
    reason: str = ""


class Judged(Value, frozen=True, kw_only=True):
    """A claim in a run."""

    outcome: Whole
    checks: list[Checked]

    @property
    def parts(self) -> list[Outcome]:
        """The outcomes of the parts of which something is claimed."""
        return [checked.outcome for checked in self.checks if checked.check.is_claim]

    @property
    def decided(self) -> int:
        """How many of these are borne out or contradicted."""
        return sum(outcome in ("borne out", "not borne out") for outcome in self.parts)


def judge(finding: Finding, summary: RunSummary) -> Judged:
    """What a run says of a claim."""
    checks = [_checked(check, summary) for check in finding.check]
    return Judged(
        outcome=together([checked.outcome for checked in checks if checked.check.is_claim]),
        checks=checks,
    )


def together(outcomes: list[Outcome]) -> Whole:
    """All parts as one: what each of them is, or each that is decided; in part where some are borne
    out and some contradicted.
    """
    told = {"borne out", "not borne out"} & set(outcomes)
    if len(told) == 2:
        return "in part"
    if "borne out" in told:
        return "borne out" if set(outcomes) == told else "borne out where decided"
    if told:
        return "not borne out" if set(outcomes) == told else "not borne out where decided"
    return "not decided" if "not decided" in outcomes else "not measured"


def _checked(check: Check, summary: RunSummary) -> Checked:
    this, other = _cell(check.this, summary), _cell(check.other, summary)
    if missing := next(_missing(check, this, other), None):
        return Checked(
            check=check, this=this, other=other, ratio=None, outcome="not measured", reason=missing
        )
    assert this is not None
    assert other is not None
    ratio = estimates.paired_estimate(
        estimates.within(_samples(check.this, this), summary.whole_blocks),
        _samples(check.other, other),
    )
    if ratio is None:
        return Checked(
            check=check,
            this=this,
            other=other,
            ratio=None,
            outcome="not decided",
            reason="no whole block in common",
        )
    reason, margin = _doubt(check, this, other, ratio, summary)
    outcome: Outcome = "not decided" if margin is None else _outcome(check, ratio, margin)
    return Checked(check=check, this=this, other=other, ratio=ratio, outcome=outcome, reason=reason)


def figure(number: Number, cell: Cell) -> Estimate | None:
    """What a cell says of a number."""
    return cell.figures.get(number.figure, cell.median) if number.figure else cell.median


def _ladder(number: Number, cell: Cell) -> Ladder | None:
    """What the figure of a number was made from; None where the number is the cell's value."""
    return cell.ladders.get(number.figure) if number.figure else None


def _samples(number: Number, cell: Cell) -> dict[int, float]:
    """The values of a number by block."""
    ladder = _ladder(number, cell)
    return ladder.samples if ladder else cell.samples


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
        elif cell.median is None:
            yield f"{number.runtime}: {cell.gap or '; '.join(cell.failures)}"


def _doubt(
    check: Check, this: Cell, other: Cell, ratio: Estimate, summary: RunSummary
) -> tuple[str, float | None]:
    """What is uncertain of numbers that were measured, and by which share their ratio may be off
    for that: None where they decide nothing.
    """
    if not summary.claims:
        return NO_CLAIMS, None
    if not ratio.confidence:
        return f"{ratio.n} blocks in common are too few for an interval", None
    off, told = 1.0, ""
    for number, cell in zip(check.numbers, (this, other), strict=True):
        if red := [flag for flag in _flags(number, cell) if flag.level == "red"]:
            reason = f"{cell.runtime}: {red[0].text}"
            if (margin := flags.margin(red)) is None:
                return reason, None
            told, off = told or reason, off * (1 + max(margin, NOISY_DELTA))
    return told, off - 1


def _flags(number: Number, cell: Cell) -> list[Flag]:
    """The flags of a number. The shape of a value is not that of its figures: a figure has
    its own.
    """
    ladder = _ladder(number, cell)
    if ladder is None or number.figure is None:
        return cell.flags
    own = flags.of_case(
        "memory",
        ladder.samples,
        estimates.serial_median_interval(ladder.samples),
        [],
        ladder.disagreement,
    )
    after = _AFTER[number.figure]
    told = [
        Flag(name=one.name, level=one.level, text=f"{after}, {one.text.removesuffix(_NATURAL)}")
        for one in own
    ]
    return [*told, *(flag for flag in cell.flags if flag.name not in _OF_THE_VALUE)]


def _outcome(check: Check, ratio: Estimate, margin: float) -> Outcome:
    if not check.is_claim:
        return "shown"
    low, high = ratio.low / (1 + margin), ratio.high * (1 + margin)
    least, most = check.least or 0.0, math.inf if check.most is None else check.most
    if least <= low and high <= most:
        return "borne out"
    return "not borne out" if high < least or low > most else "not decided"
