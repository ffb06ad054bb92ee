"""Columns: what is shown together is judged together, against one reference and with one A/A control."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

import msgspec

from corobench import store
from corobench.model import Point, Workload
from corobench.statistics import doubts, facts, figures, flags, noise, paired, serial, series, verdict
from corobench.statistics.groups import blocks_needed, groups
from corobench.statistics.sample import Sample
from corobench.statistics.values import Cell, Comparison, Estimate, Flag, Noise


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown and judged together: every runtime at one metric of one point on one track, and the A/A control."""

    samples: list[Sample]
    reference: str | None
    control: Estimate | None
    control_logs: list[float]
    doubts: doubts.Held

    @property
    def name(self) -> str:
        first = self.samples[0]
        return f"{first.case.cell}/{first.metric.name}"


def columns(header: store.RunHeader, found: dict[str, series.Series], whole: set[int]) -> Iterator[Column]:
    """Every column of a run, in the order of its plan; `whole` are the blocks that may be paired."""
    grouped: dict[tuple[str, str], list[Sample]] = {}
    held: doubts.Held = {}
    for workload, points, cases in _workloads(header, found):
        held |= doubts.held(workload, points, cases)
        for sample in figures.samples(workload, points, cases, header.true_switches):
            grouped.setdefault((sample.case.cell, sample.metric.name), []).append(sample)
    for samples in grouped.values():
        shown = [sample for sample in samples if not sample.case.twin]
        twin = next((sample for sample in samples if sample.case.twin), None)
        reference = twin.case.runtime if twin else _reference(header, shown)
        original = next((sample for sample in shown if sample.case.runtime == reference), None)
        logs = _logs(twin, original, whole) if twin and original else []
        yield Column(
            samples=shown,
            reference=reference,
            control=paired.ratio(logs) if logs else None,
            control_logs=logs,
            doubts=held,
        )


def _workloads(
    header: store.RunHeader, found: dict[str, series.Series]
) -> Iterator[tuple[Workload, dict[str, Point], list[series.Series]]]:
    """Each workload with its points by name and with what the plan asks of it, twins included."""
    for name, workload in facts.workloads(header).items():
        points = {key.partition("/")[2]: point for key, point in header.plan.points.items() if key.startswith(f"{name}/")}
        yield workload, points, [part for part in found.values() if part.case.workload == name]


def _reference(header: store.RunHeader, shown: list[Sample]) -> str | None:
    cells = (part.case.cell for sample in shown for part in sample.parts)
    return next((header.plan.references[cell] for cell in cells if cell in header.plan.references), None)


def _logs(this: Sample, other: Sample, whole: set[int]) -> list[float]:
    return paired.log_ratios(_paired(this, whole), _paired(other, whole))


def _paired(sample: Sample, whole: set[int]) -> dict[int, float]:
    return {block: value for block, value in sample.values.items() if block in whole}


def cells(column: Column, whole: set[int], marked: list[str], claims: bool) -> Iterator[Cell]:
    """The numbers of a column with verdicts, groups and flags. `marked`: the columns whose control marks the whole run."""
    found = {sample.case.runtime: sample for sample in column.samples}
    flagged = {name: _flags(sample, column, marked) for name, sample in found.items()}
    trusted = [name for name, sample in found.items() if _paired(sample, whole) and flags.trusted(flagged[name])]
    delta = noise.delta(column.control)
    logs = _against_reference(column, found, whole)
    comparable = [name for name in logs if claims and name in trusted and column.reference in trusted]
    decided = verdict.decide({name: logs[name] for name in comparable}, delta)
    usable = {name: values for name in trusted if (values := found[name].ranked(whole))}
    ranked = groups(usable, delta) if claims and _first_is_known(found, trusted) and _are_enough(usable) else {}
    for name, sample in found.items():
        comparison = None
        if name in logs:
            decision = decided.get(name, verdict.Decision("not comparable", 0.0))
            comparison = Comparison(
                other=column.reference or "",
                ratio=paired.ratio(logs[name]),
                verdict=decision.verdict,
                delta=delta,
                adjusted_confidence=decision.confidence,
                pairs=len(logs[name]),
            )
        yield _cell(sample, flagged[name], comparison, ranked.get(name))


def _are_enough(samples: dict[str, dict[int, float]]) -> bool:
    """Whether so many runtimes have blocks enough to be told apart at all."""
    return max(map(len, samples.values()), default=0) >= blocks_needed(len(samples))


def _first_is_known(found: dict[str, Sample], trusted: list[str]) -> bool:
    """Whether no number that can't be ranked reads better than all that can: else "group 1" would crown the rest."""
    ranked = {name: sample.ranked(set(sample.values)) for name, sample in found.items()}
    medians = {name: statistics.median(values.values()) for name, values in ranked.items() if values}
    best = min((medians[name] for name in trusted if name in medians), default=math.inf)
    return all(name in trusted or value > best for name, value in medians.items())


def _against_reference(column: Column, found: dict[str, Sample], whole: set[int]) -> dict[str, list[float]]:
    reference = found.get(column.reference or "")
    if reference is None:
        return {}
    logs = {name: _logs(sample, reference, whole) for name, sample in found.items() if sample is not reference}
    return {name: values for name, values in logs.items() if values}


def _flags(sample: Sample, column: Column, marked: list[str]) -> list[Flag]:
    if not sample.values:
        return []
    found = flags.of_case(
        sample.workload.kind,
        sample.values,
        serial.estimate(sample.values),
        sample.invocations,
        len(sample.failures),
        sum(part.retried for part in sample.parts),
        sample.disagreement,
    )
    if sample.unfinished:
        found.append(flags.unfinished(sample.unfinished))
    found += doubts.flags(sample, column.doubts)
    if column.control and noise.failed(column.control):
        found.append(flags.control_failed(column.control))
    elif marked:
        found.append(flags.run_marked(marked))
    return found


def _cell(sample: Sample, flagged: list[Flag], comparison: Comparison | None, group: int | None) -> Cell:
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
        typical=serial.estimate(sample.values) if sample.values else None,
        figures=sample.figures,
        samples=sample.values,
        comparison=comparison,
        group=group,
        flags=flagged,
        failures=failures,
        gap=reason,
        curve=sample.curve,
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
