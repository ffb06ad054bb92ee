"""hyperfine's JSON for what hyperfine measures: process start to exit. Its readers plot `times`.

Other workloads have no user and system time of their own, and inventing them would be worse than
leaving them out.
"""

from __future__ import annotations

import statistics

import msgspec

from corobench.report.exports import Exporter, caveat
from corobench.results import log
from corobench.statistics.types import Cell, RunSummary


def export(run: log.Run, summary: RunSummary) -> str:
    """A result a startup cell; `times` are the invocations, in seconds; the command's name carries
    every caveat.
    """
    kinds = {name: spec.get("kind") for name, spec in run.header.workloads.items()}
    cells = [
        c for c in summary.cells if kinds.get(c.workload) == "startup" and c.median and c.samples
    ]
    made = {"results": [_result(summary, cell) for cell in cells]}
    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode() + "\n"


def _result(summary: RunSummary, cell: Cell) -> dict[str, object]:
    times = [value for _, value in sorted(cell.samples.items())]
    words = caveat(summary, cell)
    found: dict[str, object] = {
        "command": f"{cell.runtime} {cell.point} ({cell.track})" + (f" [{words}]" if words else ""),
        "mean": statistics.fmean(times),
        "stddev": statistics.stdev(times) if len(times) > 1 else None,
        "median": statistics.median(times),
        "user": _figure(cell, "user"),
        "system": _figure(cell, "system"),
        "min": min(times),
        "max": max(times),
        "times": times,
        "exit_codes": [0] * len(times),
        "parameters": {"runtime": cell.runtime, "track": cell.track},
    }
    return found


def _figure(cell: Cell, name: str) -> float | None:
    return cell.figures[name].center if name in cell.figures else None


EXPORTER = Exporter(
    name="hyperfine",
    title="hyperfine (JSON, startup)",
    suffix=".json",
    media_type="application/json",
    function=export,
)
