"""What stands beside the numbers of a run: its runtimes and workloads as the run itself describes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corobench import expression, store
from corobench.model import Metric, Ratio, Setting, Workload, recorded
from corobench.remembered import by_identity
from corobench.statistics.series import Series
from corobench.statistics.values import RuntimeFacts, WorkloadFacts


@by_identity(4)
def workloads(header: store.RunHeader) -> dict[str, Workload]:
    """The specs that the run was made with, from the run itself, so that it can be read without its checkout."""
    return {name: recorded(spec) for name, spec in header.workloads.items()}


def told(cases: Iterable[Series]) -> dict[str, dict[str, str]]:
    """Runtime -> what its programs said of their settings when they started: each different value once, as it was first seen."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for part in cases:
        said = found.setdefault(part.case.runtime, {})
        for invocation in part.invocations.values():
            for name, value in invocation.settings.items():
                said.setdefault(name, {})[_word(value)] = None
    return {name: {setting: "; ".join(values) for setting, values in said.items()} for name, said in found.items()}


def _word(setting: Setting) -> str:
    return "; ".join(setting) or "none" if isinstance(setting, list) else str(setting)


def runtime(name: str, facts: dict[str, Any], told: dict[str, str]) -> RuntimeFacts:
    """A runtime, from the facts that the header holds of it and from what its programs told."""
    text = {key: str(facts.get(key, "")) for key in ("title", "language", "unit", "version", "language_version", "site")}
    if text["version"] == text["language_version"]:
        # A server that is no part of the language tells which it is: `nginx, as a floor` by its setting `nginx`.
        text["version"] = told.get(text["title"].partition(",")[0], text["version"])
    return RuntimeFacts(
        name=name,
        tracks=list(facts.get("tracks", [])),
        notes=list(facts.get("notes", [])),
        departs=facts.get("departs"),
        settings=dict(facts.get("settings", {})),
        facts={key: str(value) for key, value in facts.get("facts", {}).items()},
        told=told,
        threads=facts.get("threads"),
        profiles=facts.get("profiles"),
        **text,
    )


def describe(workload: Workload) -> WorkloadFacts:
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
        quoted=list(workload.quoted),
        advice=workload.advice,
        series={name: asked.title for name, asked in workload.series.items()},
        counted={one.name: names for one in _expressed(workload) if one.value and (names := expression.counted(one.value))},
        ratio=list(workload.ratio),
    )


def _expressed(workload: Workload) -> list[Metric | Ratio]:
    return [*workload.metric, *workload.ratio]
