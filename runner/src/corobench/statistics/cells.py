"""Columns of figures, judged together, as cells."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator

import msgspec

from corobench.results import log
from corobench.statistics import estimates, figures, flags, samples, verdicts
from corobench.statistics.samples import Sample
from corobench.statistics.types import Cell, Comparison, Estimate, Flag, Noise
from corobench.statistics.verdicts import group_blocks_needed, groups
from corobench.suite import variables
from corobench.suite.workload import Point, Workload


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown and judged together: every runtime at one metric of one point on one track, and
    the A/A control.

    `twin`: the reference under its second name. `steps`: what the clock of each runtime's harness
    can tell (samples.timer_steps). `plain`: what each runtime's tasks cost at least on this track;
    `points`: those of the plan. `lower_bounds`: the runtimes that are no contestants here, and why.
    `quota`: the CPU quota of the box, if it has one.
    """

    samples: list[Sample]
    reference: str | None
    twin: Sample | None
    control: Estimate | None
    control_logs: list[float]
    doubts: flags.Held
    steps: dict[str, float]
    plain: dict[str, flags.Plain]
    points: dict[str, Point]
    lower_bounds: dict[str, str]
    quota: float | None

    @property
    def claims(self) -> bool:
        """Whether the spec has runtimes told apart by this number."""
        return self.samples[0].metric.claims

    @property
    def name(self) -> str:
        first = self.samples[0]
        return f"{first.case.cell}/{first.metric.name}"


def columns(
    header: log.RunHeader,
    found: dict[str, samples.Series],
    whole: set[int],
    steps: dict[str, float],
) -> Iterator[Column]:
    """Every column of a run, in the order of its plan; `whole` are the blocks that may be
    paired.
    """
    grouped: dict[tuple[str, str], list[Sample]] = {}
    held: flags.Held = {}
    units = {name: str(known.get("unit")) for name, known in header.runtimes.items()}
    plain = flags.plain_costs(found.values(), header.plan.points, units)
    for workload, points, cases in _workloads(header, found):
        held |= flags.held_doubts(workload, points, cases)
        for sample in figures.figures_of(workload, points, cases, header.true_switches):
            grouped.setdefault((sample.case.cell, sample.metric.name), []).append(sample)
    for group in grouped.values():
        # A ladder of the twin's own, from points that the reference shares with few, is no column.
        if all(sample.case.twin for sample in group):
            continue
        shown = [sample for sample in group if not sample.case.twin]
        twin = next((sample for sample in group if sample.case.twin), None)
        reference = twin.case.runtime if twin else _reference(header, shown)
        original = next((sample for sample in shown if sample.case.runtime == reference), None)
        logs = twin.log_ratios(original, whole) if twin and original else []
        yield Column(
            samples=shown,
            reference=reference,
            twin=twin,
            control=control
            if logs and estimates.is_finite(control := estimates.paired_ratio(logs))
            else None,
            control_logs=logs,
            doubts=held,
            steps=steps,
            plain={
                runtime: costs
                for (runtime, track), costs in plain.items()
                if track == shown[0].case.track
            },
            points=header.plan.points,
            lower_bounds=_lower_bounds(header, shown[0].case.workload),
            quota=header.box.get("cgroup", {}).get("cpus"),
        )


def _lower_bounds(header: log.RunHeader, workload: str) -> dict[str, str]:
    """Runtime -> why it is no contestant of this workload; a run that was made before manifests
    said so has none.
    """
    said = (
        (name, known.get("lower_bound", known.get("floor", {})).get(workload))
        for name, known in header.runtimes.items()
    )
    return {name: why for name, why in said if why}


def _workloads(
    header: log.RunHeader, found: dict[str, samples.Series]
) -> Iterator[tuple[Workload, dict[str, Point], list[samples.Series]]]:
    """Each workload with its points by name and with what the plan asks of it, twins included."""
    for name, workload in header.specs.items():
        points = {
            key.partition("/")[2]: point
            for key, point in header.plan.points.items()
            if key.startswith(f"{name}/")
        }
        yield workload, points, [part for part in found.values() if part.case.workload == name]


def _reference(header: log.RunHeader, shown: list[Sample]) -> str | None:
    cells = (part.case.cell for sample in shown for part in sample.parts)
    return next(
        (header.plan.references[cell] for cell in cells if cell in header.plan.references), None
    )


def noise_of(column: Column, control: Estimate) -> Noise:
    """The A/A control of a column as a value of its own."""
    case = column.samples[0].case
    return Noise(
        workload=case.workload,
        point=case.point,
        track=case.track,
        runtime=column.reference or "",
        metric=column.samples[0].metric.name,
        ratio=control,
    )


LOWER_BOUND = "a lower bound, and no contestant"


def cells(column: Column, whole: set[int], marked: list[str], claims: bool) -> Iterator[Cell]:
    """The numbers of a column with verdicts, groups and flags. `marked`: the columns whose control
    marks the whole run.

    `claims`: whether the run makes any. A number by which nothing is claimed has neither, and a
    lower bound is in no group.
    """
    claims = claims and column.claims
    found = {sample.case.runtime: sample for sample in column.samples}
    beside, delta = _of_control(column, marked, claims), verdicts.noise_delta(column.control)
    flagged = {name: _flags(sample, column, beside) for name, sample in found.items()}
    logs = _against_reference(column, found, whole)
    ratios = {
        name: _comparison(column, values, delta, found[name], whole)
        for name, values in logs.items()
    }
    for name in (name for name, ratio in ratios.items() if ratio is None):
        flagged[name].append(
            flags.no_ratio(sum(map(math.isfinite, logs[name])), len(found[name].within(whole)))
        )
    trusted = [
        name
        for name, sample in found.items()
        if sample.within(whole) and flags.trusted(flagged[name])
    ]
    contestants = {
        name: sample for name, sample in found.items() if name not in column.lower_bounds
    }

    def usable(names: Iterable[str]) -> dict[str, dict[int, float]]:
        return {
            name: values
            for name in names
            if name in contestants and (values := found[name].ranked(whole))
        }

    sure = usable(trusted)
    margins = {
        name: margin
        for name in found
        if name not in trusted and (margin := flags.margin(flagged[name])) is not None
    }
    noisy = usable(margins)
    ranked = groups(sure, delta) if claims and _are_enough(sure) else {}
    if noisy and claims and _are_enough({**sure, **noisy}):
        ranked = verdicts.with_noisy(ranked, sure, noisy, delta, margins)
    for name in noisy.keys() & ranked.keys():
        flagged[name] = flags.placed(flagged[name])
        trusted.append(name)
    comparable = [
        name
        for name in logs
        if claims and name in trusted and column.reference in trusted and ratios[name]
    ]
    decided = verdicts.decide({name: logs[name] for name in comparable}, delta)
    best_known = _best_is_known(contestants, trusted)
    for name, sample in found.items():
        comparison = _decided(ratios.get(name), decided.get(name))
        yield _cell(
            sample,
            flagged[name],
            comparison,
            ranked.get(name),
            best_known,
            column.lower_bounds.get(name),
        )


def _comparison(
    column: Column, logs: list[float], delta: float, sample: Sample, whole: set[int]
) -> Comparison | None:
    """A ratio to the reference before its family decides; None where too many values are not
    positive for one.
    """
    ratio, wide = estimates.paired_ratio(logs), estimates.paired_ratio(logs, estimates.WIDER)
    if not estimates.is_finite(ratio):
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
        wide=estimates.ratio_half_width(wide)
        if wide.confidence and estimates.is_finite(wide)
        else None,
    )


def _decided(comparison: Comparison | None, found: verdicts.Decision | None) -> Comparison | None:
    if comparison is None or found is None:
        return comparison
    return msgspec.structs.replace(
        comparison, verdict=found.verdict, adjusted_confidence=found.confidence
    )


def _are_enough(samples: dict[str, dict[int, float]]) -> bool:
    """Whether so many runtimes have blocks enough to be told apart at all."""
    return max(map(len, samples.values()), default=0) >= group_blocks_needed(len(samples))


def _best_is_known(found: dict[str, Sample], trusted: list[str]) -> bool:
    """Whether no number that can't be ranked reads better than all that can: else nobody knows who
    is the best of all.
    """
    ranked = {name: sample.ranked(set(sample.values)) for name, sample in found.items()}
    medians = {
        name: statistics.median(values.values()) for name, values in ranked.items() if values
    }
    best = min((medians[name] for name in trusted if name in medians), default=math.inf)
    return all(name in trusted or value > best for name, value in medians.items())


def _against_reference(
    column: Column, found: dict[str, Sample], whole: set[int]
) -> dict[str, list[float]]:
    reference = found.get(column.reference or "")
    if reference is None:
        return {}
    logs = {
        name: sample.log_ratios(reference, whole)
        for name, sample in found.items()
        if sample is not reference
    }
    return {name: values for name, values in logs.items() if values}


def _flags(sample: Sample, column: Column, beside: list[Flag]) -> list[Flag]:
    """What is to be said of a number: of itself, and `beside` it of its column. Nothing where there
    is no number.
    """
    return [*_own_flags(sample, column), *beside] if sample.values else []


def _own_flags(sample: Sample, column: Column) -> list[Flag]:
    found = flags.of_case(
        sample.workload.kind,
        sample.values,
        estimates.serial_median_interval(sample.values),
        sample.parts,
        sample.disagreement,
        column.steps.get(sample.case.runtime, flags.TIMER_STEP_NS),
    )
    if sample.metric.value is not None:
        found += flags.in_ticks(variables.in_ticks(sample.metric.value), sample.invocations)
    if plain := column.plain.get(sample.case.runtime):
        found += flags.of_plain_costs(sample, plain, column.points)
    if sample.unfinished:
        found.append(flags.unfinished(sample.unfinished))
    if column.quota is not None and sample.case.track == "all-cpus":
        found.append(flags.limited(column.quota))
    return [*found, *flags.doubt_flags(sample, column.doubts)]


def _of_control(column: Column, marked: list[str], claims: bool) -> list[Flag]:
    """What the A/A control of a column, and those of the others, say of all of its numbers."""
    found = []
    if column.control and verdicts.noise_failed(column.control):
        found.append(flags.control_failed(column.control))
    elif marked:
        found.append(flags.run_marked(marked))
    if claims and not verdicts.usable_control(column.control) and not _is_nothing(column.twin):
        found.append(flags.no_control())
    own = _own_flags(column.twin, column) if column.twin and column.twin.values else []
    # That it is wide is in what counts as equal already.
    if red := [flag for flag in own if flag.level == "red" and flag.name not in flags.PRECISION]:
        found.append(flags.control_flagged(red))
    return found


def _is_nothing(twin: Sample | None) -> bool:
    """Whether the reference reads zero in every block (no probe over the limit, say): there is no
    ratio to control.
    """
    return twin is not None and bool(twin.values) and max(twin.values.values()) <= 0


def _typical(sample: Sample, flagged: list[Flag]) -> Estimate | None:
    if not sample.values:
        return None
    return msgspec.structs.replace(
        estimates.serial_median_interval(sample.values), bound=any(flag.bound for flag in flagged)
    )


def _cell(
    sample: Sample,
    flagged: list[Flag],
    comparison: Comparison | None,
    group: int | None,
    best_known: bool,
    lower_bound: str | None,
) -> Cell:
    case, metric = sample.case, sample.metric
    failures = list(dict.fromkeys(failure.reason for failure in sample.failures))
    reason = (
        None
        if sample.values or failures
        else sample.missing or "not measured: the run ended before"
    )
    return Cell(
        workload=case.workload,
        point=case.point,
        track=case.track,
        runtime=case.runtime,
        metric=metric.name,
        unit=metric.unit,
        better=metric.better,
        median=_typical(sample, flagged),
        figures=sample.figures,
        samples=sample.values,
        comparison=comparison,
        group=group,
        flags=flagged,
        failures=failures,
        gap=reason,
        curve=sample.curve,
        ladders=sample.ladders,
        notes=[f"{LOWER_BOUND}: {lower_bound}"] if lower_bound else [],
        best_known=best_known,
        claims=metric.claims,
        lower_bound=lower_bound is not None,
    )
