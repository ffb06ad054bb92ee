"""Samples as they are: percentiles on an axis that spreads the tail.

They are those of all invocations together; the numbers that are compared are those of single invocations.
"""

from __future__ import annotations

from collections.abc import Iterator

from corobench.distribution import Distribution
from corobench.report import slugs, units
from corobench.report.charts.curve import end_labels, value_range
from corobench.report.charts.histogram import histogram_chart
from corobench.report.charts.samples import Found, at_samples, sampled, samples_of, scale_over, shown
from corobench.report.charts.says import SAYS, says, with_caveats
from corobench.report.charts.style import (
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
    points,
)
from corobench.report.charts.ticks import apart
from corobench.report.headline import Column
from corobench.report.units import Scale
from corobench.statistics.values import Cell, RunSummary, WorkloadFacts

SHOWN = (0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999, 0.99999)
_TAIL = 5  # samples beyond a percentile: with fewer it is one sample's luck
_HEIGHT = 250
CAPTION = f"Samples of all invocations together; a percentile is drawn where at least {_TAIL} samples lie beyond it."


def percentile_charts(summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette) -> Iterator[Chart]:
    """The percentiles of each series at the headline point, or where it has samples; of a sweep's first one its histogram too."""
    for place, (series, title) in enumerate(workload.series.items()):
        here = at_samples(summary, column, series)
        samples = samples_of(summary, here, series, colors)
        if samples:
            where = f"{here.title}, {here.where}: {title}"
            everyone = [one.cell for one in sampled(summary, here, colors)]
            yield _percentiles(here, series, where, samples, everyone, colors)
            if workload.group != "core" and workload.curve and place == 0:
                yield histogram_chart(here, series, where, samples, everyone, colors)


def tail(samples: Distribution) -> list[float]:
    """The percentiles that so many samples can tell."""
    return [share for share in SHOWN if share == SHOWN[0] or samples.count * (1 - share) >= _TAIL]


def _percentiles(column: Column, series: str, where: str, found: Found, everyone: list[Cell], colors: Palette) -> Chart:
    scale = scale_over(found)
    data = [
        {**point_at(samples, share, scale), "series": one.label, **colors.look(one.runtime, one.cell.trusted)}
        for one, samples in found
        for share in tail(samples)
    ]
    ends = value_range(data, "log")
    width, height = WIDTH - NAME_ROOM - 30, max(_HEIGHT, 13 * len(found))
    x, y = share_axis(data, width), magnitude(ends, "log", directed(scale.symbol, "lower", "log"))
    spec = {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [*lines(y, data), points(34, y=y), *end_labels(data, width, height, ends, "log")],
    }
    return Chart(
        id=slugs.anchor("percentiles", column.workload, series),
        title=f"{where}, percentiles",
        caption=with_caveats(CAPTION, everyone),
        description=f"Percentiles of {len(found)} runtimes on an axis that spreads the tail; numbers in the table.",
        specs={"log": finish(spec)},
        head=["Runtime", "Unit", "Samples", *heads(scale), SAYS],
        rows=[
            [one.label, colors.units.get(one.runtime, ""), *percentiles_of(samples, scale), says(one.cell)]
            for one, samples in found
        ],
    )


def point_at(samples: Distribution, share: float, scale: Scale) -> Spec:
    """Where a percentile stands: x is the inverse of the rest, the value at least a nanosecond."""
    return {"x": 1 / (1 - share), "value": max(samples.quantile(share), 1e-9) / scale.factor}


def lines(y: Spec, data: list[Spec]) -> list[Spec]:
    """The layer with a line for each series."""
    line = {"type": "line", "strokeWidth": 1.8}
    return [{"mark": line, "encoding": {"y": y, "detail": {"field": "series"}, "color": direct("hue"), **dashed(data)}}]


def share_axis(data: list[Spec], width: float, *, titled: bool = True) -> Spec:
    """The percentiles that any of these have, the rest of each on a log axis."""
    ticks = " : ".join(f"datum.value == {1 / (1 - share):.6g} ? '{_name(share)}'" for share in SHOWN) + " : ''"
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
                [float(f"{1 / (1 - s):.6g}") for s in (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)], ends_x, width, text=_percentile
            ),
            "labelExpr": ticks,
            "grid": True,
            "tickCount": 9,
        },
    }


def heads(scale: Scale) -> list[str]:
    """The heads of the columns of `percentiles_of` after the number of samples."""
    return [f"{what}, {scale.symbol}" for what in (*(f"p{_name(share).removesuffix(' %')}" for share in SHOWN), "Worst")]


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
