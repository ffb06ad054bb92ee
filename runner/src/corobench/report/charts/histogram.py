"""The histogram of samples: a row a case, all on one log axis."""

from __future__ import annotations

import math
from collections import Counter

from corobench import distribution
from corobench.distribution import Distribution
from corobench.report import slugs, units
from corobench.report.charts.samples import Found, scale_over, shown
from corobench.report.charts.says import with_caveats
from corobench.report.charts.style import LABEL, WIDTH, Chart, Palette, direct, directed, finish, magnitude, names
from corobench.report.charts.ticks import apart
from corobench.report.headline import Column
from corobench.statistics.values import Cell

_BINS = 30  # about so many boxes over all samples, between 8 and 64 a decade
_STEP = 22


def histogram_chart(column: Column, series: str, where: str, found: Found, everyone: list[Cell], colors: Palette) -> Chart:
    """One row a case, whose boxes are the stronger the more of its samples lie there."""
    scale = scale_over(found)
    decades = math.log10(max(d.most_ns for _, d in found) / max(1000, min(d.least_ns for _, d in found)))
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
    shares = {label: {(low, high): share for low, high, share in boxes} for label, boxes in bins.items()}
    caption = "One row a runtime: the stronger a box, the more of its samples lie there. Two strong ones apart: two modes."
    return Chart(
        id=slugs.anchor("histogram", column.workload, series),
        title=f"{where}, histogram",
        caption=with_caveats(caption, everyone),
        description=f"Shares of samples by logarithmic boxes for {len(found)} runtimes; the shares are in the table below.",
        specs={"log": finish(spec)},
        head=[f"From, {scale.symbol}", f"To, {scale.symbol}", *(f"{label}: share" for label in bins)],
        rows=[
            [
                *(shown(edge, scale.factor) for edge in box),
                *(units.percent(of[box]) if box in of else units.NONE for of in shares.values()),
            ]
            for box in edges
        ],
    )


def _bins(samples: Distribution, fine: int) -> list[tuple[float, float, float]]:
    """[low, high) in seconds with the share of the samples in it, so many a decade; what is under 1 us is one box."""
    found: Counter[int] = Counter()
    for bucket, count in samples.buckets:
        low, high = distribution.edges(bucket)
        found[max(-6 * fine, math.floor(math.log10((low + high) / 2) * fine))] += count
    return [(10 ** (p / fine), 10 ** ((p + 1) / fine), n / samples.count) for p, n in sorted(found.items())]
