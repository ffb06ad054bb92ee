"""Charts of a page: drawn for the page, and as the files that lie beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
from markupsafe import Markup

from corobench.report import rendering
from corobench.report.charts.style import Chart, Spec
from corobench.report.painting import Begun
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


class Drawings:
    """Charts of a folder that are being drawn; those that its files hold already are not drawn again."""

    def __init__(self, charts: Iterable[Chart], folder: Path) -> None:
        self._folder = folder / "charts"
        self._charts = list(charts)
        self._known = {c.id: known for c in self._charts if (known := rendering.remembered(_first(c), self._file(c)))}
        self._missing = [c.id for c in self._charts if c.id not in self._known]
        self._begun = Begun([_first(c) for c in self._charts if c.id not in self._known])

    def finish(self, pictures: bool, stamp: str) -> dict[str, Drawn]:
        """The charts by id, their SVG and specifications written to `folder`/charts.

        `pictures`: PNGs are wanted as well. `stamp` stands in every title and file.
        """
        found = {**self._known, **dict(zip(self._missing, self._begun.finished(), strict=True))}
        return {chart.id: self._write(chart, found[chart.id], pictures, stamp) for chart in self._charts}

    def _file(self, chart: Chart) -> Path:
        return self._folder / f"{chart.id}.svg"

    def _write(self, chart: Chart, svg: str, pictures: bool, stamp: str) -> Drawn:
        alone = rendering.titled(svg, _first(chart), chart.title, stamp)
        write(self._file(chart), alone.encode())
        files = [_file(chart, ".svg", "SVG")]
        if pictures:
            write(self._folder / f"{chart.id}.png", rendering.png(alone))
            files.append(_file(chart, ".png", "PNG"))
        write(self._folder / f"{chart.id}.js", _script(chart, stamp).encode())
        return Drawn(
            id=chart.id,
            title=chart.title,
            caption=chart.caption,
            # Safe: Vega escapes every text, and what `inline` adds is escaped there.
            svg=Markup(rendering.inline(svg, chart.id, chart.title, chart.description)),  # noqa: S704
            scales=list(chart.specs),
            specs=f"charts/{chart.id}.js",
            files=files,
            head=chart.head,
            rows=chart.rows,
        )


def draw(charts: Iterable[Chart], folder: Path, pictures: bool, stamp: str) -> dict[str, Drawn]:
    """The same with nothing to do meanwhile."""
    return Drawings(charts, folder).finish(pictures, stamp)


def _first(chart: Chart) -> Spec:
    return next(iter(chart.specs.values()))


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
