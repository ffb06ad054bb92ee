"""What makes two runs comparable: that they took turns, or something that was measured in both and
stayed the same.

A box is not the same twice (its median moved by 12 % between two campaigns), so that times of two
runs are compared as ratios to the reference runtime of the column. Where the reference's own
programs changed, and for the reference itself, the canary stands in. Bytes need no anchor: they
don't depend on the speed of the box.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from corobench.results import log
from corobench.statistics import controls, counts, environment, estimates, samples, verdicts
from corobench.statistics.summary import summarise_given
from corobench.statistics.types import (
    Cell,
    Change,
    Counted,
    Difference,
    Estimate,
    RunComparison,
    RunSummary,
    Verdict,
)

Method = Literal["paired", "reference", "canary", "absolute", "counted"]
LogPair = tuple[list[float], list[float]]


class Side(NamedTuple):
    """One of the two runs, with what comparing needs of it."""

    run: log.Run
    summary: RunSummary
    cells: dict[str, Cell]
    whole: set[int]
    canary: dict[int, float]

    def values(self, key: str) -> dict[int, float]:
        """The values of a number by block, whole blocks only."""
        return estimates.within(self.cells[key].samples, self.whole)

    def delta(self, column: str) -> float:
        """The zone that counts as equal, by the A/A control of a column."""
        controls = (
            c.ratio
            for c in self.summary.noise
            if f"{c.workload}/{c.point}/{c.track}/{c.metric}" == column
        )
        return verdicts.noise_delta(next(controls, None))

    def reference(self, column: str) -> str | None:
        """The runtime that the column's cells were compared with."""
        found = (
            cell.comparison
            for cell in self.cells.values()
            if cell.comparison and column_of(cell) == column
        )
        return next((comparison.other for comparison in found), None)


def side(run: log.Run) -> Side:
    summary = summarise_given(run)
    cells = {cell.key: cell for cell in summary.cells if cell.median is not None}
    return Side(run, summary, cells, samples.whole_blocks(run), samples.canary_seconds(run))


def column_of(cell: Cell) -> str:
    """What is judged together: every runtime at one metric of one point on one track."""
    return "/".join((cell.workload, cell.point, cell.track, cell.metric))


def interleaved(before: log.Run, after: log.Run) -> bool:
    """Whether the two runs took turns: each block that both have whole was over in both before
    another one began in either.

    Within a block they may have taken turns at its families or have done it one after the other, in
    any order.
    """
    spans = _spans(before, after)
    return len(spans) > 1 and all(end < start for (_, end), (start, _) in pairwise(spans))


def _spans(*runs: log.Run) -> list[tuple[str, str]]:
    """The first and the last start in each block that all runs have whole, in the order of time."""
    whole = set.intersection(*(samples.whole_blocks(run) for run in runs))
    starts: dict[int, list[str]] = {}
    for invocation in (one for run in runs for one in run.invocations):
        if invocation.block in whole:
            starts.setdefault(invocation.block, []).append(invocation.started)
    return sorted((min(found), max(found)) for found in starts.values())


def anchored(first: Side, second: Side, cell: Cell, same: bool) -> tuple[Method | None, LogPair]:
    """How a number that isn't paired is compared, with the logs of both runs; None where nothing
    stayed the same.
    """
    if cell.unit == "B" and same:
        return "absolute", (_logs(first, cell, None), _logs(second, cell, None))
    if anchor := _same_reference(first, second, cell, same):
        return "reference", (
            _logs(first, cell, first.values(anchor)),
            _logs(second, cell, second.values(anchor)),
        )
    if same and first.canary and second.canary and cell.unit == "s":
        return "canary", (_logs(first, cell, first.canary), _logs(second, cell, second.canary))
    return None, ([], [])


def _same_reference(first: Side, second: Side, cell: Cell, same: bool) -> str | None:
    """The key of the reference's number in the cell's column, where both runs have it and its
    programs are the same.
    """
    column = column_of(cell)
    reference = first.reference(column)
    if reference is None or reference != second.reference(column) or reference == cell.runtime:
        return None
    if same and environment.program_changed(first.run.header, second.run.header, reference):
        return None
    key = "/".join((cell.workload, cell.point, cell.track, reference, cell.metric))
    return key if key in first.cells and key in second.cells else None


def _logs(one: Side, cell: Cell, anchor: Mapping[int, float] | None) -> list[float]:
    """The logs of one run; none where a value is not positive, since differences of two such
    samples have no side to keep.
    """
    values = one.values(cell.key)
    logs = estimates.log_ratios(values, dict.fromkeys(values, 1.0) if anchor is None else anchor)
    return logs if all(map(math.isfinite, logs)) else []


SCHEMA = 1
THRESHOLD = 0.05
# An identical reference once read over 5 % slower than the canary: arithmetic feels a box otherwise
# than a runtime does.
CANARY = (
    "only the canary anchors it, and no verdict rests on that: measure the two in turns "
    "(corobench run --beside)"
)
NOTHING_CLAIMED = "nothing is claimed of it: it only helps to judge other numbers"
NOT_POSITIVE = "its values are not positive in too many blocks for a ratio"


class Judged(NamedTuple):
    """A number in both runs before its family decides: p values that it changed, and that it stayed
    within delta.
    """

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


def compare(before: log.Run, after: log.Run, threshold: float = THRESHOLD) -> RunComparison:
    """`after` against `before`; a regression is a verdict of "worse" by more than `threshold` (0.05
    is 5 %).
    """
    first, second = side(before), side(after)
    same = environment.same_box(before.header, after.header)
    together = same and interleaved(before, after)
    differences = [
        *environment.differences(before.header, after.header),
        *_meanwhile(before),
        *_meanwhile(after),
    ]
    confounders = [one for one in differences if one.kind == "confounding"]
    columns: dict[str, list[Judged]] = {}
    for key in sorted(first.cells.keys() & second.cells.keys()):
        judged = _judge(first, second, key, same, together)
        columns.setdefault(column_of(judged.before), []).append(judged)
    fit = [one for column in columns.values() for one in column if _is_fit(one, same)]
    alarms = {
        id(one)
        for one, p in zip(
            fit, estimates.benjamini_hochberg([one.worse for one in fit]), strict=True
        )
        if p <= verdicts.ALPHA
    }
    decided = [each for column in columns.values() for each in _decide(column, same, confounders)]
    instructions = _instructions(first.summary, second.summary)
    return RunComparison(
        schema=SCHEMA,
        before=before.header.run,
        after=after.header.run,
        claims=first.summary.claims and second.summary.claims,
        same_box=same,
        interleaved=together,
        threshold=threshold,
        environment=differences,
        changes=[
            _by_count(
                _change(one, found, reason, threshold, id(one) in alarms),
                instructions.get(one.before.key),
                environment.definition_changes(before.header, after.header, one.before),
                threshold,
            )
            for one, found, reason in decided
        ],
        missing=sorted(first.cells.keys() ^ second.cells.keys()),
        warnings=[
            *_warnings(first, second, same, confounders),
            *_far_apart(first, second, together),
        ],
    )


def _meanwhile(run: log.Run) -> list[Difference]:
    """What differs within one of the two runs, which spoils a comparison as well."""
    return [
        msgspec.structs.replace(one, key=f"{one.key} within {run.header.run}")
        for one in environment.meanwhile(run)
    ]


def _judge(first: Side, second: Side, key: str, same: bool, together: bool) -> Judged:
    before, after = first.cells[key], second.cells[key]
    column = column_of(before)
    least = verdicts.LEAST_DELTA if before.unit == "B" else verdicts.LEAST_DELTA_ACROSS
    delta = max(least, first.delta(column), second.delta(column))
    reason = _unfit(first, second, before, after)
    if together:
        return _paired(first, second, key, least, delta, reason)
    method, samples = anchored(first, second, before, same)
    if method == "canary":
        reason = reason or CANARY
    if method is None or not all(samples):
        none = NOT_POSITIVE if method else "nothing to compare by: no reference stayed the same"
        return Judged(before, after, None, None, 1.0, 1.0, delta, reason or none)
    p_differs = estimates.unpaired_p_differs(*samples, bound=math.log1p(least))
    p_equal = estimates.unpaired_p_within(*samples, bound=math.log1p(delta))
    return Judged(
        before, after, method, estimates.unpaired_ratio(*samples), p_differs, p_equal, delta, reason
    )


def _paired(first: Side, second: Side, key: str, least: float, delta: float, reason: str) -> Judged:
    before, after = first.cells[key], second.cells[key]
    logs = estimates.log_ratios(second.values(key), first.values(key))
    if not logs:
        return Judged(
            before, after, None, None, 1.0, 1.0, delta, reason or "no whole block in common"
        )
    ratio, p_equal = estimates.paired_ratio(logs), verdicts.p_within(logs, math.log1p(delta))
    if not estimates.is_finite(ratio):
        return Judged(before, after, None, None, 1.0, 1.0, delta, reason or NOT_POSITIVE)
    return Judged(
        before, after, "paired", ratio, verdicts.p_differs(logs, least), p_equal, delta, reason
    )


def _unfit(first: Side, second: Side, before: Cell, after: Cell) -> str:
    """Why this number may carry no verdict; empty where it may."""
    if other := environment.definition_changes(first.run.header, second.run.header, before):
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


def _decide(
    column: list[Judged], same: bool, confounders: list[Difference]
) -> Iterator[tuple[Judged, verdicts.Decision, str]]:
    """The verdicts of one column with what withholds them, Holm over those of its numbers that may
    have one.
    """
    fit = [one for one in column if _is_fit(one, same)]
    differs = estimates.holm([one.differs for one in fit])
    equal = estimates.holm([one.equal for one in fit])
    decided = {
        id(one): pair for one, pair in zip(fit, zip(differs, equal, strict=True), strict=True)
    }
    spoilt = [
        one.key
        for one in confounders
        if not one.workloads or column[0].before.workload in one.workloads
    ]
    for one in column:
        if one.ratio is None or id(one) not in decided:
            yield (
                one,
                verdicts.Decision("not comparable", 0.0),
                one.reason or ("" if same else "two boxes: ratios only"),
            )
            continue
        found = verdicts.judge(math.log(one.ratio.center), one.delta, *decided[id(one)])
        if spoilt and found.verdict != "inconclusive":
            reason = f"would be {found.verdict!r}, but the runs differ in {', '.join(spoilt[:3])}"
            yield one, verdicts.Decision("inconclusive", found.confidence), reason
        else:
            yield one, found, ""


def _change(
    one: Judged, found: verdicts.Decision, reason: str, threshold: float, alarm: bool
) -> Change:
    """`alarm`: it got worse beyond what chance makes of all the numbers."""
    cell, later = one.before, one.after
    if cell.median is None or later.median is None:
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
        before=cell.median,
        after=later.median,
        ratio=one.ratio,
        method=one.method,
        verdict=found.verdict,
        delta=one.delta,
        adjusted_confidence=found.confidence,
        regression=alarm and found.verdict == worse and one.growth > 1 + threshold,
        reason=reason,
    )


def _instructions(before: RunSummary, after: RunSummary) -> dict[str, tuple[Counted, Counted]]:
    """The instruction counts that both runs have, by the key of the time that they stand beside."""
    known, others = (
        {
            one.key: one
            for one in summary.counts
            if one.event == "instructions" and min(one.samples, default=0) > 0
        }
        for summary in (before, after)
    )
    return {
        "/".join((one.workload, one.point, one.track, one.runtime, "time")): (known[key], one)
        for key, one in others.items()
        if key in known
    }


def _by_count(
    change: Change,
    pair: tuple[Counted, Counted] | None,
    redefined: list[str],
    threshold: float,
) -> Change:
    """A change decided by instructions where time can't tell; with their ratio where it can. Counts
    ask neither for quiet boxes nor for blocks, so that a run without claims has a verdict, too.
    """
    if pair is None or redefined:
        return change
    before, after = pair
    ratio = counts.ratio(before.samples, after.samples)
    told = msgspec.structs.replace(change, instructions=ratio)
    if change.verdict not in ("inconclusive", "not comparable"):
        return told
    verdict: Verdict = (
        "equal" if not counts.changed(ratio) else "higher" if ratio.center > 1 else "lower"
    )
    return msgspec.structs.replace(
        told,
        method="counted",
        verdict=verdict,
        delta=counts.LEAST_SPREAD,
        regression=verdict == "higher" and ratio.center > 1 + threshold,
        reason="",
    )


def _warnings(
    first: Side, second: Side, same: bool, confounders: list[Difference]
) -> Iterator[str]:
    if not same:
        yield (
            "different boxes: only ratios to the reference are compared, and nothing is called "
            "lower or higher"
        )
    elif confounders:
        yield (
            f"confounding differences ({', '.join(map(_told, confounders))}): no verdict but "
            "inconclusive"
        )
    for side in (first, second):
        yield from (f"{side.summary.run}: {warning}" for warning in side.summary.warnings)


def _told(one: Difference) -> str:
    return f"{one.key}, of {' and '.join(one.workloads)} only" if one.workloads else one.key


def _far_apart(first: Side, second: Side, together: bool) -> Iterator[str]:
    """Runs of before took a whole block at a time, so that what is paired may be minutes apart."""
    seconds = (
        controls.seconds_between(first.run, second.run, first.whole & second.whole)
        if together
        else 0.0
    )
    if seconds > controls.NEAR_S:
        yield (
            f"what is paired was measured {seconds:.0f} s apart (median): what the box did "
            "meanwhile is not the same for both"
        )
