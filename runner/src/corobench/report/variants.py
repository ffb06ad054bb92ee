"""Variants that were made for one question: a headline names the runtimes that people choose between, not these.

A manifest's variant may list the only workloads that it takes part in (`workloads`). A run holds that as what it asked of each
runtime: a gap was asked for and has its reason, a workload that the manifest leaves out was not.
"""

from __future__ import annotations

from corobench.statistics.values import RunSummary

_PART = 0.5  # of what was asked of the runtime that was asked most: with less, it stands for a question and not for itself


def special(summary: RunSummary) -> dict[str, list[str]]:
    """Runtime -> the titles of the few core workloads that it was asked, of those that were made for these alone."""
    core = {w.name: w.title for w in summary.workloads if w.group == "core"}
    asked: dict[str, dict[str, str]] = {}
    for cell in summary.cells:
        if cell.workload in core:
            asked.setdefault(cell.runtime, {})[cell.workload] = core[cell.workload]
    most = max(map(len, asked.values()), default=0)
    return {name: list(titles.values()) for name, titles in asked.items() if len(titles) < _PART * most}
