"""Facts of a box as words: the few that stand under the answer, one by its name, all of them as a table."""

from __future__ import annotations

from typing import Any

from corobench.host import cpu_list
from corobench.report.sweep import number
from corobench.statistics.values import RunSummary

_CPUS = ("cpu.online", "cpu.cpus", "cpu.cores")


def who_and_where(summary: RunSummary) -> list[tuple[str, str]]:
    """The line under the answer: what a reader must know of the box before the numbers."""
    box = summary.box
    found = [
        ("CPU", box_fact(box, "cpu.model", "cpu_model", "model")),
        ("CPUs", counted(box)),
    ]
    found += [
        ("Kernel", box_fact(box, "kernel.release", "kernel")),
        ("Virtualised", box_fact(box, "virtualisation", "virtualization")),
    ]
    return [(name, value) for name, value in found if value]


def counted(box: dict[str, Any]) -> str:
    """`24; measured on 16, the performance cores (0-15)` where not all are used."""
    count, used = box_fact(box, *_CPUS), cpu_list(box_fact(box, "cpu.measured_on"))
    if not used:
        return count
    kind = box_fact(box, "cpu.kind")
    return f"{count}; measured on {len(used)}{f', the {kind}' if kind else ''} ({box_fact(box, 'cpu.measured_on')})"


def box_fact(box: dict[str, Any], *paths: str) -> str:
    """The first of these dotted paths that the box facts have, as words; empty where none is there."""
    for path in paths:
        value: Any = box
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if value not in (None, "") and not isinstance(value, dict | list):
            return str(value)
    return ""


def cpus(box: dict[str, Any]) -> int:
    """How many CPUs a box has; 0 where its facts don't say."""
    return int(number(box_fact(box, *_CPUS)) or 0)


def flat(facts: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Nested facts as dotted names and words, for a table."""
    found: list[tuple[str, str]] = []
    for key, value in facts.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            found += flat(value, f"{name}.")
        elif isinstance(value, list):
            found.append((name, "; ".join(map(str, value)) or "none"))
        else:
            found.append((name, str(value)))
    return found
