"""Charts of a page: drawn for the page, and as the files that lie beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
from markupsafe import Markup

from corobench.report import rendering
from corobench.report.charts.style import Chart
from corobench.report.rendering import Renderer
from corobench.report.writing import write


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A download: its address relative to the page's folder."""

    title: str
    href: str


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A chart as the templates take it: drawn in the first of `scales`; `specs` is the script that holds those of all."""

    id: str
    title: str
    caption: str
    svg: Markup
    scales: list[str]
    specs: str
    files: list[File]
    head: list[str]
    rows: list[list[str]]


def draw(charts: Iterable[Chart], folder: Path, renderer: Renderer, stamp: str) -> dict[str, Drawn]:
    """Charts by id; their SVG and specifications are written to `folder`/charts. `stamp` stands in every title and file."""
    target = folder / "charts"
    target.mkdir(parents=True, exist_ok=True)
    return {chart.id: _draw(chart, target, renderer, stamp) for chart in charts}


def _draw(chart: Chart, target: Path, renderer: Renderer, stamp: str) -> Drawn:
    scales = list(chart.specs)
    svg = renderer.svg(chart.specs[scales[0]])
    alone = rendering.titled(svg, chart.title, stamp)
    write(target / f"{chart.id}.svg", alone.encode())
    files = [_file(chart, ".svg", "SVG")]
    if renderer.pictures:
        write(target / f"{chart.id}.png", renderer.png(alone))
        files.append(_file(chart, ".png", "PNG"))
    # A script and not JSON: a page that was opened from a folder may load nothing else.
    specs = {scale: {**spec, "title": {"text": chart.title, "subtitle": stamp}} for scale, spec in chart.specs.items()}
    words = f"(window.charts ??= {{}})[{_json(chart.id)}] = {_json(specs)};\n"
    write(target / f"{chart.id}.js", words.encode())
    return Drawn(
        id=chart.id,
        title=chart.title,
        caption=chart.caption,
        # Safe: Vega escapes every text, and what `inline` adds is escaped there.
        svg=Markup(rendering.inline(svg, chart.id, chart.title, chart.description)),  # noqa: S704
        scales=scales,
        specs=f"charts/{chart.id}.js",
        files=files,
        head=chart.head,
        rows=chart.rows,
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _file(chart: Chart, suffix: str, title: str) -> File:
    return File(title=title, href=f"charts/{chart.id}{suffix}")
