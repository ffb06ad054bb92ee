"""Bencher Metric Format: benchmark -> measure -> value with bounds.

The format has no place for a flag and Bencher raises alerts on every value, so that cells that are
not ranked and those that claim nothing are left out, and those of a quick run carry their warning
in the name.
"""

from __future__ import annotations

import msgspec

from corobench.report.exports import Exporter, claims, numbers
from corobench.results import log
from corobench.statistics.types import RunSummary

_FEW = {"few"}
_MEASURES = {"s": ("latency", 1e9), "B": ("memory-per-task", 1.0), "1/s": ("throughput", 1.0)}


def export(_run: log.Run, summary: RunSummary) -> str:
    """Nanoseconds for times and a rate a second (Bencher's own `latency` and `throughput`), bytes
    for memory.
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    for cell in numbers(summary):
        reds = {flag.name for flag in cell.flags if flag.level == "red"}
        if cell.median is None or not cell.claims or reds - (set() if summary.claims else _FEW):
            continue
        measure, factor = _MEASURES.get(cell.unit, (cell.metric, 1.0))
        name = cell.key + (f" [{claims(summary)}]" if claims(summary) else "")
        value = {
            "value": cell.median.center,
            "lower_value": cell.median.low,
            "upper_value": cell.median.high,
        }
        found.setdefault(name, {})[measure] = {
            key: number * factor for key, number in value.items()
        }
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n"


EXPORTER = Exporter(
    name="bencher",
    title="Bencher Metric Format",
    suffix=".json",
    media_type="application/json",
    function=export,
)
