"""The summary as it is: schema in data/summary.schema.json of the site."""

from __future__ import annotations

import msgspec

from corobench import store
from corobench.report.exports.format import Exporter
from corobench.statistics.values import RunSummary


def export(_run: store.Run, summary: RunSummary) -> str:
    """`claims` and `warnings` stand in it: it needs no other mark."""
    return msgspec.json.encode(summary).decode() + "\n"


EXPORTER = Exporter(
    name="json", title="Summary (JSON)", suffix=".json", media_type="application/json", function=export, shipped=True
)
