"""What stands beside the numbers of a run: its runtimes and workloads as the run itself describes them."""

from __future__ import annotations

from typing import Any

from corobench import expression, store
from corobench.model import Metric, Ratio, Workload, recorded
from corobench.remembered import by_identity
from corobench.statistics.values import RuntimeFacts, WorkloadFacts


@by_identity(4)
def workloads(header: store.RunHeader) -> dict[str, Workload]:
    """The specs that the run was made with, from the run itself, so that it can be read without its checkout."""
    return {name: recorded(spec) for name, spec in header.workloads.items()}


def runtime(name: str, facts: dict[str, Any]) -> RuntimeFacts:
    """A runtime, from the facts that the header holds of it."""
    text = {key: str(facts.get(key, "")) for key in ("title", "language", "unit", "version", "language_version", "site")}
    return RuntimeFacts(
        name=name,
        tracks=list(facts.get("tracks", [])),
        notes=list(facts.get("notes", [])),
        departs=facts.get("departs"),
        settings=dict(facts.get("settings", {})),
        facts={key: str(value) for key, value in facts.get("facts", {}).items()},
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
