"""Several metrics against the swept parameter, one panel each, with the line that arithmetic allows.

A request of `cpu_us` of CPU time and `wait_us` of waiting can't be served faster than cores / cpu, nor answered sooner than
cpu + wait: a workload that has these two parameters is drawn with both limits, and its knee is told.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from corobench.report import slugs, units
from corobench.report.charts.curve import end_labels, series_name, value_range
from corobench.report.charts.says import SAYS, gap_rows, interval_words, says_of, with_caveats
from corobench.report.charts.style import (
    MUTED,
    NAME_ROOM,
    NUMBER,
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
    room,
)
from corobench.report.facts import cpus
from corobench.report.headline import Column
from corobench.report.matrix import TRACK_TITLES
from corobench.report.sweep import along, number, parameters, swept, value
from corobench.report.units import Scale, scale_of_estimates
from corobench.statistics.values import Cell, RunSummary, WorkloadFacts

_MOST = 5
_HEIGHT = 150
_SEEN = 0.02  # an interval that is shorter than this share of the axis is hidden by its own mark
KNEE = 1.1  # over the ideal response by this: more at a time only wait longer


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """What so many cores allow: seconds of CPU and of waiting a request."""

    cores: int
    cpu: float
    wait: float

    def rate(self, at_once: float) -> float:
        return min(at_once / (self.cpu + self.wait), self.cores / self.cpu)

    def filled(self, at_once: float) -> bool:
        """Whether so many keep all cores busy."""
        return at_once / (self.cpu + self.wait) >= self.cores / self.cpu

    def response(self, at_once: float) -> float:
        return max(self.cpu + self.wait, at_once * self.cpu / self.cores)


def multiples_chart(
    summary: RunSummary, workload: WorkloadFacts, column: Column, colors: Palette, setting: str = ""
) -> Chart | None:
    """None where a workload has one metric only (figures beside it are none), or nothing varies.

    `setting`: what tells the column's point from that of the headline.
    """
    cells = [c for c in summary.cells if c.workload == workload.name and not c.figures]
    key = swept([c for c in cells if c.metric == column.metric], workload.curve)
    everyone = [c for c in along(cells, column.point, key) if value(c, key) is not None] if key else []
    chosen = [c for c in everyone if c.typical]
    metrics = [m for m in workload.metrics if any(c.metric == m for c in chosen)]
    if key is None or len(metrics) < 2 or len({value(c, key) for c in chosen}) < 2:
        return None
    limits = limits_of(summary, column, {c.track for c in chosen})
    scales = {m: scale_of_estimates((c.typical for c in chosen if c.metric == m), _unit(chosen, m)) for m in metrics}
    shown = _panels(metrics, chosen)
    words = workload.parameters.get(key, key)
    titles = [f"{workload.metrics[m]}, {scales[m].symbol}".rstrip(", ") for m in metrics]
    head = ["Runtime", "Track", key, *(part for title in titles for part in (title, "Interval")), "n", SAYS]
    return Chart(
        id=slugs.anchor("multiples", workload.name, *([setting] if setting else [])),
        title=f"{workload.title} against {words} ({key}){f', {setting}' if setting else ''}",
        caption=with_caveats(_caption(workload, chosen, key, limits), everyone),
        description=f"{len(shown)} panels of lines against {key}; all numbers are in the table below.",
        specs={kind: finish(_spec(workload, shown, chosen, key, scales, limits, colors, kind)) for kind in ("linear", "log")},
        head=head,
        rows=[*_rows(everyone, key, workload.metrics, scales), *gap_rows(everyone, head)],
    )


def _panels(metrics: list[str], cells: list[Cell]) -> list[str]:
    """One metric of each unit, then the first ones, in the order of the spec."""
    first = list({_unit(cells, m): m for m in reversed(metrics)}.values())[::-1]
    chosen = [*first, *(m for m in metrics if m not in first)][:_MOST]
    return [m for m in metrics if m in chosen]


def _unit(cells: list[Cell], metric: str) -> str:
    return next((c.unit for c in cells if c.metric == metric), "")


def limits_of(summary: RunSummary, column: Column, tracks: set[str]) -> dict[str, Limit]:
    """By track, of the CPUs that the programs had; a run that did not record it has those of the box."""
    found = parameters(column.point)
    cpu, wait = (number(found.get(name, "")) for name in ("cpu_us", "wait_us"))
    if not cpu or wait is None:
        return {}
    assumed = {"one-cpu": 1, "all-cpus": cpus(summary.box)}
    cores = {track: summary.cpus.get(f"{column.workload}/{track}", assumed[track]) for track in sorted(tracks)}
    return {track: Limit(cores=had, cpu=cpu * 1e-6, wait=wait * 1e-6) for track, had in cores.items() if had}


def _caption(workload: WorkloadFacts, cells: list[Cell], key: str, limits: dict[str, Limit]) -> str:
    if not limits:
        return f"Lines: typical values, each named beside the first panel; bars: {interval_words(c.typical for c in cells)}."
    knees: dict[str, list[str]] = {}
    for (track, runtime), at in knee(workload, cells, key, limits).items():
        knees.setdefault(at, []).append(f"{runtime}{' on all CPUs' if track == 'all-cpus' else ''}")
    told = "; ".join(f"{at}: {', '.join(names)}" for at, names in knees.items())
    had = ", ".join(f"{track}: {limit.cores}" for track, limit in limits.items())
    words = f"Dashed: what {key} at a time can have at most, and wait at least, with the CPUs that the programs had ({had}). "
    return (
        words + f"Knee, the smallest {key} whose median response is over 10 % above CPU and waiting: {told}." if told else words
    )


def knee(workload: WorkloadFacts, cells: list[Cell], key: str, limits: dict[str, Limit]) -> dict[tuple[str, str], str]:
    """(track, runtime) -> where it bends, by the first median time of the workload; "none" where it stays below."""
    metric = next((m for m, title in workload.metrics.items() if "median" in title and _unit(cells, m) == "s"), None)
    found: dict[tuple[str, str], str] = {}
    for cell in sorted((c for c in cells if c.metric == metric and c.track in limits), key=lambda c: value(c, key) or 0.0):
        ideal = limits[cell.track].response(0.0)
        place, at = (cell.track, cell.runtime), value(cell, key)
        if found.setdefault(place, "none") == "none" and cell.typical and cell.typical.center > KNEE * ideal:
            found[place] = f"{at:g}"
    return found


def _rows(cells: list[Cell], key: str, titles: Mapping[str, str], scales: dict[str, Scale]) -> list[list[str]]:
    """`scales`: of the metrics that have a column, in their order; `titles`: of the metrics by name."""
    places: dict[tuple[str, str, float], dict[str, Cell]] = {}
    for cell in (c for c in cells if not c.gap):
        places.setdefault((cell.track, cell.runtime, value(cell, key) or 0.0), {})[cell.metric] = cell
    return [
        [
            runtime,
            TRACK_TITLES[track],
            f"{x:,g}",
            *(shown for m, scale in scales.items() for shown in _both(here.get(m), scale)),
            str(max((c.typical.n for c in here.values() if c.typical), default=0)),
            says_of([here[m] for m in scales if m in here], titles),
        ]
        for (track, runtime, x), here in sorted(places.items(), key=lambda item: item[0])
    ]


def _both(cell: Cell | None, scale: Scale) -> tuple[str, str]:
    """A number and its interval."""
    found = cell.typical if cell else None
    return units.show(found, scale), units.show_interval(found, scale)


def _spec(
    workload: WorkloadFacts,
    metrics: list[str],
    cells: list[Cell],
    key: str,
    scales: dict[str, Scale],
    limits: dict[str, Limit],
    colors: Palette,
    kind: str,
) -> Spec:
    many = len({c.track for c in cells}) > 1
    parts = []
    for metric in metrics:
        here = [c for c in cells if c.metric == metric]
        data = [_datum(c, key, scales[metric], colors, many) for c in here]
        told = here[0].unit == "1/s" or (metric.startswith("response") and "median" in workload.metrics[metric])
        ideal = _ideal(here, key, scales[metric], limits) if told else []
        title = f"{workload.metrics[metric]}{f', {scales[metric].symbol}' if scales[metric].symbol else ''}"
        title = directed(title, here[0].better, kind)
        parts.append(_panel(title, data, ideal, kind, first=metric == metrics[0], last=metric == metrics[-1], key=key))
    return {"vconcat": parts, "spacing": 26}


def _datum(cell: Cell, key: str, scale: Scale, colors: Palette, many: bool) -> Spec:
    assert cell.typical is not None
    return {
        "series": series_name(cell, many),
        "x": value(cell, key),
        "value": cell.typical.center / scale.factor,
        "low": cell.typical.low / scale.factor,
        "high": cell.typical.high / scale.factor,
        **colors.look(cell.runtime, cell.trusted),
    }


def _ideal(cells: list[Cell], key: str, scale: Scale, limits: dict[str, Limit]) -> list[Spec]:
    """The limit of a rate, or of a median time (a tail may be anything)."""
    unit = cells[0].unit
    xs = sorted({x for c in cells if (x := value(c, key)) is not None})
    return [
        {"limit": track, "x": x, "value": (limit.rate(x) if unit == "1/s" else limit.response(x)) / scale.factor}
        for track, limit in limits.items()
        for x in xs
    ]


def _panel(title: str, data: list[Spec], ideal: list[Spec], kind: str, first: bool, last: bool, key: str) -> Spec:
    ends = value_range([*data, *ideal], kind)
    width = WIDTH - NAME_ROOM - 30
    height = max(_HEIGHT, 13 * len({d["series"] for d in data})) if first else _HEIGHT
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": {"nice": False, "zero": False},
        "axis": {"title": key if last else None, "format": NUMBER, "tickCount": 6, "grid": False},
    }
    y = magnitude(ends, kind, title, ticks=4)
    wide = [d for d in data if d["high"] - d["low"] > _SEEN * (ends[1] - ends[0])]
    limit = {
        "data": {"values": ideal},
        "mark": {"type": "line", "strokeDash": [5, 3], "strokeWidth": 1.2, "color": MUTED},
        "encoding": {"x": x, "y": y, "detail": {"field": "limit"}, "color": {"value": MUTED}},
    }
    return {
        "width": width,
        "height": height,
        "data": {"values": data},
        "encoding": {"x": x, "color": direct("color")},
        "layer": [
            *([limit] if ideal else []),
            {
                "mark": {"type": "line", "strokeWidth": 1.6},
                "encoding": {"y": y, "detail": {"field": "series"}, "color": direct("hue"), **dashed(data)},
            },
            {
                "data": {"values": wide},
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            points(30, y=y),
            *(end_labels(data, width, height, ends, kind) if first else [room(width, NAME_ROOM)]),
        ],
    }
