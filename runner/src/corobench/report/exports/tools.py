"""The formats of other benchmark tools and trackers, for their readers: Bencher,
github-action-benchmark, benchstat, hyperfine, pyperf.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

import msgspec

from corobench.report import units
from corobench.report.exports import NO_CLAIMS, Exporter, caveat, claims, numbers
from corobench.results import log
from corobench.statistics.types import Cell, RunSummary


def _json(value: object, indent: int = 1) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=indent).decode() + "\n"


_FEW = {"few"}
_BENCHER = {"s": ("latency", 1e9), "B": ("memory-per-task", 1.0), "1/s": ("throughput", 1.0)}


def export_bencher(_run: log.Run, summary: RunSummary) -> str:
    """Bencher Metric Format: benchmark -> measure -> value with bounds. Nanoseconds for times and a
    rate a second (Bencher's own `latency` and `throughput`), bytes for memory.

    The format has no place for a flag and Bencher raises alerts on every value, so that cells that
    are not ranked and those that claim nothing are left out, and those of a quick run carry their
    warning in the name.
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    for cell in numbers(summary):
        reds = {flag.name for flag in cell.flags if flag.level == "red"}
        if cell.median is None or not cell.claims or reds - (set() if summary.claims else _FEW):
            continue
        measure, factor = _BENCHER.get(cell.unit, (cell.metric, 1.0))
        name = cell.key + (f" [{claims(summary)}]" if claims(summary) else "")
        value = {
            "value": cell.median.center,
            "lower_value": cell.median.low,
            "upper_value": cell.median.high,
        }
        found.setdefault(name, {})[measure] = {
            key: number * factor for key, number in value.items()
        }
    return _json(found)


BENCHER = Exporter(
    name="bencher",
    title="Bencher Metric Format",
    suffix=".json",
    media_type="application/json",
    function=export_bencher,
)


_GITHUB = {"s": ("ns", 1e9), "B": ("B", 1.0)}


def export_smaller(_run: log.Run, summary: RunSummary) -> str:
    """The `customSmallerIsBetter` input of github-action-benchmark: the numbers that should be low.
    The action takes those that should be high as an input of another name.
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
        unit, factor = _GITHUB.get(cell.unit, (cell.unit, 1.0))
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
    return _json(found)


SMALLER = Exporter(
    name="github-action-benchmark",
    title="github-action-benchmark, what should be low (customSmallerIsBetter)",
    suffix=".json",
    media_type="application/json",
    function=export_smaller,
)


def export_bigger(_run: log.Run, summary: RunSummary) -> str:
    """The `customBiggerIsBetter` input: the numbers that should be high; an empty list where a run
    has none.
    """
    return benchmarks(summary, "higher")


BIGGER = Exporter(
    name="github-action-benchmark-bigger",
    title="github-action-benchmark, what should be high (customBiggerIsBetter)",
    suffix=".json",
    media_type="application/json",
    function=export_bigger,
)


# benchstat ranks ns/op and B/task downwards and anything "/s" upwards; a plain number goes by its
# own name.
_GO_UNITS = {"s": ("ns/op", 1e9), "B": ("B/task", 1.0), "1/s": ("ops/s", 1.0)}


def export_gobench(run: log.Run, summary: RunSummary) -> str:
    """The Go benchmark format (golang/proposal 14313): one line an invocation, so that benchstat
    does its own statistics: `benchstat -col /runtime gobench.txt`.

    One table of benchstat holds all runtimes: what is not ranked says so in its name, since a
    configuration of its own would put it into a table of its own.
    """
    return "\n".join(_go_lines(run, summary)) + "\n"


def _go_lines(run: log.Run, summary: RunSummary) -> Iterator[str]:
    yield "pkg: corobench"
    yield f"run: {_words(summary.run)}"
    yield f"box: {_words(run.folder.parent.name)}"
    yield f"commit: {_words(summary.commit) or 'none'}"
    if claims(summary):
        yield f"note: {claims(summary)}"
    for cell in numbers(summary):
        unit, factor = _GO_UNITS.get(cell.unit, (cell.metric, 1.0))
        for value in cell.samples.values():
            yield f"{_go_name(cell)} 1 {value * factor:.6g} {unit}"


def _go_name(cell: Cell) -> str:
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


GOBENCH = Exporter(
    name="gobench",
    title="Go benchmark format",
    suffix=".txt",
    media_type="text/plain",
    function=export_gobench,
)


def export_hyperfine(run: log.Run, summary: RunSummary) -> str:
    """hyperfine's JSON for what hyperfine measures: process start to exit. Its readers plot
    `times`: the invocations, in seconds. A result a startup cell, whose command carries every
    caveat.

    Other workloads have no user and system time of their own, and inventing them would be worse
    than leaving them out.
    """
    kinds = {name: spec.get("kind") for name, spec in run.header.workloads.items()}
    cells = [
        c for c in summary.cells if kinds.get(c.workload) == "startup" and c.median and c.samples
    ]
    made = {"results": [_hyperfine_result(summary, cell) for cell in cells]}
    return _json(made, indent=2)


def _hyperfine_result(summary: RunSummary, cell: Cell) -> dict[str, object]:
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


HYPERFINE = Exporter(
    name="hyperfine",
    title="hyperfine (JSON, startup)",
    suffix=".json",
    media_type="application/json",
    function=export_hyperfine,
)


_PYPERF_UNITS = {"s": "second", "B": "byte"}


def export_pyperf(run: log.Run, summary: RunSummary) -> str:
    """pyperf's JSON (format 1.0): a benchmark a cell, a run an invocation, for `pyperf compare_to`
    and its kin. pyperf knows seconds and bytes; rates and plain numbers are left out.

    Values are seconds an operation (bytes a task for memory), one an invocation; a slope has one
    a block.
    """
    shared = {
        "hostname": run.folder.parent.name,
        "commit": summary.commit,
        "corobench_version": summary.corobench,
        "corobench_run": summary.run,
        "corobench_claims": "yes" if summary.claims else NO_CLAIMS,
    }
    found = [
        _pyperf_benchmark(summary, cell)
        for cell in numbers(summary)
        if cell.unit in _PYPERF_UNITS and any(v > 0 for v in cell.samples.values())
    ]
    made = {
        "version": "1.0",
        "metadata": {k: v for k, v in shared.items() if v},
        "benchmarks": found,
    }
    return _json(made)


def _pyperf_benchmark(summary: RunSummary, cell: Cell) -> dict[str, object]:
    metadata: dict[str, object] = {"name": cell.key, "unit": _PYPERF_UNITS[cell.unit]}
    if words := caveat(summary, cell):
        metadata["corobench_caveat"] = words
    # pyperf knows no value of zero or less, which a slope may have where nothing can be seen; it
    # has only whole bytes.
    values = [round(v) if cell.unit == "B" else v for v in cell.samples.values() if v > 0]
    return {
        "metadata": metadata,
        "runs": [{"values": [max(v, 1) if cell.unit == "B" else v]} for v in values],
    }


PYPERF = Exporter(
    name="pyperf",
    title="pyperf (JSON)",
    suffix=".json",
    media_type="application/json",
    function=export_pyperf,
)

EXPORTERS = [BENCHER, SMALLER, BIGGER, GOBENCH, HYPERFINE, PYPERF]
