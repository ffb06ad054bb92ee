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
    """One table of benchstat holds all runtimes: what is not ranked says so in its name, since a
    configuration of its own would put it into a table of its own.
    """
    return "\n".join(_lines(run, summary)) + "\n"


def _lines(run: log.Run, summary: RunSummary) -> Iterator[str]:
    yield "pkg: corobench"
    yield f"run: {_words(summary.run)}"
    yield f"box: {_words(run.folder.parent.name)}"
    yield f"commit: {_words(summary.commit) or 'none'}"
    if claims(summary):
        yield f"note: {claims(summary)}"
    for cell in numbers(summary):
        unit, factor = _UNITS.get(cell.unit, (cell.metric, 1.0))
        for value in cell.samples.values():
            yield f"{_name(cell)} 1 {value * factor:.6g} {unit}"


def _name(cell: Cell) -> str:
    """`BenchmarkSpawn/n=1000/metric=time/track=one-cpu/runtime=asyncio`, with `/not-ranked=wide`
    where that is so; blanks end a name and are replaced.
    """
    workload = "".join(part.capitalize() for part in cell.workload.split("-"))
    parts = [
        *cell.point.split(","),
        f"metric={cell.metric}",
        f"track={cell.track}",
        f"runtime={cell.runtime}",
    ]
    if reds := sorted({flag.name for flag in cell.flags if flag.level == "red"}):
        parts.append(f"not-ranked={','.join(reds)}")
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
