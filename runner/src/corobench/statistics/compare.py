"""Two runs, number by number: what changed beyond what could be chance, the box or the load.

Where the two took turns, their blocks are paired; otherwise anchors.py says what makes them comparable. The rule of a verdict is
that of verdict.py, with 2 % for its 1 %, paired or not, since layout may have moved the case and its reference; bytes, which no
layout moves, keep the 1 %. A number that is defined otherwise in the two runs is not compared (definitions.py). A confounding
difference downgrades every verdict that it concerns; two boxes get none, only ratios to the reference. A regression is an alarm
about the two runs as a whole: it has to stand out of all their numbers (stepup.py), besides its own column.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from corobench import store
from corobench.statistics import anchors, definitions, environment, holm, nearness, noise, paired, stepup, twosample, verdict
from corobench.statistics.anchors import Method, Side, column_of
from corobench.statistics.values import Cell, Change, Difference, Estimate, RunComparison, Verdict

SCHEMA = 1
THRESHOLD = 0.05
# An identical reference once read over 5 % slower than the canary: arithmetic feels a box otherwise than a runtime does.
CANARY = "only the canary anchors it, and no verdict rests on that: measure the two in turns (corobench run --beside)"
NOTHING_CLAIMED = "nothing is claimed of it: it only helps to judge other numbers"
NOT_POSITIVE = "its values are not positive in too many blocks for a ratio"


class Judged(NamedTuple):
    """A number in both runs before its family decides: p values that it changed, and that it stayed within delta."""

    before: Cell
    after: Cell
    method: Method | None
    ratio: Estimate | None
    differs: float
    equal: float
    delta: float
    reason: str

    @property
    def growth(self) -> float:
        """By which factor it got worse: under 1 where it got better, or where that isn't known."""
        if self.ratio is None:
            return 0.0
        return self.ratio.center if self.before.better == "lower" else 1 / self.ratio.center

    @property
    def worse(self) -> float:
        """One-sided p value that it got worse."""
        return self.differs / 2 if self.growth > 1 else 1.0


def compare(before: store.Run, after: store.Run, threshold: float = THRESHOLD) -> RunComparison:
    """`after` against `before`; a regression is a verdict of "worse" by more than `threshold` (0.05 is 5 %)."""
    first, second = anchors.side(before), anchors.side(after)
    same = environment.same_box(before.header, after.header)
    together = same and anchors.interleaved(before, after)
    differences = [*environment.differences(before.header, after.header), *_meanwhile(before), *_meanwhile(after)]
    confounders = [one for one in differences if one.kind == "confounding"]
    columns: dict[str, list[Judged]] = {}
    for key in sorted(first.cells.keys() & second.cells.keys()):
        judged = _judge(first, second, key, same, together)
        columns.setdefault(column_of(judged.before), []).append(judged)
    fit = [one for column in columns.values() for one in column if _is_fit(one, same)]
    alarms = {id(one) for one, p in zip(fit, stepup.adjust([one.worse for one in fit]), strict=True) if p <= verdict.ALPHA}
    decided = [each for column in columns.values() for each in _decide(column, same, confounders)]
    return RunComparison(
        schema=SCHEMA,
        before=before.header.run,
        after=after.header.run,
        claims=first.summary.claims and second.summary.claims,
        same_box=same,
        interleaved=together,
        threshold=threshold,
        environment=differences,
        changes=[_change(one, found, reason, threshold, id(one) in alarms) for one, found, reason in decided],
        missing=sorted(first.cells.keys() ^ second.cells.keys()),
        warnings=[*_warnings(first, second, same, confounders), *_far_apart(first, second, together)],
    )


def _meanwhile(run: store.Run) -> list[Difference]:
    """What differs within one of the two runs, which spoils a comparison as well."""
    return [msgspec.structs.replace(one, key=f"{one.key} within {run.header.run}") for one in environment.meanwhile(run)]


def _judge(first: Side, second: Side, key: str, same: bool, together: bool) -> Judged:
    before, after = first.cells[key], second.cells[key]
    column = column_of(before)
    least = noise.LEAST_DELTA if before.unit == "B" else noise.LEAST_DELTA_ACROSS
    delta = max(least, first.delta(column), second.delta(column))
    reason = _unfit(first, second, before, after)
    if together:
        return _paired(first, second, key, least, delta, reason)
    method, samples = anchors.anchored(first, second, before, same)
    if method == "canary":
        reason = reason or CANARY
    if method is None or not all(samples):
        none = NOT_POSITIVE if method else "nothing to compare by: no reference stayed the same"
        return Judged(before, after, None, None, 1.0, 1.0, delta, reason or none)
    p_differs = twosample.p_differs(*samples, bound=math.log1p(least))
    p_equal = twosample.p_within(*samples, bound=math.log1p(delta))
    return Judged(before, after, method, twosample.ratio(*samples), p_differs, p_equal, delta, reason)


def _paired(first: Side, second: Side, key: str, least: float, delta: float, reason: str) -> Judged:
    before, after = first.cells[key], second.cells[key]
    logs = paired.log_ratios(second.values(key), first.values(key))
    if not logs:
        return Judged(before, after, None, None, 1.0, 1.0, delta, reason or "no whole block in common")
    ratio, p_equal = paired.ratio(logs), verdict.p_within(logs, math.log1p(delta))
    if not paired.is_finite(ratio):
        return Judged(before, after, None, None, 1.0, 1.0, delta, reason or NOT_POSITIVE)
    return Judged(before, after, "paired", ratio, verdict.p_differs(logs, least), p_equal, delta, reason)


def _unfit(first: Side, second: Side, before: Cell, after: Cell) -> str:
    """Why this number may carry no verdict; empty where it may."""
    if other := definitions.changed(first.run.header, second.run.header, before):
        return f"it is defined otherwise in the second run: {', '.join(other)}"
    if not (before.claims and after.claims):
        return NOTHING_CLAIMED
    if not (first.summary.claims and second.summary.claims):
        return "a quick run makes no claims"
    for name, cell in (("first", before), ("second", after)):
        if red := [flag.text for flag in cell.flags if flag.level == "red"]:
            return f"not trusted in the {name} run: {red[0]}"
    return ""


def _is_fit(one: Judged, same: bool) -> bool:
    """Whether a number may have a verdict."""
    return same and not one.reason and one.ratio is not None


def _decide(column: list[Judged], same: bool, confounders: list[Difference]) -> Iterator[tuple[Judged, verdict.Decision, str]]:
    """The verdicts of one column with what withholds them, Holm over those of its numbers that may have one."""
    fit = [one for one in column if _is_fit(one, same)]
    differs = holm.adjust([one.differs for one in fit])
    equal = holm.adjust([one.equal for one in fit])
    decided = {id(one): pair for one, pair in zip(fit, zip(differs, equal, strict=True), strict=True)}
    spoilt = [one.key for one in confounders if not one.workloads or column[0].before.workload in one.workloads]
    for one in column:
        if one.ratio is None or id(one) not in decided:
            yield one, verdict.Decision("not comparable", 0.0), one.reason or ("" if same else "two boxes: ratios only")
            continue
        found = verdict.judge(math.log(one.ratio.center), one.delta, *decided[id(one)])
        if spoilt and found.verdict != "inconclusive":
            reason = f"would be {found.verdict!r}, but the runs differ in {', '.join(spoilt[:3])}"
            yield one, verdict.Decision("inconclusive", found.confidence), reason
        else:
            yield one, found, ""


def _change(one: Judged, found: verdict.Decision, reason: str, threshold: float, alarm: bool) -> Change:
    """`alarm`: it got worse beyond what chance makes of all the numbers."""
    cell, later = one.before, one.after
    if cell.typical is None or later.typical is None:
        raise ValueError(f"{cell.key} has no number to compare")
    worse: Verdict = "higher" if cell.better == "lower" else "lower"
    return Change(
        workload=cell.workload,
        point=cell.point,
        track=cell.track,
        runtime=cell.runtime,
        metric=cell.metric,
        unit=cell.unit,
        better=cell.better,
        before=cell.typical,
        after=later.typical,
        ratio=one.ratio,
        method=one.method,
        verdict=found.verdict,
        delta=one.delta,
        adjusted_confidence=found.confidence,
        regression=alarm and found.verdict == worse and one.growth > 1 + threshold,
        reason=reason,
    )


def _warnings(first: Side, second: Side, same: bool, confounders: list[Difference]) -> Iterator[str]:
    if not same:
        yield "different boxes: only ratios to the reference are compared, and nothing is called lower or higher"
    elif confounders:
        yield f"confounding differences ({', '.join(map(_told, confounders))}): no verdict but inconclusive"
    for side in (first, second):
        yield from (f"{side.summary.run}: {warning}" for warning in side.summary.warnings)


def _told(one: Difference) -> str:
    return f"{one.key}, of {' and '.join(one.workloads)} only" if one.workloads else one.key


def _far_apart(first: Side, second: Side, together: bool) -> Iterator[str]:
    """Runs of before took a whole block at a time, so that what is paired may be minutes apart."""
    seconds = nearness.between(first.run, second.run, first.whole & second.whole) if together else 0.0
    if seconds > nearness.NEAR_S:
        yield f"what is paired was measured {seconds:.0f} s apart (median): what the box did meanwhile is not the same for both"
