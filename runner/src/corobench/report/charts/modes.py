"""The percentiles of each mode of a workload (idle, loaded, loaded with a remedy), one panel a runtime on shared axes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from corobench.distribution import Distribution
from corobench.report import slugs
from corobench.report.charts.curve import end_labels, value_range
from corobench.report.charts.percentiles import CAPTION, heads, lines, percentiles_of, point_at, share_axis, tail
from corobench.report.charts.samples import Sampled, samples_of, scale_over
from corobench.report.charts.says import SAYS, says, with_caveats
from corobench.report.charts.style import (
    NAME_ROOM,
    WIDTH,
    Chart,
    Palette,
    Spec,
    dash,
    direct,
    directed,
    finish,
    magnitude,
    points,
)
from corobench.report.headline import Column
from corobench.report.sweep import modes, parameters, swept
from corobench.statistics.values import RunSummary, WorkloadFacts

_PANEL = 92


Mode = tuple[str, Sampled, Distribution]


def mode_charts(summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette) -> Iterator[Chart]:
    """The percentiles of each mode side by side, a panel a runtime: of the first series of a workload that has modes."""
    cells = [c for c in summary.cells if (c.workload, c.metric) == (workload.name, column.metric)]
    key = modes(cells)
    series = next(iter(workload.series.items()), None)
    if key is None or series is None or swept(cells):
        return
    panels: dict[str, list[Mode]] = {}
    for point in dict.fromkeys(c.point for c in cells):
        for one, samples in samples_of(summary, msgspec.structs.replace(column, point=point), series[0], colors):
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
            {**point_at(samples, share, scale), "series": mode, **colors.look(one.runtime, one.cell.trusted), "dash": dash(place)}
            for place, (mode, one, samples) in enumerate(found)
            for share in tail(samples)
        ]
        for label, found in panels.items()
    }
    together = [datum for found in data.values() for datum in found]
    ends, width = value_range(together, "log"), WIDTH - NAME_ROOM - 30
    parts: list[Spec] = []
    for label, found in data.items():
        first, last = not parts, len(parts) == len(data) - 1
        x = share_axis(together, width, titled=last)
        y = magnitude(ends, "log", directed(scale.symbol, "lower", "log") if first else None, clamp=True)
        layers = [*lines(y, found), points(24, y=y), *end_labels(found, width, _PANEL, ends, "log")]
        encoding = {"x": x, "color": direct("color")}
        size = {"title": {"text": label}, "width": width, "height": _PANEL}
        parts.append({**size, "data": {"values": found}, "encoding": encoding, "layer": layers})
    name, title = series
    return Chart(
        id=slugs.anchor("modes", column.workload, name),
        title=f"{column.title}: {title} by {key}, percentiles",
        caption=with_caveats(f"One panel a runtime, the same axes in all. {CAPTION}", [one.cell for _, one, _ in everything]),
        description=f"Percentiles of {len(panels)} runtimes, a line for each {key}; numbers in the table.",
        specs={"log": finish({"vconcat": parts, "spacing": 16})},
        head=["Runtime", key, "Samples", *heads(scale), SAYS],
        rows=[
            [label, mode, *percentiles_of(samples, scale), says(one.cell)]
            for label, found in panels.items()
            for mode, one, samples in found
        ],
    )
