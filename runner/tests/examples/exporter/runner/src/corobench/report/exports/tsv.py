"""Tab-separated values: one line a number, with its interval and what must be said with it."""

from __future__ import annotations

from corobench.report.exports import Exporter, caveat
from corobench.results import log
from corobench.statistics.types import RunSummary


def export(_run: log.Run, summary: RunSummary) -> str:
    """Case, metric, centre, low, high (base units), n, caveat."""
    lines = ["case\tmetric\tmedian\tlow\thigh\tn\tcaveat"]
    for cell in summary.cells:
        if (value := cell.median) is not None:
            case = "/".join((cell.workload, cell.point, cell.track, cell.runtime))
            fields = [
                case,
                cell.metric,
                value.center,
                value.low,
                value.high,
                value.n,
                caveat(summary, cell),
            ]
            lines.append("\t".join(map(str, fields)))
    return "\n".join(lines) + "\n"


EXPORTER = Exporter(
    name="tsv",
    title="Numbers (TSV)",
    suffix=".tsv",
    media_type="text/tab-separated-values",
    function=export,
)
