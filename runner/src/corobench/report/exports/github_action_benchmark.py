"""The `customSmallerIsBetter` and `customBiggerIsBetter` inputs of github-action-benchmark."""

from __future__ import annotations

import msgspec

from corobench.report import units
from corobench.report.exports import Exporter, caveat, numbers
from corobench.results import log
from corobench.statistics.types import RunSummary

_BASE = {"s": ("ns", 1e9), "B": ("B", 1.0)}


def export_smaller(_run: log.Run, summary: RunSummary) -> str:
    """The numbers that should be low; the action takes those that should be high as an input of
    another name.
    """
    return benchmarks(summary, "lower")


def benchmarks(summary: RunSummary, better: str) -> str:
    """One unit for all runs (ns, B), so that a chart over commits is of one scale; `extra` says n
    and every caveat.
    """
    found = []
    for cell in numbers(summary):
        if cell.median is None or cell.better != better:
            continue
        unit, factor = _BASE.get(cell.unit, (cell.unit, 1.0))
        half = (cell.median.high - cell.median.low) / 2 * factor
        words = caveat(summary, cell)
        ends = " to ".join(
            units.bare(end, cell.unit) for end in (cell.median.low, cell.median.high)
        )
        extra = f"n = {cell.median.n}; interval {ends}"
        found.append(
            {
                "name": cell.key + (f" [{words}]" if words else ""),
                "unit": unit,
                "value": cell.median.center * factor,
                "range": f"± {half:.6g}",
                "extra": extra + (f"; {words}" if words else ""),
            }
        )
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n"


SMALLER = Exporter(
    name="github-action-benchmark",
    title="github-action-benchmark, what should be low (customSmallerIsBetter)",
    suffix=".json",
    media_type="application/json",
    function=export_smaller,
)


def export_bigger(_run: log.Run, summary: RunSummary) -> str:
    """The numbers that should be high; an empty list where a run has none."""
    return benchmarks(summary, "higher")


BIGGER = Exporter(
    name="github-action-benchmark-bigger",
    title="github-action-benchmark, what should be high (customBiggerIsBetter)",
    suffix=".json",
    media_type="application/json",
    function=export_bigger,
)

EXPORTERS = [SMALLER, BIGGER]
