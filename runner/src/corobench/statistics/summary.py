"""From a run to its summary: numbers with n, intervals, verdicts, groups and warnings. Pure; the
raw log decides everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from corobench.errors import UserError
from corobench.plan import Gap
from corobench.results import log
from corobench.statistics import diagnostics, environment, samples, verdicts
from corobench.statistics.cells import cells as judged
from corobench.statistics.cells import columns, noise_of
from corobench.statistics.controls import (
    carry_over_effects,
    carry_over_warnings,
    cross_check_agreement,
    cross_check_flagged,
    cross_check_warnings,
    spread_warnings,
    time_spans,
)
from corobench.statistics.counts import counts, disagreements, time_flagged
from corobench.statistics.types import Agreement, CarryOver, Cell, RunSummary

SCHEMA = 1
NO_CLAIMS = "quick run: no claims"
# What a box does to a program, rather than a program to itself.
BOX_FLAGS = {
    "other-cpu": "other programs",
    "steal": "the hypervisor",
    "drift": "drift",
    "modes": "two modes",
}
LOUD = 0.1  # share of the numbers: one in a hundred is flagged by chance


def summarise_given(run: log.Run) -> RunSummary:
    """The same of a run that may come from anybody. UserError, which names it, where what it holds
    can't be summarised.
    """
    try:
        return summarise(run)
    # Facts of a box and values of a control have no type: whatever is asked of them may be missing.
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
        raise UserError(
            f"{run.folder}: can't be summarised ({error}); `corobench check` says what is wrong"
        ) from error


def summarise(run: log.Run) -> RunSummary:
    """The summary of a run, finished or not."""
    header = run.header
    whole = samples.whole_blocks(run)
    found = samples.collect(run)
    told = samples.effective_settings(found.values())
    shown = list(columns(header, found, whole, samples.timer_steps(run)))
    marked = verdicts.run_noise_failed(
        {
            column.name: column.control_logs
            for column in shown
            if column.control_logs and column.claims
        }
    )
    cells = [cell for column in shown for cell in judged(column, whole, marked, header.claims)]
    agreement = cross_check_agreement(run, cells)
    cells = cross_check_flagged(cells, agreement)
    counted = counts(run, cells)
    cells = time_flagged(cells, counted, run.header.specs)
    carried = carry_over_effects(run, found, shown)
    controls = [column.control for column in shown if column.control and column.claims]
    spans = time_spans(run, whole)
    warnings = [
        *_warnings(run, marked),
        *_contaminated(cells),
        *spread_warnings(spans),
        *cross_check_warnings(run, agreement),
        *carry_over_warnings(carried),
        *disagreements(counted),
    ]
    return RunSummary(
        schema=SCHEMA,
        run=header.run,
        created=header.created,
        profile=header.plan.profile,
        claims=header.claims,
        seed=header.plan.seed,
        commit=header.commit,
        dirty=header.dirty,
        corobench=header.corobench,
        box=header.box,
        blocks=len(whole),
        stop_reason=_stop_reason(run),
        warnings=warnings,
        noise=[noise_of(column, column.control) for column in shown if column.control],
        noise_floor=verdicts.noise_floor(controls),
        verdict_figure=verdicts.FIGURE,
        runtimes=[
            samples.runtime_facts(name, known, told.get(name, {}))
            for name, known in header.runtimes.items()
        ],
        workloads=[samples.workload_facts(workload) for workload in header.specs.values()],
        references=header.plan.references,
        cells=[*cells, *_gaps(header, cells)],
        controls=_controls(run, carried, agreement, spans),
        distributions=samples.pooled_series(found),
        raw=samples.raw_series(found),
        cpus=samples.cpus_observed(found),
        observed=samples.observed_medians(found),
        whole_blocks=sorted(whole),
        counts=counted,
    )


def _gaps(header: log.RunHeader, cells: list[Cell]) -> Iterator[Cell]:
    """A cell without a number for each runtime that has no program, or can't be measured at a
    point, in those columns.
    """
    known = header.specs
    places = {(cell.workload, cell.point, cell.track, cell.metric): cell for cell in cells}
    taken = {cell.key for cell in cells}
    for gap in header.plan.gaps:
        tracks = header.runtimes.get(gap.runtime, {}).get("tracks")
        for (name, point, track, metric), like in places.items():
            key = "/".join((name, point, track, gap.runtime, metric))
            is_there = (
                name == gap.workload and name in known and (tracks is None or track in tracks)
            )
            if (
                not is_there
                or key in taken
                or not (gap.point in (None, point) or _is_rung(gap, like))
            ):
                continue
            taken.add(key)
            yield msgspec.structs.replace(
                like,
                runtime=gap.runtime,
                median=None,
                figures={},
                samples={},
                comparison=None,
                group=None,
                flags=[],
                failures=[],
                gap=gap.reason,
                curve=[],
                notes=[],
                ladders={},
                lower_bound=False,
            )


def _is_rung(gap: Gap, ladder: Cell) -> bool:
    """Whether a runtime can't be measured at a point of this ladder: then it has no slope
    over it.
    """
    parameter, _, ends = ladder.point.partition("=")
    first, _, last = ends.partition("..")
    name, _, value = (gap.point or "").partition("=")
    return (
        bool(last)
        and name == parameter
        and value.isdigit()
        and int(first) <= int(value) <= int(last)
    )


def _stop_reason(run: log.Run) -> str:
    ends = [mark for mark in run.marks if mark.event in ("finished", "interrupted", "resumed")]
    if not ends or ends[-1].event == "resumed":
        return "not finished"
    return ends[-1].reason or ends[-1].event


def _warnings(run: log.Run, marked: list[str]) -> Iterator[str]:
    yield from run.warnings
    if not run.header.claims:
        yield NO_CLAIMS
    if run.header.dirty:
        yield "made from a working tree with changes that are in no commit"
    for one in environment.meanwhile(run):
        yield (
            f"the box changed while the run was interrupted: {one.key.removeprefix('box.')} was "
            f"{one.before}, then {one.after}"
        )
    if diagnostics.is_unseen(run.invocations):
        yield (
            "this box does not tell what its CPUs did: whether other programs disturbed a "
            "number is not known"
        )
    if (change := diagnostics.drift(samples.canary_seconds(run))) is not None:
        yield (
            f"the canary drifted by {change:+.0%}: the box itself was not as fast in the last "
            "block as in the first"
        )
    if marked:
        yield f"A/A failed: the reference runtime differs from itself in {', '.join(marked)}"
    failed = {failure.case for failure in run.failures}
    if failed:
        yield f"{len(failed)} case{'s' if len(failed) > 1 else ''} had failures"


def _contaminated(cells: Iterable[Cell]) -> Iterator[str]:
    """One warning where what the box did besides keeps more than a tenth of the numbers out of the
    groups.
    """
    measured = [cell for cell in cells if cell.median is not None]
    hit = [
        cell
        for cell in measured
        if any(flag.level == "red" and flag.name in BOX_FLAGS for flag in cell.flags)
    ]
    if len(hit) > LOUD * len(measured):
        why = ", ".join(BOX_FLAGS.values())
        yield (
            f"the box was not quiet: {len(hit)} of {len(measured)} numbers can't be ranked "
            f"for it ({why})"
        )


def _controls(
    run: log.Run,
    carried: Iterable[CarryOver],
    agreement: Iterable[Agreement],
    spans: dict[str, float],
) -> dict[str, Any]:
    """The control lines by name, each with its block, and what is derived from them and from the
    order of the log.
    """
    controls: dict[str, Any] = {}
    for line in run.controls:
        controls.setdefault(line.name, []).append({"block": line.block, **line.values})
    controls["looks"] = [
        {"block": mark.block, "reason": mark.reason, **mark.values}
        for mark in run.marks
        if mark.event == "look"
    ]
    controls["carry_over"] = [msgspec.to_builtins(effect) for effect in carried]
    controls["agreement"] = [msgspec.to_builtins(row) for row in agreement]
    controls["spans"] = spans
    return controls
