"""The summary as it is: schema in data/summary.schema.json of the site."""

from __future__ import annotations

import msgspec

from corobench.report.exports import Exporter
from corobench.results import log
from corobench.statistics.types import RunSummary


def export(_run: log.Run, summary: RunSummary) -> str:
    """`claims` and `warnings` stand in it: it needs no other mark."""
    return msgspec.json.encode(summary).decode() + "\n"


EXPORTER = Exporter(
    name="json",
    title="Summary (JSON)",
    suffix=".json",
    media_type="application/json",
    function=export,
    shipped=True,
)
