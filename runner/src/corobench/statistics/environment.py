"""What differs between two runs, told apart: what one compares, and what spoils the comparison.

Versions, commits, programs and their build flags are intended, and so are tools that programs start. A tool that measures (the
load generator, hyperfine) is the instrument: another one confounds what it measured, and nothing else. Everything else about the
box is confounding, also a fact that this version does not know: to call it harmless would need an argument. Readings of a
moment (load, free memory, clock rates) are neither; each run carries its own contamination flags for them. A variable of the
user's shell that changes how a runtime runs is only noted: programs get an environment of the runner's making, and never see it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from corobench import store, tuning
from corobench.changes import changes
from corobench.statistics import facts
from corobench.statistics.values import Difference, Kind

PROGRAM = ("version", "language_version", "settings", "env", "arguments", "command", "facts", "hashes", "threads", "order")
INTENDED_BOX = frozenset({"toolchains", "toolchain", "tools", "versions", "commit"})
SHELL = "environment_unused"  # and "environment" in older runs, together with what builds are made with
TOLERANCE = {"memory.total": 0.01, "memory.swap": 0.01}  # a kernel keeps some KiB more or less for itself at each boot


def differences(before: store.RunHeader, after: store.RunHeader) -> list[Difference]:
    """Every fact that differs, the confounding ones first."""
    found = [
        *_of_box(changes(before.box, after.box)),
        *_runner(before, after),
        *_tools(before, after),
        *_programs(before, after),
    ]
    return sorted(found, key=lambda one: (one.kind != "confounding", one.key))


def meanwhile(run: store.Run) -> list[Difference]:
    """What of the box was not as it had been when an interrupted run went on: its blocks are not all of one box."""
    seen = [mark.values.get("box", {}) for mark in run.marks if mark.event == "resumed"]
    facts = {key: ends for changed in seen for key, ends in changed.items()}
    return [one for one in _of_box(facts) if one.kind != "noted"]


def same_box(before: store.RunHeader, after: store.RunHeader) -> bool:
    """Whether both runs name the same box, and name one at all."""
    name = before.box.get("name")
    return bool(name) and name == after.box.get("name")


def program_changed(before: store.RunHeader, after: store.RunHeader, runtime: str) -> bool:
    """Whether a runtime's programs, versions or settings are others in the second run."""
    first, second = before.runtimes.get(runtime, {}), after.runtimes.get(runtime, {})
    started = {*first.get("tools", []), *second.get("tools", [])}
    return any(first.get(key) != second.get(key) for key in PROGRAM) or not started.isdisjoint(_other_tools(before, after))


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
    if group == SHELL or (group == "environment" and name in tuning.RUNNING):
        return "noted"
    return "intended" if group in INTENDED_BOX else "confounding"


def _runner(before: store.RunHeader, after: store.RunHeader) -> Iterator[Difference]:
    for key in ("commit", "dirty", "corobench"):
        first, second = getattr(before, key), getattr(after, key)
        if first != second:
            yield _difference(key, first, second, "intended")
    if before.plan.profile != after.plan.profile:
        yield _difference("profile", before.plan.profile, after.plan.profile, "intended")


def _tools(before: store.RunHeader, after: store.RunHeader) -> Iterator[Difference]:
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


def _other_tools(before: store.RunHeader, after: store.RunHeader) -> list[str]:
    names = sorted(before.tools.keys() | after.tools.keys())
    return [name for name in names if not _is_same(before.tools.get(name, {}), after.tools.get(name, {}))]


def _is_same(first: Mapping[str, str], second: Mapping[str, str]) -> bool:
    """The same file, wherever it came from, or made of the same: where a tool was built may change its file, and nothing else."""
    recipe = first.get("recipe")
    is_of_same = first.get("sha256") == second.get("sha256") or (recipe is not None and recipe == second.get("recipe"))
    return first.get("version") == second.get("version") and is_of_same


def _measuring(before: store.RunHeader, after: store.RunHeader) -> dict[str, list[str]]:
    """Tool -> the workloads of both runs that are measured with it."""
    used: dict[str, list[str]] = {}
    specs = facts.workloads(before)
    for workload in sorted(specs.keys() & after.workloads.keys()):
        for name in specs[workload].tools:
            used.setdefault(name, []).append(workload)
    return used


def _programs(before: store.RunHeader, after: store.RunHeader) -> Iterator[Difference]:
    for name in before.runtimes.keys() & after.runtimes.keys():
        for key in PROGRAM:
            first, second = before.runtimes[name].get(key), after.runtimes[name].get(key)
            if first != second:
                yield _difference(f"{name}.{key}", first, second, "intended")


def _difference(key: str, before: object, after: object, kind: Kind) -> Difference:
    return Difference(key=key, before=_text(before), after=_text(after), kind=kind)


def _text(value: object) -> str:
    return "(absent)" if value is None else value if isinstance(value, str) else json.dumps(value, sort_keys=True)
