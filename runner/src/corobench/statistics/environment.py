"""What differs between two runs: box, programs, definitions.

Titles, questions and what a page quotes are for people. What verify asks before a run decides
whether a program may be measured, not what its number is, and doubts are flags that each run
carries itself.

Versions, commits, programs and their build flags are intended, and so are tools that programs
start. A tool that measures (the load generator, hyperfine) is the instrument: another one confounds
what it measured, and nothing else. Everything else about the box is confounding, also a fact that
this version does not know: to call it harmless would need an argument. Readings of a moment (load,
free memory, clock rates) are neither; each run carries its own contamination flags for them. A
variable of the user's shell that changes how a runtime runs is only noted: programs get an
environment of the runner's making, and never see it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from corobench import environ
from corobench.machine.facts import changes
from corobench.results import log
from corobench.statistics.types import Cell, Difference, Kind
from corobench.suite.workload import Difference as SpecDifference
from corobench.suite.workload import Metric, Point, Ratio, Workload

# How a program is driven and read, whatever is made of it then.
DRIVEN = (
    "kind",
    "companion",
    "holds",
    "collected",
    "units",
    "generator_only",
    "request_timeout_s",
    "tasks",
    "resumes",
    "permits",
    "true_switches",
)


def definition_changes(before: log.RunHeader, after: log.RunHeader, cell: Cell) -> list[str]:
    """What of the definition of a number differs, in words; nothing where it is the same."""
    first, second = (_definition(header, cell) for header in (before, after))
    return [name for name in first if first[name] != second[name]]


def _definition(header: log.RunHeader, cell: Cell) -> dict[str, Any]:
    workload = header.specs[cell.workload]
    return {
        "contract": workload.contract,
        "evidence": workload.evidence,
        "requirements": [(one.name, one.holds) for one in workload.require],
        "series": {name: (asked.count, asked.keep) for name, asked in workload.series.items()},
        "requests": workload.load,
        "way of measuring": {name: getattr(workload, name) for name in DRIVEN},
        "points": {
            name: (p.params, p.iterations, p.evidence)
            for name, p in _points(header, workload, cell).items()
        },
        "metric": _metric(workload, cell.metric),
    }


def _metric(workload: Workload, name: str) -> dict[str, Any]:
    """What a figure is made of, without its title and whether anything is claimed of it."""
    asked = _asked(workload, name)
    return (
        {
            key: getattr(asked, key)
            for key in asked.__struct_fields__
            if key not in ("title", "claims")
        }
        if asked
        else {}
    )


def _asked(workload: Workload, name: str) -> Metric | SpecDifference | Ratio | None:
    figures: list[Metric | SpecDifference | Ratio] = [
        *workload.metric,
        *workload.difference,
        *workload.ratio,
    ]
    return next((figure for figure in figures if figure.name == name), None)


def _points(header: log.RunHeader, workload: Workload, cell: Cell) -> dict[str, Point]:
    """The points that a number is made from, as they were measured: its own, the rungs of its
    ladder, or those of a pair.
    """
    every = {
        key.partition("/")[2]: p
        for key, p in header.plan.points.items()
        if key.startswith(f"{workload.name}/")
    }
    parameter, _, ends = cell.point.partition("=")
    first, _, last = ends.partition("..")
    match _asked(workload, cell.metric):
        case SpecDifference(over=over, of=of, less=less):
            return {
                name: point for name, point in every.items() if point.params[over] in (of, less)
            }
        case Ratio(over=over, base=base):
            return {
                name: point
                for name, point in every.items()
                if point.params[over] == base or name == cell.point
            }
        case _ if last and parameter == workload.ladder:
            return {
                name: point
                for name, point in every.items()
                if int(first) <= int(point.params[parameter]) <= int(last)
            }
        case _:
            return {name: point for name, point in every.items() if name == cell.point}


PROGRAM = (
    "version",
    "language_version",
    "settings",
    "env",
    "arguments",
    "command",
    "facts",
    "hashes",
    "threads",
    "order",
)
INTENDED_BOX = frozenset({"toolchains", "toolchain", "tools", "versions", "commit"})
# and "environment" in older runs, together with what builds are made with
SHELL = "environment_unused"
# a kernel keeps some KiB more or less for itself at each boot
TOLERANCE = {"memory.total": 0.01, "memory.swap": 0.01}


def differences(before: log.RunHeader, after: log.RunHeader) -> list[Difference]:
    """Every fact that differs, the confounding ones first."""
    found = [
        *_of_box(changes(before.box, after.box)),
        *_runner(before, after),
        *_tools(before, after),
        *_programs(before, after),
    ]
    return sorted(found, key=lambda one: (one.kind != "confounding", one.key))


def meanwhile(run: log.Run) -> list[Difference]:
    """What of the box was not as it had been when an interrupted run went on: its blocks are not
    all of one box.
    """
    seen = [mark.values.get("box", {}) for mark in run.marks if mark.event == "resumed"]
    facts = {key: ends for changed in seen for key, ends in changed.items()}
    return [one for one in _of_box(facts) if one.kind != "noted"]


def same_box(before: log.RunHeader, after: log.RunHeader) -> bool:
    """Whether both runs name the same box, and name one at all."""
    name = before.box.get("name")
    return bool(name) and name == after.box.get("name")


def program_changed(before: log.RunHeader, after: log.RunHeader, runtime: str) -> bool:
    """Whether a runtime's programs, versions or settings are others in the second run."""
    first, second = before.runtimes.get(runtime, {}), after.runtimes.get(runtime, {})
    started = {*first.get("tools", []), *second.get("tools", [])}
    return any(first.get(key) != second.get(key) for key in PROGRAM) or not started.isdisjoint(
        _other_tools(before, after)
    )


def _of_box(facts: Mapping[str, Sequence[object]]) -> Iterator[Difference]:
    """`facts`: each that changed, with what it was before and after."""
    for key, (first, second) in facts.items():
        if not _is_near(key, first, second):
            yield _difference(f"box.{key}", first, second, _kind(key))


def _is_near(key: str, first: object, second: object) -> bool:
    if key not in TOLERANCE or not isinstance(first, int) or not isinstance(second, int):
        return False
    return abs(first - second) <= TOLERANCE[key] * max(first, second)


def _kind(key: str) -> Kind:
    group, _, name = key.partition(".")
    if group == SHELL or (group == "environment" and name in environ.RUNNING):
        return "noted"
    return "intended" if group in INTENDED_BOX else "confounding"


def _runner(before: log.RunHeader, after: log.RunHeader) -> Iterator[Difference]:
    for key in ("commit", "dirty", "corobench"):
        first, second = getattr(before, key), getattr(after, key)
        if first != second:
            yield _difference(key, first, second, "intended")
    if before.plan.profile != after.plan.profile:
        yield _difference("profile", before.plan.profile, after.plan.profile, "intended")


def _tools(before: log.RunHeader, after: log.RunHeader) -> Iterator[Difference]:
    """A tool that one run doesn't name may be another one: older runs name none."""
    other = _other_tools(before, after)
    measuring = _measuring(before, after) if other else {}
    for name in other:
        first, second = before.tools.get(name), after.tools.get(name)
        if name in measuring:
            found = _difference(f"tools.{name}", first, second, "confounding")
            yield msgspec.structs.replace(found, workloads=measuring[name])
        elif first and second:
            yield _difference(f"tools.{name}", first, second, "intended")


def _other_tools(before: log.RunHeader, after: log.RunHeader) -> list[str]:
    names = sorted(before.tools.keys() | after.tools.keys())
    return [
        name
        for name in names
        if not _is_same(before.tools.get(name, {}), after.tools.get(name, {}))
    ]


def _is_same(first: Mapping[str, str], second: Mapping[str, str]) -> bool:
    """The same file, wherever it came from, or made of the same: where a tool was built may change
    its file, and nothing else.
    """
    recipe = first.get("recipe")
    is_of_same = first.get("sha256") == second.get("sha256") or (
        recipe is not None and recipe == second.get("recipe")
    )
    return first.get("version") == second.get("version") and is_of_same


def _measuring(before: log.RunHeader, after: log.RunHeader) -> dict[str, list[str]]:
    """Tool -> the workloads of both runs that are measured with it."""
    used: dict[str, list[str]] = {}
    specs = before.specs
    for workload in sorted(specs.keys() & after.workloads.keys()):
        for name in specs[workload].tools:
            used.setdefault(name, []).append(workload)
    return used


def _programs(before: log.RunHeader, after: log.RunHeader) -> Iterator[Difference]:
    for name in before.runtimes.keys() & after.runtimes.keys():
        for key in PROGRAM:
            first, second = before.runtimes[name].get(key), after.runtimes[name].get(key)
            if first != second:
                yield _difference(f"{name}.{key}", first, second, "intended")


def _difference(key: str, before: object, after: object, kind: Kind) -> Difference:
    return Difference(key=key, before=_text(before), after=_text(after), kind=kind)


def _text(value: object) -> str:
    return (
        "(absent)"
        if value is None
        else value
        if isinstance(value, str)
        else json.dumps(value, sort_keys=True)
    )
