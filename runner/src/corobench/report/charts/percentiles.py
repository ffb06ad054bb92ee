"""Samples of an invocation as they are: percentiles on an axis that spreads the tail, and the histogram of a sweep.

Both show the samples of all invocations together; the numbers that are compared are those of single invocations.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from corobench import distribution
from corobench.distribution import Distribution
from corobench.model import TRACKS
from corobench.report import slugs, units
from corobench.report.charts.curve import end_labels, value_range
from corobench.report.charts.style import (
    LABEL,
    NAME_ROOM,
    WIDTH,
    Chart,
    Palette,
    Spec,
    dashed,
    direct,
    directed,
    finish,
    magnitude,
    names,
)
from corobench.report.charts.ticks import apart
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
    return [
        (label, name, colors.units.get(name, ""), samples)
        for label, name, case in sampled(column, colors)
        if (samples := summary.distributions.get(case, {}).get(series)) and samples.count
    ]


def sampled(column: Column, colors: Palette) -> Iterator[tuple[str, str, str]]:
    """Label, runtime and case of what a column has, track by track."""
    for track in TRACKS:
        for name in colors.names:
            label = name if track == "one-cpu" else f"{name}, all CPUs"
            yield label, name, "/".join((column.workload, column.point, track, name))


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
    ends_x = shares[0], max(shares[-1], shares[0] * 1.01)
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": "log", "nice": False, "domain": list(ends_x)},
        "axis": {
            "title": "percentile, log of the rest",
            "values": apart(
                [float(f"{1 / (1 - s):.6g}") for s in (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)], ends_x, width, text=_percentile
            ),
            "labelExpr": ticks,
            "grid": True,
            "tickCount": 9,
        },
    }
    y = magnitude(ends, "log", directed(scale.symbol, "lower", "log"))
    spec = {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 1.8}, "encoding": {"y": y, "detail": {"field": "series"}, **dashed(data)}},
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
    return [
        *(shown(samples.quantile(s), scale.factor) if s in known else units.NONE for s in SHOWN),
        shown(samples.largest(), scale.factor),
    ]


def shown(value: float, factor: float) -> str:
    """A single value in another unit."""
    return units.plain(value / factor, units.decimals(value / factor, 0))


def _percentile(rest: float) -> str:
    return _name(1 - 1 / rest)


def _name(share: float) -> str:
    return f"{share * 100:.6g} %"


def _look(name: str, colors: Palette) -> Spec:
    return {"color": colors.color(name), "shape": colors.shape(name), "dash": colors.dash(name)}


def _histogram(column: Column, series: str, where: str, found: Found, scale: Scale, colors: Palette) -> Chart:
    decades = math.log10(max(d.most_ns for *_, d in found) / max(1000, min(d.least_ns for *_, d in found)))
    fine = round(min(64, max(8, _BINS / max(decades, 0.1))))
    bins = {label: _bins(d, fine) for label, _, _, d in found}
    most = max(share for boxes in bins.values() for _, _, share in boxes)
    first, last = min(b[0][0] for b in bins.values()), max(b[-1][1] for b in bins.values())
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
    ends = first / scale.factor, last / scale.factor
    x = {**magnitude(ends, "log", directed(scale.symbol, "lower", "log")), "field": "from"}
    x["axis"] |= {"values": apart(x["axis"]["values"], ends, WIDTH - LABEL - 10)}
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
        f"{shown(low, scale.factor)}{units.DASH}{shown(high, scale.factor)}: {units.percent(share)}" for low, high, share in bins
    )


def _bins(samples: Distribution, fine: int) -> list[tuple[float, float, float]]:
    """[low, high) in seconds with the share of the samples in it, so many a decade; what is under 1 us is one box."""
    found: Counter[int] = Counter()
    for bucket, count in samples.buckets:
        low, high = distribution.edges(bucket)
        found[max(-6 * fine, math.floor(math.log10((low + high) / 2) * fine))] += count
    return [(10 ** (p / fine), 10 ** ((p + 1) / fine), n / samples.count) for p, n in sorted(found.items())]
