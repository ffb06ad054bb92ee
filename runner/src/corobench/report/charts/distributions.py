"""Distributions of samples: percentiles and histograms.

They are those of all invocations together; the numbers that are compared are those of single
invocations.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import msgspec

from corobench.report import text, units
from corobench.report.charts.base import (
    LABEL,
    PLOT,
    SAYS,
    WIDTH,
    Chart,
    Palette,
    apart,
    caption_of,
    dash,
    dashed,
    direct,
    directed,
    finish,
    magnitude,
    names,
    points,
    says,
)
from corobench.report.charts.curves import end_labels, value_range
from corobench.report.headline import Column, usual_point
from corobench.report.sweeps import modes, parameters, swept
from corobench.report.units import Scale, scale_of
from corobench.report.vega import Spec
from corobench.results import histogram
from corobench.results.histogram import Distribution
from corobench.statistics.types import Cell, RunSummary, WorkloadFacts
from corobench.suite.workload import TRACKS


class Sampled(msgspec.Struct, frozen=True, kw_only=True):
    """A case of a chart: `label` names it, with its track where that is not one CPU; `cell` is its
    headline.
    """

    label: str
    runtime: str
    case: str
    cell: Cell


Found = list[tuple[Sampled, Distribution]]


def scale_over(found: Found) -> Scale:
    """The unit in which the middle and the tail of all of them read best."""
    return scale_of([samples.quantile(q) for _, samples in found for q in (0.5, 0.999)], "s")


def at_samples(summary: RunSummary, column: Column, series: str) -> Column:
    """The column at its own point where a series has samples there, else at the usual one of the
    points that have some.

    A metric that has no number there, as a percentile of another series, gives way to the first
    that has.
    """
    cells = [
        c
        for c in summary.cells
        if c.workload == column.workload and c.median and _has(summary, c, series)
    ]
    if not cells or any(c.point == column.point for c in cells):
        return column
    metric = next((c.metric for c in cells if c.metric == column.metric), cells[0].metric)
    return msgspec.structs.replace(
        column, metric=metric, point=usual_point(c for c in cells if c.metric == metric)
    )


def samples_of(summary: RunSummary, column: Column, series: str, colors: Palette) -> Found:
    """The cases of a column that have samples of a series."""
    return [
        (one, samples)
        for one in sampled(summary, column, colors)
        if (samples := summary.distributions.get(one.case, {}).get(series)) and samples.count
    ]


def sampled(summary: RunSummary, column: Column, colors: Palette) -> list[Sampled]:
    """What a column has, track by track."""
    place = (column.workload, column.point, column.metric)
    cells = {
        (c.track, c.runtime): c for c in summary.cells if (c.workload, c.point, c.metric) == place
    }
    return [
        Sampled(
            label=name if track == "one-cpu" else f"{name}, all CPUs",
            runtime=name,
            case=_case(cells[track, name]),
            cell=cells[track, name],
        )
        for track in TRACKS
        for name in colors.names
        if (track, name) in cells
    ]


def _has(summary: RunSummary, cell: Cell, series: str) -> bool:
    found = summary.distributions.get(_case(cell), {}).get(series)
    return found is not None and found.count > 0


def _case(cell: Cell) -> str:
    return "/".join((cell.workload, cell.point, cell.track, cell.runtime))


def shown(value: float, factor: float) -> str:
    """A single value in another unit."""
    return units.plain(value / factor, units.decimals(value / factor, 0))


_BINS = 30  # about so many boxes over all samples, between 8 and 64 a decade
_STEP = 22


def histogram_chart(
    column: Column, series: str, where: str, found: Found, everyone: list[Cell], colors: Palette
) -> Chart:
    """One row a case, whose boxes are the stronger the more of its samples lie there."""
    scale = scale_over(found)
    decades = math.log10(
        max(d.most_ns for _, d in found) / max(1000, min(d.least_ns for _, d in found))
    )
    fine = round(min(64, max(8, _BINS / max(decades, 0.1))))
    bins = {one.label: _bins(samples, fine) for one, samples in found}
    most = max(share for boxes in bins.values() for _, _, share in boxes)
    edges = sorted({(low, high) for boxes in bins.values() for low, high, _ in boxes})
    data = [
        {
            "runtime": one.label,
            "from": low / scale.factor,
            "to": high / scale.factor,
            "share": share,
            "strength": round(0.15 + 0.85 * share / most, 3),
            "color": colors.look(one.runtime, one.cell.trusted)["color"],
        }
        for one, _ in found
        for low, high, share in bins[one.label]
    ]
    ends = edges[0][0] / scale.factor, edges[-1][1] / scale.factor
    x = {**magnitude(ends, "log", directed(scale.symbol, "lower", "log")), "field": "from"}
    x["axis"] |= {"values": apart(x["axis"]["values"], ends, WIDTH - LABEL - 10)}
    spec = {
        "width": WIDTH - LABEL - 10,
        "height": {"step": _STEP},
        "data": {"values": data},
        "mark": {"type": "rect", "height": {"band": 0.7}},
        "encoding": {
            "y": names(list(bins)),
            "x": x,
            "x2": {"field": "to"},
            "color": direct("color"),
            "opacity": {"field": "strength", "type": "quantitative", "scale": None, "legend": None},
        },
    }
    shares = {
        label: {(low, high): share for low, high, share in boxes} for label, boxes in bins.items()
    }
    return Chart(
        id=text.anchor("histogram", column.workload, series),
        title=f"{where}, histogram",
        caption=caption_of(
            everyone,
            "A row a runtime; stronger boxes hold more samples.",
            "Two strong ones apart: two modes.",
        ),
        description=(
            f"Shares of samples by logarithmic boxes for {len(found)} runtimes; the "
            "shares are in the table below."
        ),
        specs={"log": finish(spec)},
        head=[
            f"From, {scale.symbol}",
            f"To, {scale.symbol}",
            *(f"{label}: share" for label in bins),
        ],
        rows=[
            [
                *(shown(edge, scale.factor) for edge in box),
                *(units.percent(of[box]) if box in of else units.NONE for of in shares.values()),
            ]
            for box in edges
        ],
    )


def _bins(samples: Distribution, fine: int) -> list[tuple[float, float, float]]:
    """[low, high) in seconds with the share of the samples in it, so many a decade; what is under 1
    us is one box.
    """
    found: Counter[int] = Counter()
    for bucket, count in samples.buckets:
        low, high = histogram.edges(bucket)
        found[max(-6 * fine, math.floor(math.log10((low + high) / 2) * fine))] += count
    return [
        (10 ** (p / fine), 10 ** ((p + 1) / fine), n / samples.count)
        for p, n in sorted(found.items())
    ]


SHOWN = (0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999, 0.99999)
_TAIL = 5  # samples beyond a percentile: with fewer it is one sample's luck
_HEIGHT = 250
_POOLED = (
    f"Samples of all invocations together; a percentile is drawn where at least {_TAIL} "
    "samples lie beyond it."
)


def percentile_charts(
    summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette
) -> Iterator[Chart]:
    """The percentiles of each series at the headline point, or where it has samples; of a sweep's
    first one its histogram too.
    """
    for place, (series, title) in enumerate(workload.series.items()):
        here = at_samples(summary, column, series)
        samples = samples_of(summary, here, series, colors)
        if samples:
            where = f"{here.title}, {here.where}: {title}"
            everyone = [one.cell for one in sampled(summary, here, colors)]
            yield _percentiles(here, series, where, samples, everyone, colors)
            if workload.group == "scenario" and workload.curve and place == 0:
                yield histogram_chart(here, series, where, samples, everyone, colors)


def tail(samples: Distribution) -> list[float]:
    """The percentiles that so many samples can tell."""
    return [share for share in SHOWN if share == SHOWN[0] or samples.count * (1 - share) >= _TAIL]


def _percentiles(
    column: Column, series: str, where: str, found: Found, everyone: list[Cell], colors: Palette
) -> Chart:
    scale = scale_over(found)
    data = [
        {
            **point_at(samples, share, scale),
            "series": one.label,
            "tip": _tip(one.label, samples, share),
            **colors.look(one.runtime, one.cell.trusted),
        }
        for one, samples in found
        for share in tail(samples)
    ]
    ends = value_range(data, "log")
    width, height = PLOT, max(_HEIGHT, 13 * len(found))
    x, y = share_axis(data, width), magnitude(ends, "log", directed(scale.symbol, "lower", "log"))
    spec = {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [
            *percentile_lines(y, data),
            points(34, y=y),
            *end_labels(data, width, height, ends, "log"),
        ],
    }
    return Chart(
        id=text.anchor("percentiles", column.workload, series),
        title=f"{where}, percentiles",
        caption=caption_of(everyone, "Samples of all invocations together.", _POOLED),
        description=(
            f"Percentiles of {len(found)} runtimes on an axis that spreads the tail; "
            "numbers in the table."
        ),
        specs={"log": finish(spec)},
        head=["Runtime", "Unit", "Samples", *heads(scale), SAYS],
        rows=[
            [
                one.label,
                colors.units.get(one.runtime, ""),
                *percentiles_of(samples, scale),
                says(one.cell),
            ]
            for one, samples in found
        ],
    )


def point_at(samples: Distribution, share: float, scale: Scale) -> Spec:
    """Where a percentile stands: x is the inverse of the rest, the value at least a nanosecond."""
    return {"x": 1 / (1 - share), "value": max(samples.quantile(share), 1e-9) / scale.factor}


def _tip(name: str, samples: Distribution, share: float) -> str:
    return f"{name}, p{100 * share:g}: {units.bare(samples.quantile(share), 's')}"


def percentile_lines(y: Spec, data: list[Spec]) -> list[Spec]:
    """The layer with a line for each series."""
    line = {"type": "line", "strokeWidth": 1.8}
    return [
        {
            "mark": line,
            "encoding": {
                "y": y,
                "detail": {"field": "series"},
                "color": direct("hue"),
                **dashed(data),
            },
        }
    ]


def share_axis(data: list[Spec], width: float, *, titled: bool = True) -> Spec:
    """The percentiles that any of these have, the rest of each on a log axis."""
    ticks = (
        " : ".join(f"datum.value == {1 / (1 - share):.6g} ? '{_name(share)}'" for share in SHOWN)
        + " : ''"
    )
    shares = sorted({d["x"] for d in data})
    ends_x = shares[0], max(shares[-1], shares[0] * 1.01)
    return {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": "log", "nice": False, "domain": list(ends_x)},
        "axis": {
            "title": "percentile, log of the rest" if titled else None,
            "labels": titled,
            "values": apart(
                [float(f"{1 / (1 - s):.6g}") for s in (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)],
                ends_x,
                width,
                text=_percentile,
            ),
            "labelExpr": ticks,
            "grid": True,
            "tickCount": 9,
        },
    }


def heads(scale: Scale) -> list[str]:
    """The heads of the columns of `percentiles_of` after the number of samples."""
    return [
        f"{what}, {scale.symbol}"
        for what in (*(f"p{_name(share).removesuffix(' %')}" for share in SHOWN), "Worst")
    ]


def percentiles_of(samples: Distribution, scale: Scale) -> list[str]:
    """The number of samples, each percentile that they can tell, and the worst."""
    known = tail(samples)
    return [
        f"{samples.count:,}",
        *(shown(samples.quantile(s), scale.factor) if s in known else units.NONE for s in SHOWN),
        shown(samples.largest(), scale.factor),
    ]


def _percentile(rest: float) -> str:
    return _name(1 - 1 / rest)


def _name(share: float) -> str:
    return f"{share * 100:.6g} %"


_PANEL = 92


Mode = tuple[str, Sampled, Distribution]


def mode_charts(
    summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette
) -> Iterator[Chart]:
    """The percentiles of each mode side by side, a panel a runtime: of the first series of a
    workload that has modes.
    """
    cells = [c for c in summary.cells if (c.workload, c.metric) == (workload.name, column.metric)]
    key = modes(cells)
    series = next(iter(workload.series.items()), None)
    if key is None or series is None or swept(cells):
        return
    panels: dict[str, list[Mode]] = {}
    for point in dict.fromkeys(c.point for c in cells):
        for one, samples in samples_of(
            summary, msgspec.structs.replace(column, point=point), series[0], colors
        ):
            panels.setdefault(one.label, []).append((parameters(point).get(key, ""), one, samples))
    panels = {label: found for label, found in panels.items() if len(found) > 1}
    if panels:
        yield _by_mode(column, key, series, panels, colors)


def _by_mode(
    column: Column,
    key: str,
    series: tuple[str, str],
    panels: dict[str, list[Mode]],
    colors: Palette,
) -> Chart:
    everything = [item for found in panels.values() for item in found]
    scale = scale_over([(one, samples) for _, one, samples in everything])
    data = {
        label: [
            {
                **point_at(samples, share, scale),
                "series": mode,
                "tip": _tip(mode, samples, share),
                **colors.look(one.runtime, one.cell.trusted),
                "dash": dash(place),
            }
            for place, (mode, one, samples) in enumerate(found)
            for share in tail(samples)
        ]
        for label, found in panels.items()
    }
    together = [datum for found in data.values() for datum in found]
    ends, width = value_range(together, "log"), PLOT
    parts: list[Spec] = []
    for label, found in data.items():
        first, last = not parts, len(parts) == len(data) - 1
        x = share_axis(together, width, titled=last)
        y = magnitude(
            ends, "log", directed(scale.symbol, "lower", "log") if first else None, clamp=True
        )
        layers = [
            *percentile_lines(y, found),
            points(24, y=y),
            *end_labels(found, width, _PANEL, ends, "log"),
        ]
        encoding = {"x": x, "color": direct("color")}
        size = {"title": {"text": label}, "width": width, "height": _PANEL}
        parts.append({**size, "data": {"values": found}, "encoding": encoding, "layer": layers})
    name, title = series
    return Chart(
        id=text.anchor("modes", column.workload, name),
        title=f"{column.title}: {title} by {key}, percentiles",
        caption=caption_of(
            [one.cell for _, one, _ in everything],
            "A panel a runtime, the same axes in all.",
            _POOLED,
        ),
        description=(
            f"Percentiles of {len(panels)} runtimes, a line for each {key}; numbers in the table."
        ),
        specs={"log": finish({"vconcat": parts, "spacing": 16})},
        head=["Runtime", key, "Samples", *heads(scale), SAYS],
        rows=[
            [label, mode, *percentiles_of(samples, scale), says(one.cell)]
            for label, found in panels.items()
            for mode, one, samples in found
        ],
    )
