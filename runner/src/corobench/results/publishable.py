"""Whether a run may be published: whole, evident and plausible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from corobench.contract import checks
from corobench.results.log import Failure, Invocation, Run, given_up, recorded
from corobench.suite import expression, variables
from corobench.suite.workload import Case, Parameter, Workload, parse_case

_FASTEST_NS = 0.05  # an operation, on any machine of today: less is no work


def problems(run: Run) -> list[str]:
    """What keeps a run from being published, a sentence each; empty for one that can be. Nothing is
    raised, whatever it holds.
    """
    return [*_course(run), *_place(run), *_completeness(run), *_blocks(run), *_evidence(run)]


def _course(run: Run) -> Iterator[str]:
    if run.header.dirty:
        yield (
            "made from a checkout with uncommitted changes: nobody else can have the same programs"
        )
    if not run.header.commit:
        yield "it names no commit"
    if not any(mark.event == "finished" for mark in run.marks):
        yield "it was not finished; go on with corobench run --resume"
    yield from run.warnings


def _place(run: Run) -> Iterator[str]:
    """A run lies where its header says: results/<box>/<run>, from which pages take both names."""
    for what, said, folder in (
        ("box", run.header.box.get("name"), run.folder.parent),
        ("run", run.header.run, run.folder),
    ):
        if said != folder.name:
            yield (
                f"its header calls the {what} {said!r}, and its folder {folder.name!r}: they "
                "must be the same"
            )


def _completeness(run: Run) -> Iterator[str]:
    planned = set(run.header.plan.cases)
    lines: list[Invocation | Failure] = [*run.invocations, *run.failures]
    seen = Counter((line.case, line.block) for line in lines)
    for (case, block), count in seen.items():
        if case not in planned:
            yield f"{case} is not in its plan"
        elif count > 1 and not any(f.case == case and f.kind == "verify" for f in run.failures):
            yield f"{case} stands {count} times in block {block}"
    if missing := sorted(planned - {case for case, _ in seen}):
        yield (
            f"{len(missing)} planned cases have neither a measurement nor a failure (first: "
            f"{missing[0]})"
        )
    starts = [line.started for line in run.invocations]
    if starts != sorted(starts):
        yield "its invocations are not in the order of time"


def _blocks(run: Run) -> Iterator[str]:
    """In every complete block each case has its line: a measurement, a failure, or a reason why
    there is none any more.
    """
    complete = sorted(
        {
            mark.block
            for mark in run.marks
            if mark.event == "block-complete" and mark.block is not None
        }
    )
    if complete != list(range(len(complete))):
        yield (
            f"its complete blocks are {', '.join(map(str, complete))}: one between them is missing"
        )
    lines: list[Invocation | Failure] = [*run.invocations, *run.failures]
    begun = {line.case for line in lines}
    for block in complete:
        gone = given_up(
            line
            for line in lines
            if line.block < block or (isinstance(line, Failure) and line.kind == "verify")
        )
        owed = (
            (set(run.header.plan.cases) & begun)
            - gone
            - {line.case for line in lines if line.block == block}
        )
        if owed:
            yield (
                f"block {block} is complete, but has no line for {len(owed)} of its cases "
                f"(first: {min(owed)})"
            )


def _evidence(run: Run) -> Iterator[str]:
    """Every invocation's evidence against the spec that the run itself carries."""
    specs: dict[str, Workload] = {}
    for name, spec in run.header.workloads.items():
        try:
            specs[name] = recorded(spec)
        except msgspec.ValidationError as error:
            yield f"the spec of {name} that it carries can't be read: {error}"
    for line in run.invocations:
        if problem := _invocation(run, specs, line):
            yield f"{line.case}, block {line.block}: {problem}"


def _invocation(run: Run, specs: dict[str, Workload], line: Invocation) -> str | None:
    try:
        case = parse_case(line.case)
    except ValueError:
        return "this is no case; a case is workload/point/track/runtime"
    if problem := _undescribed(run, specs, case):
        return problem
    try:
        return _wrong(run, specs[case.workload], case, line)
    except (ValueError, TypeError, ArithmeticError) as error:
        return f"what it says can't be checked against the spec that it carries: {error}"


def _undescribed(run: Run, specs: dict[str, Workload], case: Case) -> str | None:
    """What its header lacks of a case."""
    if case.workload not in specs:
        return f"its header holds no spec of {case.workload!r} that can be read"
    if f"{case.workload}/{case.point}" not in run.header.plan.points:
        return f"its plan has no point {case.point!r} of {case.workload}"
    if "version" not in run.header.runtimes.get(case.runtime, {}):
        return f"its header does not say which version of {case.runtime!r} was measured"
    return None


def _wrong(run: Run, spec: Workload, case: Case, line: Invocation) -> str | None:
    if not line.iterations:
        return "no iteration"
    if spec.kind != "startup" and (problem := _said(run, spec, case, line)):
        return problem
    if min(i.elapsed_ns / max(1, i.ops) for i in line.iterations) < _FASTEST_NS:
        return f"an operation in less than {_FASTEST_NS} ns"
    if (
        spec.kind in ("timed", "measured")
        and sum(i.elapsed_ns for i in line.iterations) > line.witness.wall_ns
    ):
        return "its iterations last longer than its process"
    return None


def _said(run: Run, spec: Workload, case: Case, line: Invocation) -> str | None:
    """What the program itself said: its version, its evidence, its holds."""
    point, facts = (
        run.header.plan.points[f"{case.workload}/{case.point}"],
        run.header.runtimes[case.runtime],
    )
    if line.version != facts["version"]:
        return f"version {line.version!r}, the run's is {facts['version']!r}"
    said = {"ops": line.iterations[-1].ops, **line.evidence}
    for name, check in spec.checks(point.params).items():
        if name in said and not expression.holds(check, said[name], point.params):
            return f"{name} is {said[name]!r}, the spec asks for {check}"
    if set(spec.holds) - set(line.holds):
        return "a hold point is missing"
    return _sampled(spec, point.params, line) or checks.required(
        spec, variables.of_invocation(point.params, line), line.series
    )


def _sampled(spec: Workload, params: dict[str, Parameter], line: Invocation) -> str | None:
    """Its series: there, as long as asked for, and no more in the boxes of a distribution than it
    counts.
    """
    kept_raw = {name for name, asked in spec.series.items() if asked.keep == "raw"}
    raw = {
        name: len(line.raw[name]) for name in spec.series if name in kept_raw and name in line.raw
    }
    boxed = {
        name: line.series[name]
        for name in spec.series
        if name not in kept_raw and name in line.series
    }
    if problem := checks.series(
        raw | {name: samples.count for name, samples in boxed.items()}, spec, params
    ):
        return problem
    for name, samples in boxed.items():
        if sum(n for _, n in samples.buckets) != samples.count:
            return f"the boxes of the series {name!r} do not add up to its {samples.count} samples"
    return None
