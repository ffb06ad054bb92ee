"""The Go benchmark format (golang/proposal 14313): one line an invocation, so that benchstat does
its own statistics.

benchstat -col /runtime gobench.txt
"""

from __future__ import annotations

from collections.abc import Iterator

from corobench.report.exports import Exporter, claims, numbers
from corobench.results import log
from corobench.statistics.types import Cell, RunSummary

# benchstat ranks ns/op and B/task downwards and anything "/s" upwards; a plain number goes by its
# own name.
_UNITS = {"s": ("ns/op", 1e9), "B": ("B/task", 1.0), "1/s": ("ops/s", 1.0)}


def export(run: log.Run, summary: RunSummary) -> str:
    """Numbers that are not ranked stand under a configuration of their own: benchstat puts them
    into a table of their own.
    """
    return "\n".join(_lines(run, summary)) + "\n"


def _lines(run: log.Run, summary: RunSummary) -> Iterator[str]:
    yield "pkg: corobench"
    yield f"run: {_words(summary.run)}"
    yield f"box: {_words(run.folder.parent.name)}"
    yield f"commit: {_words(summary.commit) or 'none'}"
    if claims(summary):
        yield f"note: {claims(summary)}"
    trust = ""
    for cell in sorted(numbers(summary), key=_trust):
        if _trust(cell) != trust:
            trust = _trust(cell)
            yield f"trust: {trust}"
        unit, factor = _UNITS.get(cell.unit, (cell.metric, 1.0))
        for value in cell.samples.values():
            yield f"{_name(cell)} 1 {value * factor:.6g} {unit}"


def _trust(cell: Cell) -> str:
    reds = sorted({flag.name for flag in cell.flags if flag.level == "red"})
    return f"not ranked ({_words(', '.join(reds))})" if reds else "ok"


def _name(cell: Cell) -> str:
    """`BenchmarkSpawn/n=1000/metric=time/track=one-cpu/runtime=asyncio`; blanks end a name and are
    replaced.
    """
    workload = "".join(part.capitalize() for part in cell.workload.split("-"))
    parts = [
        *cell.point.split(","),
        f"metric={cell.metric}",
        f"track={cell.track}",
        f"runtime={cell.runtime}",
    ]
    return "Benchmark" + "/".join("_".join(part.split()) for part in [workload, *parts])


def _words(text: str) -> str:
    return " ".join(text.split())


EXPORTER = Exporter(
    name="gobench",
    title="Go benchmark format",
    suffix=".txt",
    media_type="text/plain",
    function=export,
)
