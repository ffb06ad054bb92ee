"""Samples of an invocation as they are: percentiles on an axis that spreads the tail, and the histogram of a sweep.

Both show the samples of all invocations together; the numbers that are compared are those of single invocations.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from corobench import distribution
from corobench.distribution import Distribution
from corobench.report import slugs, units
from corobench.report.charts.curve import end_labels, value_range
from corobench.report.charts.style import LABEL, NAME_ROOM, NUMBER, WIDTH, Chart, Palette, Spec, direct, finish, log_ticks, names
from corobench.report.headline import Column
from corobench.report.units import Scale, scale_of
from corobench.statistics.values import RunSummary, WorkloadFacts

SHOWN = (0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999, 0.99999)
_TAIL = 5  # samples beyond a percentile: with fewer it is one sample's luck
_HEIGHT = 250
_BINS = 30  # about so many boxes over all samples, between 8 and 64 a decade
_STEP = 22

Found = list[tuple[str, str, str, Distribution]]  # label, runtime, unit, samples


def percentile_charts(summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette) -> Iterator[Chart]:
    """The percentiles of each series at the headline point; of a sweeping scenario's first one its histogram too."""
    for place, (series, title) in enumerate(workload.series.items()):
        samples = _samples(summary, column, series, colors)
        if samples:
            scale = scale_of([d.quantile(q) for _, _, _, d in samples for q in (0.5, 0.999)], "s")
            where = f"{column.title}, {column.where}: {title}"
            yield _percentiles(column, series, where, samples, scale, colors)
            if workload.group != "core" and workload.curve and place == 0:
                yield _histogram(column, series, where, samples, scale, colors)


def _samples(summary: RunSummary, column: Column, series: str, colors: Palette) -> Found:
    found = []
    for track in ("one-cpu", "all-cpus"):
        for name in colors.names:
            samples = summary.distributions.get("/".join((column.workload, column.point, track, name)), {}).get(series)
            if samples and samples.count:
                label = name if track == "one-cpu" else f"{name}, all CPUs"
                found.append((label, name, colors.units.get(name, ""), samples))
    return found


def tail(samples: Distribution) -> list[float]:
    """The percentiles that so many samples can tell."""
    return [share for share in SHOWN if share == SHOWN[0] or samples.count * (1 - share) >= _TAIL]


def _percentiles(column: Column, series: str, where: str, found: Found, scale: Scale, colors: Palette) -> Chart:
    data = [
        {"series": label, "x": 1 / (1 - share), "value": max(d.quantile(share), 1e-9) / scale.factor, **_look(name, colors)}
        for label, name, _, d in found
        for share in tail(d)
    ]
    ends = value_range(data, "log")
    width, height = WIDTH - NAME_ROOM - 30, max(_HEIGHT, 13 * len(found))
    ticks = " : ".join(f"datum.value == {1 / (1 - share):.6g} ? '{_name(share)}'" for share in SHOWN) + " : ''"
    shares = sorted({d["x"] for d in data})
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": "log", "nice": False, "domain": [shares[0], max(shares[-1], shares[0] * 1.01)]},
        "axis": {
            "title": "percentile, log of the rest",
            "values": [float(f"{1 / (1 - s):.6g}") for s in (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)],
            "labelExpr": ticks,
            "grid": True,
            "tickCount": 9,
        },
    }
    y: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"type": "log", "domain": list(ends), "nice": False},
        "axis": {
            "title": f"{scale.symbol} (lower is better, log)",
            "format": NUMBER,
            "values": log_ticks(*ends),
            "tickCount": 30,
        },
    }
    spec = {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 1.8}, "encoding": {"y": y, "detail": {"field": "series"}}},
            {"mark": {"type": "point", "filled": True, "size": 34, "opacity": 1}, "encoding": {"y": y, "shape": direct("shape")}},
            *end_labels(data, width, height, ends, "log"),
        ],
    }
    return Chart(
        id=slugs.anchor("percentiles", column.workload, series),
        title=f"{where}, percentiles",
        caption=f"Samples of all invocations together; a percentile is drawn where at least {_TAIL} samples lie beyond it.",
        description=f"Percentiles of {len(found)} runtimes on an axis that spreads the tail; numbers in the table.",
        specs={"log": finish(spec)},
        head=["Runtime", "Unit", "Samples", *(f"p{_name(s).removesuffix(' %')}, {scale.symbol}" for s in SHOWN), "Worst"],
        rows=[[label, unit, f"{d.count:,}", *_row(d, scale)] for label, _, unit, d in found],
    )


def _row(samples: Distribution, scale: Scale) -> list[str]:
    known = tail(samples)
    return [*(_shown(samples.quantile(s), scale) if s in known else units.NONE for s in SHOWN), _shown(samples.largest(), scale)]


def _shown(value: float, scale: Scale) -> str:
    shown = value / scale.factor
    return units.plain(shown, units.decimals(shown, 0))


def _name(share: float) -> str:
    return f"{share * 100:.6g} %"


def _look(name: str, colors: Palette) -> Spec:
    return {"color": colors.color(name), "shape": colors.shape(name)}


def _histogram(column: Column, series: str, where: str, found: Found, scale: Scale, colors: Palette) -> Chart:
    decades = math.log10(max(d.most_ns for *_, d in found) / max(1000, min(d.least_ns for *_, d in found)))
    fine = round(min(64, max(8, _BINS / max(decades, 0.1))))
    bins = {label: _bins(d, fine) for label, _, _, d in found}
    most = max(share for boxes in bins.values() for _, _, share in boxes)
    ends = tuple(end / scale.factor for end in (min(b[0][0] for b in bins.values()), max(b[-1][1] for b in bins.values())))
    data = [
        {
            "runtime": label,
            "from": low / scale.factor,
            "to": high / scale.factor,
            "share": share,
            "strength": round(0.15 + 0.85 * share / most, 3),
            "color": colors.color(name),
        }
        for label, name, _, _ in found
        for low, high, share in bins[label]
    ]
    x: Spec = {
        "field": "from",
        "type": "quantitative",
        "scale": {"type": "log", "domain": list(ends), "nice": False},
        "axis": {
            "title": f"{scale.symbol} (lower is better, log)",
            "format": NUMBER,
            "values": log_ticks(*ends),
            "tickCount": 30,
        },
    }
    spec = {
        "width": WIDTH - LABEL - 10,
        "height": {"step": _STEP},
        "data": {"values": data},
        "mark": {"type": "rect", "height": {"band": 0.7}},
        "encoding": {
            "y": names([label for label, *_ in found]),
            "x": x,
            "x2": {"field": "to"},
            "color": direct("color"),
            "opacity": {"field": "strength", "type": "quantitative", "scale": None, "legend": None},
        },
    }
    return Chart(
        id=slugs.anchor("histogram", column.workload, series),
        title=f"{where}, histogram",
        caption="One row a runtime: the stronger a box, the more of its samples lie there. Two strong ones apart: two modes.",
        description=f"Shares of samples by logarithmic boxes for {len(found)} runtimes; the shares are in the table below.",
        specs={"log": finish(spec)},
        head=["Runtime", "Unit", "Samples", f"Share of the samples, by box ({scale.symbol})"],
        rows=[[label, unit, f"{d.count:,}", _boxes(bins[label], scale)] for label, _, unit, d in found],
    )


def _boxes(bins: list[tuple[float, float, float]], scale: Scale) -> str:
    return "; ".join(
        f"{_shown(low, scale)}{units.DASH}{_shown(high, scale)}: {units.percent(share)}" for low, high, share in bins
    )


def _bins(samples: Distribution, fine: int) -> list[tuple[float, float, float]]:
    """[low, high) in seconds with the share of the samples in it, so many a decade; what is under 1 us is one box."""
    found: Counter[int] = Counter()
    for bucket, count in samples.buckets:
        low, high = distribution.edges(bucket)
        found[max(-6 * fine, math.floor(math.log10((low + high) / 2) * fine))] += count
    return [(10 ** (p / fine), 10 ** ((p + 1) / fine), n / samples.count) for p, n in sorted(found.items())]
