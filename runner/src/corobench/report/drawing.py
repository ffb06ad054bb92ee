"""Charts of a page: drawn for the page, and as the files that lie beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
from markupsafe import Markup

from corobench.report import rendering
from corobench.report.charts.style import Chart
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


def draw(charts: Iterable[Chart], folder: Path, pictures: bool, stamp: str) -> dict[str, Drawn]:
    """Charts by id; their SVG and specifications are written to `folder`/charts.

    `pictures`: PNGs are wanted as well. `stamp` stands in every title and file.
    """
    target = folder / "charts"
    target.mkdir(parents=True, exist_ok=True)
    return {chart.id: _draw(chart, target, pictures, stamp) for chart in charts}


def _draw(chart: Chart, target: Path, pictures: bool, stamp: str) -> Drawn:
    scales = list(chart.specs)
    spec, file = chart.specs[scales[0]], target / f"{chart.id}.svg"
    svg = rendering.svg(spec, file)
    alone = rendering.titled(svg, spec, chart.title, stamp)
    write(file, alone.encode())
    files = [_file(chart, ".svg", "SVG")]
    if pictures:
        write(target / f"{chart.id}.png", rendering.png(alone))
        files.append(_file(chart, ".png", "PNG"))
    write(target / f"{chart.id}.js", _script(chart, stamp).encode())
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


def _script(chart: Chart, stamp: str) -> str:
    """The specifications of all scales, what they share (the data above all) only once.

    A script and not JSON: a page that was opened from a folder may load nothing else.
    """
    first, *others = chart.specs.values()
    shared = {key: value for key, value in first.items() if all(other.get(key) == value for other in others)}
    own = {scale: {k: v for k, v in spec.items() if k not in shared} for scale, spec in chart.specs.items()}
    shared["title"] = {"text": chart.title, "subtitle": stamp}
    return f"(window.charts ??= {{}})[{_json(chart.id)}] = {_json({'shared': shared, 'scales': own})};\n"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _file(chart: Chart, suffix: str, title: str) -> File:
    return File(title=title, href=f"charts/{chart.id}{suffix}")
