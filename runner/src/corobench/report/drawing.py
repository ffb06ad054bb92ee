"""Charts of a page: drawn for the page, and as the files that lie beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
from markupsafe import Markup

from corobench.report import rendering
from corobench.report.charts.style import Chart, Spec
from corobench.report.rendering import Renderer
from corobench.report.writing import write


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A download: its address relative to the page's folder."""

    title: str
    href: str


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A chart as the templates take it. `svgs`: scale -> SVG for the page."""

    id: str
    title: str
    caption: str
    svgs: dict[str, Markup]
    files: list[File]
    specs: dict[str, Spec]
    head: list[str]
    rows: list[list[str]]


def draw(charts: Iterable[Chart], folder: Path, renderer: Renderer, stamp: str) -> dict[str, Drawn]:
    """Charts by id; their SVG, PNG and specification are written to `folder`/charts. `stamp` stands in every title and file."""
    target = folder / "charts"
    target.mkdir(parents=True, exist_ok=True)
    return {chart.id: _draw(chart, target, renderer, stamp) for chart in charts}


def _draw(chart: Chart, target: Path, renderer: Renderer, stamp: str) -> Drawn:
    svgs: dict[str, Markup] = {}
    files: list[File] = []
    for place, (scale, spec) in enumerate(chart.specs.items()):
        suffix = "" if place == 0 else f"-{scale}"
        svg = renderer.svg(spec)
        write(target / f"{chart.id}{suffix}.svg", rendering.titled(svg, chart.title, stamp).encode())
        complete = {**spec, "title": {"text": chart.title, "subtitle": stamp}}
        write(target / f"{chart.id}{suffix}.vl.json", msgspec.json.format(msgspec.json.encode(complete)))
        # Safe: Vega escapes every text, and what `inline` adds is escaped there.
        svgs[scale] = Markup(rendering.inline(svg, f"{chart.id}-{scale}", chart.title, chart.description))  # noqa: S704
        if place == 0:
            write(target / f"{chart.id}.png", renderer.png(rendering.titled(svg, chart.title, stamp)))
            files += [_file(chart, ".svg", "SVG"), _file(chart, ".png", "PNG"), _file(chart, ".vl.json", "Vega-Lite")]
    return Drawn(
        id=chart.id,
        title=chart.title,
        caption=chart.caption,
        svgs=svgs,
        files=files,
        specs=chart.specs,
        head=chart.head,
        rows=chart.rows,
    )


def _file(chart: Chart, suffix: str, title: str) -> File:
    return File(title=title, href=f"charts/{chart.id}{suffix}")
