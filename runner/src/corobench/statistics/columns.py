"""Columns: what is shown together is judged together, against one reference and with one A/A control."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from corobench import store
from corobench.model import Point, Workload
from corobench.statistics import doubts, facts, figures, paired, series
from corobench.statistics.sample import Sample
from corobench.statistics.values import Estimate, Noise


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown and judged together: every runtime at one metric of one point on one track, and the A/A control.

    `twin`: the reference under its second name. `steps`: what the clock of each runtime's harness can tell (series.timer_steps).
    `floors`: the runtimes that are no contestants here, and why. `quota`: the CPU quota of the box, if it has one.
    """

    samples: list[Sample]
    reference: str | None
    twin: Sample | None
    control: Estimate | None
    control_logs: list[float]
    doubts: doubts.Held
    steps: dict[str, float]
    floors: dict[str, str]
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
    header: store.RunHeader, found: dict[str, series.Series], whole: set[int], steps: dict[str, float]
) -> Iterator[Column]:
    """Every column of a run, in the order of its plan; `whole` are the blocks that may be paired."""
    grouped: dict[tuple[str, str], list[Sample]] = {}
    held: doubts.Held = {}
    for workload, points, cases in _workloads(header, found):
        held |= doubts.held(workload, points, cases)
        for sample in figures.samples(workload, points, cases, header.true_switches):
            grouped.setdefault((sample.case.cell, sample.metric.name), []).append(sample)
    for samples in grouped.values():
        # A ladder of the twin's own, from points that the reference shares with few, is no column.
        if all(sample.case.twin for sample in samples):
            continue
        shown = [sample for sample in samples if not sample.case.twin]
        twin = next((sample for sample in samples if sample.case.twin), None)
        reference = twin.case.runtime if twin else _reference(header, shown)
        original = next((sample for sample in shown if sample.case.runtime == reference), None)
        logs = twin.log_ratios(original, whole) if twin and original else []
        yield Column(
            samples=shown,
            reference=reference,
            twin=twin,
            control=control if logs and paired.is_finite(control := paired.ratio(logs)) else None,
            control_logs=logs,
            doubts=held,
            steps=steps,
            floors=_floors(header, shown[0].case.workload),
            quota=header.box.get("cgroup", {}).get("cpus"),
        )


def _floors(header: store.RunHeader, workload: str) -> dict[str, str]:
    """Runtime -> why it is no contestant of this workload; a run that was made before manifests said so has none."""
    said = ((name, known.get("floor", {}).get(workload)) for name, known in header.runtimes.items())
    return {name: why for name, why in said if why}


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
