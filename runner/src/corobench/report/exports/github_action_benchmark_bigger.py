"""The `customBiggerIsBetter` input of github-action-benchmark: rates, and what else should be high."""

from __future__ import annotations

from corobench import store
from corobench.report.exports.format import Exporter
from corobench.report.exports.github_action_benchmark import benchmarks
from corobench.statistics.values import RunSummary


def export(_run: store.Run, summary: RunSummary) -> str:
    """The numbers that should be high; an empty list where a run has none."""
    return benchmarks(summary, "higher")


EXPORTER = Exporter(
    name="github-action-benchmark-bigger",
    title="github-action-benchmark, what should be high (customBiggerIsBetter)",
    suffix=".json",
    media_type="application/json",
    function=export,
)
