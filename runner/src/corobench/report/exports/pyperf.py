"""pyperf's JSON (format 1.0): a benchmark a cell, a run an invocation, for `pyperf compare_to` and
its kin.

pyperf knows seconds and bytes; rates and plain numbers are left out.
"""

from __future__ import annotations

import msgspec

from corobench.report.exports import Exporter, caveat, numbers
from corobench.results import log
from corobench.statistics.types import Cell, RunSummary

_UNITS = {"s": "second", "B": "byte"}


def export(run: log.Run, summary: RunSummary) -> str:
    """Values are seconds an operation (bytes a task for memory), one an invocation; a slope has one
    a block.
    """
    shared = {
        "hostname": run.folder.parent.name,
        "commit": summary.commit,
        "corobench_version": summary.corobench,
        "corobench_run": summary.run,
        "corobench_claims": "yes" if summary.claims else "quick run: no claims",
    }
    found = [
        _benchmark(summary, cell)
        for cell in numbers(summary)
        if cell.unit in _UNITS and any(v > 0 for v in cell.samples.values())
    ]
    made = {
        "version": "1.0",
        "metadata": {k: v for k, v in shared.items() if v},
        "benchmarks": found,
    }
    return msgspec.json.format(msgspec.json.encode(made), indent=1).decode() + "\n"


def _benchmark(summary: RunSummary, cell: Cell) -> dict[str, object]:
    metadata: dict[str, object] = {"name": cell.key, "unit": _UNITS[cell.unit]}
    if words := caveat(summary, cell):
        metadata["corobench_caveat"] = words
    # pyperf knows no value of zero or less, which a slope may have where nothing can be seen; it
    # has only whole bytes.
    values = [round(v) if cell.unit == "B" else v for v in cell.samples.values() if v > 0]
    return {
        "metadata": metadata,
        "runs": [{"values": [max(v, 1) if cell.unit == "B" else v]} for v in values],
    }


EXPORTER = Exporter(
    name="pyperf",
    title="pyperf (JSON)",
    suffix=".json",
    media_type="application/json",
    function=export,
)
