"""Where programs ran, as a title: a track, or how many CPUs they had where something beside them needed one of the box's."""

from __future__ import annotations

from corobench.report.facts import cpus
from corobench.report.matrix import TRACK_TITLES
from corobench.statistics.values import RunSummary

# What was observed of it -> what it is.
_BESIDE = {"generator_cpu": "load generator", "companion_cpu": "latency server"}


def title(summary: RunSummary, workload: str, track: str) -> str:
    """`One CPU`, `All CPUs`, or `1 of 2 CPUs (the other is the load generator's)`."""
    had, box = summary.cpus.get(f"{workload}/{track}", 0), cpus(summary.box)
    if track != "all-cpus" or not 0 < had < box:
        return TRACK_TITLES[track]
    seen = {name for case, found in summary.observed.items() if case.startswith(f"{workload}/") for name in found}
    owner = next((what for name, what in _BESIDE.items() if name in seen), None)
    others = "the other is" if box - had == 1 else "the others are"
    beside = f" ({others} the {owner}'s)" if owner else ""
    return f"{had} of {box} CPUs{beside}"
