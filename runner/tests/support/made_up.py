"""Summaries of a made-up scenario, for sentences about a few numbers that a test chooses itself."""

from __future__ import annotations

from typing import Any

import msgspec
from synthetic import make_run

from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, Estimate, Flag, RunSummary, RuntimeFacts, WorkloadFacts

RED = Flag(name="wide", level="red", text="the interval is ±40 % wide (limit 25 %)")
BOUND = Flag(name="cap", level="red", text="only a lower bound", bound=True)


def number(
    runtime: str,
    center: float,
    point: str = "n=1",
    metric: str = "time",
    spread: float = 0.01,
    **more: Any,
) -> Cell:
    """A number of nine blocks, as wide as `spread` to either side."""
    bound = any(flag.bound for flag in more.get("flags", []))
    ends = {"low": center * (1 - spread), "high": center * (1 + spread)}
    told: dict[str, Any] = {
        "track": "one-cpu", "unit": "s", "better": "lower", "figures": {}, "comparison": None, "group": None, "flags": [],
        "failures": [], "samples": {block: center * (1 + spread * (block - 4) / 4) for block in range(9)},
    }  # fmt: skip
    typical = Estimate(center=center, n=9, confidence=0.96, bound=bound, **ends)
    return Cell(
        workload="made-up",
        point=point,
        runtime=runtime,
        metric=metric,
        median=typical,
        **(told | more),
    )


def workload(metrics: dict[str, str], **more: Any) -> WorkloadFacts:
    return WorkloadFacts(
        name="made-up", title="Made up", family="made-up", question="", operation="", contract="", metrics=metrics,
        group="scenario", **more,
    )  # fmt: skip


def summary(cells: list[Cell], facts: WorkloadFacts, **more: Any) -> RunSummary:
    """A box of two CPUs, and nothing measured but this."""
    run = summarise(make_run(blocks=9, workloads=["hand-off"], runtimes=["asyncio", "uvloop"]))
    return msgspec.structs.replace(run, cells=cells, workloads=[facts], **more)


def scheduling(**kinds: str) -> list[RuntimeFacts]:
    """Runtimes by name, and what each schedules."""
    plain: dict[str, Any] = dict.fromkeys(("language", "version", "language_version", "site"), "")
    plain |= {"tracks": ["one-cpu"], "notes": [], "settings": {}, "facts": {}}
    return [RuntimeFacts(name=name, title=name, unit=unit, **plain) for name, unit in kinds.items()]
