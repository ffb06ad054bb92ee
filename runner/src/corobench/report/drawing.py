"""Charts of a page: drawn for the page, and as the files that lie beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import msgspec
from markupsafe import Markup

from corobench.report import painting, rendering
from corobench.report.charts.style import Chart, Spec
from corobench.report.painting import Drawing
from corobench.report.writing import write

_MARK = "<!-- chart {} -->"  # no text of a page can say it: all are escaped
_MARKED = re.compile(rb"<!-- chart (\S+) -->")


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
    """Charts of a folder that are being drawn; those that its files hold already are not drawn again.

    `pictures`: PNGs are wanted as well. `stamp` stands in every title and file.
    """

    def __init__(self, folder: Path, pictures: bool, stamp: str) -> None:
        self._folder, self._pictures, self._stamp = folder / "charts", pictures, stamp
        self._charts: list[tuple[Chart, str | Drawing]] = []

    def begin(self, chart: Chart) -> Chart:
        """One more. Returns it at once."""
        known = rendering.remembered(_first(chart), self._file(chart, "svg"))
        self._charts.append((chart, known or painting.painter().begin(_first(chart))))
        return chart

    def promised(self) -> dict[str, Drawn]:
        """The charts by id for a page that is made meanwhile: where each is to stand there is a mark, which `filled` replaces."""
        return {chart.id: self._drawn(chart, _MARK.format(chart.id)) for chart, _ in self._charts}

    def filled(self, page: bytes) -> bytes:
        """The page with its charts, when all are drawn."""
        return _MARKED.sub(lambda mark: self.finished[mark[1].decode()].svg.encode(), page)

    @cached_property
    def finished(self) -> dict[str, Drawn]:
        """The charts by id, when all are drawn, and their SVG and specifications written to `folder`/charts."""
        return {c.id: self._write(c, drawn if isinstance(drawn, str) else drawn.svg()) for c, drawn in self._charts}

    def _file(self, chart: Chart, suffix: str) -> Path:
        return self._folder / f"{chart.id}.{suffix}"

    def _write(self, chart: Chart, svg: str) -> Drawn:
        alone = rendering.titled(svg, _first(chart), chart.title, self._stamp)
        write(self._file(chart, "svg"), alone.encode())
        if self._pictures:
            write(self._file(chart, "png"), rendering.png(alone))
        write(self._file(chart, "js"), _script(chart, self._stamp).encode())
        return self._drawn(chart, rendering.inline(svg, chart.id, chart.title, chart.description))

    def _drawn(self, chart: Chart, svg: str) -> Drawn:
        return Drawn(
            id=chart.id,
            title=chart.title,
            caption=chart.caption,
            svg=Markup(svg),  # noqa: S704  Vega escapes every text, and what `inline` adds is escaped there
            scales=list(chart.specs),
            specs=f"charts/{chart.id}.js",
            files=[_download(chart, "svg"), *([_download(chart, "png")] if self._pictures else [])],
            head=chart.head,
            rows=chart.rows,
        )


def draw(charts: Iterable[Chart], folder: Path, pictures: bool, stamp: str) -> dict[str, Drawn]:
    """The same with nothing to do meanwhile."""
    drawings = Drawings(folder, pictures, stamp)
    for chart in charts:
        drawings.begin(chart)
    return drawings.finished


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


def _download(chart: Chart, suffix: str) -> File:
    return File(title=suffix.upper(), href=f"charts/{chart.id}.{suffix}")
