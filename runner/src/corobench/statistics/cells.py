"""The numbers of a column as cells: verdicts against the reference, groups, and every flag."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

import msgspec

from corobench import quantities
from corobench.statistics import doubts, flags, noise, paired, precision, serial, verdict
from corobench.statistics.columns import Column
from corobench.statistics.groups import blocks_needed, groups
from corobench.statistics.sample import Sample
from corobench.statistics.values import Cell, Comparison, Estimate, Flag

FLOOR = "a floor, and no contestant"


def cells(column: Column, whole: set[int], marked: list[str], claims: bool) -> Iterator[Cell]:
    """The numbers of a column with verdicts, groups and flags. `marked`: the columns whose control marks the whole run.

    `claims`: whether the run makes any. A number by which nothing is claimed has neither, and a floor is in no group.
    """
    claims = claims and column.claims
    found = {sample.case.runtime: sample for sample in column.samples}
    beside, delta = _of_control(column, marked, claims), noise.delta(column.control)
    flagged = {name: _flags(sample, column, beside) for name, sample in found.items()}
    logs = _against_reference(column, found, whole)
    ratios = {name: _comparison(column, values, delta, found[name], whole) for name, values in logs.items()}
    for name in (name for name, ratio in ratios.items() if ratio is None):
        flagged[name].append(flags.no_ratio(sum(map(math.isfinite, logs[name])), len(found[name].within(whole))))
    trusted = [name for name, sample in found.items() if sample.within(whole) and flags.trusted(flagged[name])]
    comparable = [name for name in logs if claims and name in trusted and column.reference in trusted and ratios[name]]
    decided = verdict.decide({name: logs[name] for name in comparable}, delta)
    contestants = {name: sample for name, sample in found.items() if name not in column.floors}
    usable = {name: values for name in trusted if name in contestants and (values := found[name].ranked(whole))}
    ranked = groups(usable, delta) if claims and _are_enough(usable) else {}
    best_known = _best_is_known(contestants, trusted)
    for name, sample in found.items():
        comparison = _decided(ratios.get(name), decided.get(name))
        yield _cell(sample, flagged[name], comparison, ranked.get(name), best_known, column.floors.get(name))


def _comparison(column: Column, logs: list[float], delta: float, sample: Sample, whole: set[int]) -> Comparison | None:
    """A ratio to the reference before its family decides; None where too many values are not positive for one."""
    ratio, wide = paired.ratio(logs), paired.ratio(logs, precision.WIDER)
    if not paired.is_finite(ratio):
        return None
    reference = next(other for other in column.samples if other.case.runtime == column.reference)
    return Comparison(
        other=reference.case.runtime,
        ratio=ratio,
        verdict="not comparable",
        delta=delta,
        adjusted_confidence=0.0,
        pairs=len(logs),
        blocks=len(sample.within(whole).keys() & reference.values.keys()),
        wide=paired.half_width(wide) if wide.confidence and paired.is_finite(wide) else None,
    )


def _decided(comparison: Comparison | None, found: verdict.Decision | None) -> Comparison | None:
    if comparison is None or found is None:
        return comparison
    return msgspec.structs.replace(comparison, verdict=found.verdict, adjusted_confidence=found.confidence)


def _are_enough(samples: dict[str, dict[int, float]]) -> bool:
    """Whether so many runtimes have blocks enough to be told apart at all."""
    return max(map(len, samples.values()), default=0) >= blocks_needed(len(samples))


def _best_is_known(found: dict[str, Sample], trusted: list[str]) -> bool:
    """Whether no number that can't be ranked reads better than all that can: else nobody knows who is the best of all."""
    ranked = {name: sample.ranked(set(sample.values)) for name, sample in found.items()}
    medians = {name: statistics.median(values.values()) for name, values in ranked.items() if values}
    best = min((medians[name] for name in trusted if name in medians), default=math.inf)
    return all(name in trusted or value > best for name, value in medians.items())


def _against_reference(column: Column, found: dict[str, Sample], whole: set[int]) -> dict[str, list[float]]:
    reference = found.get(column.reference or "")
    if reference is None:
        return {}
    logs = {name: sample.log_ratios(reference, whole) for name, sample in found.items() if sample is not reference}
    return {name: values for name, values in logs.items() if values}


def _flags(sample: Sample, column: Column, beside: list[Flag]) -> list[Flag]:
    """What is to be said of a number: of itself, and `beside` it of its column. Nothing where there is no number."""
    return [*_own_flags(sample, column), *beside] if sample.values else []


def _own_flags(sample: Sample, column: Column) -> list[Flag]:
    found = flags.of_case(
        sample.workload.kind,
        sample.values,
        serial.estimate(sample.values),
        sample.parts,
        sample.disagreement,
        column.steps.get(sample.case.runtime, flags.TIMER_STEP_NS),
    )
    if sample.metric.value is not None:
        found += flags.in_ticks(quantities.in_ticks(sample.metric.value), sample.invocations)
    if sample.unfinished:
        found.append(flags.unfinished(sample.unfinished))
    if column.quota is not None and sample.case.track == "all-cpus":
        found.append(flags.limited(column.quota))
    return [*found, *doubts.flags(sample, column.doubts)]


def _of_control(column: Column, marked: list[str], claims: bool) -> list[Flag]:
    """What the A/A control of a column, and those of the others, say of all of its numbers."""
    found = []
    if column.control and noise.failed(column.control):
        found.append(flags.control_failed(column.control))
    elif marked:
        found.append(flags.run_marked(marked))
    if claims and not noise.usable(column.control) and not _is_nothing(column.twin):
        found.append(flags.no_control())
    own = _own_flags(column.twin, column) if column.twin and column.twin.values else []
    # That it is wide is in what counts as equal already.
    if red := [flag for flag in own if flag.level == "red" and flag.name not in flags.PRECISION]:
        found.append(flags.control_flagged(red))
    return found


def _is_nothing(twin: Sample | None) -> bool:
    """Whether the reference reads zero in every block (no probe over the limit, say): there is no ratio to control."""
    return twin is not None and bool(twin.values) and max(twin.values.values()) <= 0


def _typical(sample: Sample, flagged: list[Flag]) -> Estimate | None:
    if not sample.values:
        return None
    return msgspec.structs.replace(serial.estimate(sample.values), bound=any(flag.bound for flag in flagged))


def _cell(
    sample: Sample, flagged: list[Flag], comparison: Comparison | None, group: int | None, best_known: bool, floor: str | None
) -> Cell:
    case, metric = sample.case, sample.metric
    failures = list(dict.fromkeys(failure.reason for failure in sample.failures))
    reason = None if sample.values or failures else sample.missing or "not measured: the run ended before"
    return Cell(
        workload=case.workload,
        point=case.point,
        track=case.track,
        runtime=case.runtime,
        metric=metric.name,
        unit=metric.unit,
        better=metric.better,
        typical=_typical(sample, flagged),
        figures=sample.figures,
        samples=sample.values,
        comparison=comparison,
        group=group,
        flags=flagged,
        failures=failures,
        gap=reason,
        curve=sample.curve,
        ladders=sample.ladders,
        notes=[f"{FLOOR}: {floor}"] if floor else [],
        best_known=best_known,
        claims=metric.claims,
        floor=floor is not None,
    )
