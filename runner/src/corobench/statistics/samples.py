"""From the raw log to one value an invocation, by case and block.

A process is one observation (Kalibera & Jones 2013): its value is the median of its warm
iterations. The first one is cold and a figure of its own, because warm-up is shown, not assumed
(Barrett et al. 2017).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from corobench.results import histogram, log
from corobench.results.histogram import Distribution
from corobench.statistics import diagnostics, estimates
from corobench.statistics.estimates import median
from corobench.statistics.types import Estimate, Ladder, RuntimeFacts, WorkloadFacts
from corobench.suite import expression, variables
from corobench.suite.workload import (
    Case,
    Kind,
    Metric,
    Parameter,
    Point,
    Ratio,
    Setting,
    Workload,
    parse_case,
)

NS = 1e-9
Each = TypeVar("Each")


# what several of its numbers ask for is made once
class Series(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What one case gave. `invocations` holds one a block, the last where a block has several."""

    case: Case
    invocations: dict[int, log.Invocation]
    failures: list[log.Failure]
    retried: int

    @cached_property
    def paces(self) -> dict[int, list[float]]:
        """Nanoseconds an operation in each iteration of each invocation."""
        return {
            block: [i.elapsed_ns / i.ops for i in one.iterations]
            for block, one in self.invocations.items()
        }

    @cached_property
    def pace(self) -> float:
        """Nanoseconds an operation: the median of all iterations of all invocations."""
        return median([pace for paces in self.paces.values() for pace in paces])

    @cached_property
    def timed(self) -> list[log.Iteration]:
        """Of each invocation its iterations together."""
        return [
            log.Iteration(
                sum(i.elapsed_ns for i in one.iterations),
                sum(i.cpu_ns for i in one.iterations),
                sum(i.ops for i in one.iterations),
            )
            for one in self.invocations.values()
        ]

    @cached_property
    def untimed(self) -> list[tuple[int, int]]:
        """Of each invocation the elapsed and the CPU nanoseconds of its process outside of its
        iterations.
        """
        return [
            (
                one.witness.wall_ns - timed.elapsed_ns,
                one.witness.user_ns + one.witness.system_ns - timed.cpu_ns,
            )
            for one, timed in zip(self.invocations.values(), self.timed, strict=True)
        ]

    @cached_property
    def neighbours(self) -> diagnostics.Neighbours:
        """What was seen of others meanwhile."""
        return diagnostics.neighbours_seen(self.invocations.values())

    def by_block(self, value: Callable[[log.Invocation], float | None]) -> dict[int, float]:
        """A figure of each invocation, where it has one."""
        found = ((block, value(invocation)) for block, invocation in self.invocations.items())
        return {block: number for block, number in found if number is not None}


def collect(run: log.Run) -> dict[str, Series]:
    """Every case of the plan, also one that never ran."""
    invocations: dict[str, dict[int, log.Invocation]] = defaultdict(dict)
    failures: dict[str, list[log.Failure]] = defaultdict(list)
    retried: dict[str, int] = defaultdict(int)
    for line in run.lines:
        if isinstance(line, log.Invocation):
            retried[line.case] += line.block in invocations[line.case]
            invocations[line.case][line.block] = line
        elif isinstance(line, log.Failure):
            failures[line.case].append(line)
    return {
        key: Series(
            case=parse_case(key),
            invocations=dict(sorted(invocations[key].items())),
            failures=failures[key],
            retried=retried[key],
        )
        for key in run.header.plan.cases
    }


def whole_blocks(run: log.Run) -> set[int]:
    """The blocks that ran from end to end without an interruption: only they are paired."""
    whole: set[int] = set()
    broken: set[int] = set()
    begun: int | None = None
    for line in run.lines:
        if isinstance(line, log.Invocation | log.Failure):
            begun = line.block
        elif (
            isinstance(line, log.Mark) and line.event == "block-complete" and line.block is not None
        ):
            whole.add(line.block)
            begun = None
        elif (
            isinstance(line, log.Mark)
            and line.event in ("interrupted", "resumed")
            and begun is not None
        ):
            broken.add(begun)
    return whole - broken


def timer_steps(run: log.Run) -> dict[str, float]:
    """Runtime -> the least nanoseconds that its harness can tell: the shortest iteration of its
    null program in the run.
    """
    told = (
        (line.values.get("runtime"), line.values.get("elapsed_ns"))
        for line in run.controls
        if line.name == "null"
    )
    least: dict[str, float] = {}
    for runtime, elapsed in told:
        for value in elapsed or []:
            if value > 0:
                least[str(runtime)] = min(value, least.get(str(runtime), value))
    return least


def canary_seconds(run: log.Run) -> dict[int, float]:
    """Seconds that the fixed work of the canary took, by block."""
    told = (
        (line.block, line.values.get("wall_ns")) for line in run.controls if line.name == "canary"
    )
    return {
        block: NS * wall
        for block, wall in told
        if block is not None and isinstance(wall, int) and wall > 0
    }


def measured_iterations(iterations: list[Each], kind: Kind) -> list[Each]:
    """The iterations that count: all processes of a startup invocation, otherwise those after the
    cold first one.
    """
    return iterations if kind == "startup" else iterations[1:]


def median_seconds(part: Series, kind: Kind) -> dict[int, float]:
    """Seconds an operation by block: the median of the measured iterations, where there are any."""
    return _medians(
        {block: measured_iterations(paces, kind) for block, paces in part.paces.items()}
    )


def minimum_seconds(part: Series, kind: Kind) -> dict[int, float]:
    """Seconds an operation in the fastest measured iteration, by block."""
    return part.by_block(
        lambda one: min(
            [NS * i.elapsed_ns / i.ops for i in measured_iterations(one.iterations, kind)],
            default=None,
        )
    )


def cpu_seconds(part: Series, kind: Kind) -> dict[int, float]:
    """CPU seconds an operation (user and system, all threads) by block: the median of the measured
    iterations.
    """
    found = {
        block: measured_iterations(one.iterations, kind) for block, one in part.invocations.items()
    }
    return _medians(
        {block: [i.cpu_ns / i.ops for i in iterations] for block, iterations in found.items()}
    )


def cold_seconds(invocation: log.Invocation) -> float | None:
    """Seconds an operation in the first iteration of the process."""
    return next((NS * i.elapsed_ns / i.ops for i in invocation.iterations), None)


def held_bytes(invocation: log.Invocation, point: str) -> float | None:
    """Private bytes at a hold point: dirty pages and what was swapped out."""
    memory = invocation.holds.get(point)
    return float(memory.private_dirty + memory.swap) if memory else None


def _medians(nanoseconds: dict[int, list[float]]) -> dict[int, float]:
    return {block: NS * median(values) for block, values in nanoseconds.items() if values}


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """The values of one number, by block, with what they were made from. `case.point` is the
    ladder's name for a slope.

    `ladders`: of the figures that are slopes as well. `missing`: why there are no values.
    `unfinished`: what the values had to be made without.
    """

    case: Case
    workload: Workload
    metric: Metric
    values: dict[int, float]
    figures: dict[str, Estimate]
    parts: list[Series]
    curve: list[list[float]] = []
    disagreement: float | None = None
    ladders: dict[str, Ladder] = {}
    missing: str | None = None
    unfinished: str | None = None

    @property
    def invocations(self) -> list[log.Invocation]:
        return [invocation for part in self.parts for invocation in part.invocations.values()]

    @property
    def failures(self) -> list[log.Failure]:
        return [failure for part in self.parts for failure in part.failures]

    def within(self, blocks: set[int]) -> dict[int, float]:
        """The values of these blocks."""
        return estimates.within(self.values, blocks)

    def log_ratios(self, other: Sample, blocks: set[int]) -> list[float]:
        """Paired with another number in these blocks."""
        return estimates.log_ratios(self.within(blocks), other.within(blocks))

    def ranked(self, blocks: set[int]) -> dict[int, float]:
        """The values of these blocks as what is ranked: lower is better."""
        chosen = self.within(blocks)
        if self.metric.better == "lower":
            return chosen
        return {block: 1 / value for block, value in chosen.items() if value}


def expressed_samples(
    workload: Workload, points: Mapping[str, Point], cases: list[Series]
) -> Iterator[Sample]:
    """A number for each metric of each case that is an expression; an invocation in which that has
    no value gives none.

    A percentile of a series that is empty or short at a setting, for instance: that number does not
    exist there.
    """
    asked = [(metric, metric.value) for metric in workload.metric if metric.value is not None]
    for part in cases if asked else []:
        params = points[part.case.point].params
        known = {
            block: variables.of_invocation(params, invocation)
            for block, invocation in part.invocations.items()
        }
        for metric, text in asked:
            found = {
                block: _expression_value(text, known[block], i.series)
                for block, i in part.invocations.items()
            }
            values = {block: number for block, number in found.items() if number is not None}
            if values or not part.invocations:
                yield Sample(
                    case=part.case,
                    workload=workload,
                    metric=metric,
                    values=values,
                    figures={},
                    parts=[part],
                )


def expression_value(
    text: str, params: Mapping[str, Parameter], invocation: log.Invocation
) -> float | None:
    """The value of an expression for an invocation; None where it has none."""
    return _expression_value(text, variables.of_invocation(params, invocation), invocation.series)


def _expression_value(
    text: str, names: expression.Names, samples: Mapping[str, Distribution]
) -> float | None:
    try:
        found = float(expression.evaluate(text, names, samples))
    except (ZeroDivisionError, expression.NoValue):
        return None
    return found if math.isfinite(found) else None


def pooled_series(found: Mapping[str, Series]) -> dict[str, dict[str, Distribution]]:
    """Case -> series -> the samples of all its invocations as one distribution. The twins of the
    control are left out.
    """
    result: dict[str, dict[str, Distribution]] = {}
    for key, part in found.items():
        names = dict.fromkeys(
            name for invocation in part.invocations.values() for name in invocation.series
        )
        if names and not part.case.twin:
            parts = part.invocations.values()
            result[key] = {
                n: histogram.pooled(i.series[n] for i in parts if n in i.series) for n in names
            }
    return result


def cpus_observed(found: Mapping[str, Series]) -> dict[str, int]:
    """`workload/track` -> the CPUs that its programs had, where the runner has observed it:
    something else took one.
    """
    seen = {
        f"{part.case.workload}/{part.case.track}": int(invocation.observed[name])
        for part in found.values()
        for invocation in part.invocations.values()
        for name in variables.CPUS
        if name in invocation.observed
    }
    return dict(sorted(seen.items()))


def raw_series(found: Mapping[str, Series]) -> dict[str, dict[str, list[int]]]:
    """Case -> series -> the samples of its last invocation, for what is shown of one invocation
    only (a timeline).
    """
    last = {
        key: list(part.invocations.values())[-1]
        for key, part in found.items()
        if part.invocations and not part.case.twin
    }
    return {key: dict(invocation.raw) for key, invocation in last.items() if invocation.raw}


AROUND = (
    "generator_cpu",
    "concurrency",
    "rate",
    "late",
    "queued",
    "companion_cpu",
    "companion_late",
    "companion_late_p99",
)
"""Of what is observed, what is not the program's own (docs/contract.md says what each is)."""


def observed_medians(found: Mapping[str, Series]) -> dict[str, dict[str, float]]:
    """Case -> quantity -> its median over the invocations. The twins of the control are left
    out.
    """
    result: dict[str, dict[str, float]] = {}
    for key, part in found.items():
        seen = [invocation.observed for invocation in part.invocations.values()]
        names = [name for name in AROUND if any(name in one for one in seen)]
        if names and not part.case.twin:
            result[key] = {name: median(one[name] for one in seen if name in one) for name in names}
    return result


def effective_settings(cases: Iterable[Series]) -> dict[str, dict[str, str]]:
    """Runtime -> what its programs said of their settings when they started: each different value
    once, as it was first seen.
    """
    found: dict[str, dict[str, dict[str, None]]] = {}
    for part in cases:
        said = found.setdefault(part.case.runtime, {})
        for invocation in part.invocations.values():
            for name, value in invocation.settings.items():
                said.setdefault(name, {})[_word(value)] = None
    return {
        name: {setting: "; ".join(values) for setting, values in said.items()}
        for name, said in found.items()
    }


def _word(setting: Setting) -> str:
    return "; ".join(setting) or "none" if isinstance(setting, list) else str(setting)


def runtime_facts(name: str, facts: dict[str, Any], told: dict[str, str]) -> RuntimeFacts:
    """A runtime, from the facts that the header holds of it and from what its programs told."""
    text = {
        key: str(facts.get(key, ""))
        for key in ("title", "language", "unit", "version", "language_version", "site")
    }
    if text["version"] == text["language_version"]:
        # A server that is no part of the language tells which it is: `nginx, as a floor` by its
        # setting `nginx`.
        text["version"] = told.get(text["title"].partition(",")[0], text["version"])
    return RuntimeFacts(
        name=name,
        tracks=list(facts.get("tracks", [])),
        notes=list(facts.get("notes", [])),
        deviates=facts.get("deviates", facts.get("departs")),
        settings=dict(facts.get("settings", {})),
        facts={key: str(value) for key, value in facts.get("facts", {}).items()},
        told=told,
        threads=facts.get("threads"),
        profiles=facts.get("profiles"),
        tags=list(facts.get("tags", [])),
        **text,
    )


def workload_facts(workload: Workload) -> WorkloadFacts:
    """A workload as a page shows it."""
    return WorkloadFacts(
        name=workload.name,
        title=workload.title,
        family=workload.family,
        question=workload.question,
        operation=workload.operation,
        contract=workload.contract,
        metrics=workload.titles,
        group=workload.group,
        parameters=dict(workload.parameters),
        curve=workload.curve,
        citation=list(workload.citation),
        advice=workload.advice,
        series={name: asked.title for name, asked in workload.series.items()},
        counted={
            one.name: names
            for one in _expressed(workload)
            if one.value and (names := expression.counted(one.value))
        },
        ratio=list(workload.ratio),
        prepared=workload.prepared or "",
    )


def _expressed(workload: Workload) -> list[Metric | Ratio]:
    return [*workload.metric, *workload.ratio]
