"""Pages and charts as they are written.

Of the one Jinja environment everything is escaped, and an unknown name is an error. Charts are
drawn for a page, and as the files that lie beside it: an SVG that stands in a page takes its
colours from the page (light, dark, print); one that is downloaded is complete.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from corobench.report import units, vega
from corobench.report.charts import base
from corobench.report.charts.base import Chart
from corobench.report.headline import NARROW, short_point
from corobench.report.runs import File, write
from corobench.report.text import TRACK_TITLES, counted
from corobench.statistics.types import Estimate

_TITLE = 42  # pixels
_SHARED = "answer--"  # what is shown where a link to a page is shared: programs there read no SVG
_OPEN = re.compile(
    r'<svg [^>]*?width="(?P<width>[\d.]+)" height="(?P<height>[\d.]+)" '
    r'viewBox="(?P<box>[^"]+)"[^>]*>'
)
_IDENTITY = re.compile(r'(id="|url\(#)(clip\d+|gradient_\d+)')
THEMED = {
    base.INK: "ink",
    base.MUTED: "muted",
    base.GRID: "grid",
    base.PAPER: "chart-paper",
    base.FADED: "faded",
    base.ZONE: "zone",
    **{color: f"series-{place}" for place, color in enumerate(base.SERIES)},
}


def titled(svg: str, title: str, stamp: str) -> str:
    """A drawing as a file of its own: with its title, and where it comes from, above it."""
    opened = _opened(svg)
    body = svg[opened.end() :].removesuffix("</svg>")
    width, height = float(opened["width"]), float(opened["height"])
    size = (
        f'width="{width:g}" height="{height + _TITLE:g}" viewBox="0 0 {width:g} '
        f'{height + _TITLE:g}"'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" font-family="{base.FONT}" {size}>'
        f'<rect width="100%" height="100%" fill="{base.PAPER}"/>'
        '<text x="8" y="18" font-size="13" font-weight="bold" '
        f'fill="{base.INK}">{html.escape(title)}</text>'
        f'<text x="8" y="34" font-size="11" fill="{base.MUTED}">{html.escape(stamp)}</text>'
        f'<g transform="translate(0,{_TITLE})">{body}</g></svg>'
    )


def darkened(svg: str) -> str:
    """A drawing in the colours of a dark page."""
    for color, dark in base.DARK.items():
        svg = svg.replace(f'"{color}"', f'"{dark}"')
    return svg


def inline(svg: str, identity: str, title: str, description: str, look: str = "") -> str:
    """The SVG as a part of a page: named for those who don't see it, coloured by the page's theme.
    `look`: its class, if it has one.
    """
    opened = _opened(svg)
    body = svg[opened.end() :]
    body = _IDENTITY.sub(lambda m: f"{m[1]}{html.escape(identity)}-{m[2]}", body)
    for color, name in THEMED.items():
        body = body.replace(f'"{color}"', f'"var(--{name})"')
    own = html.escape(identity)
    named = f' class="{look}"' if look else ""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg"{named} role="img" '
        f'aria-labelledby="{own}-t {own}-d" viewBox="{opened["box"]}" '
        f'width="{opened["width"]}" height="{opened["height"]}" font-family="{base.FONT}">'
        f'<title id="{own}-t">{html.escape(title)}</title><desc '
        f'id="{own}-d">{html.escape(description)}</desc>'
    )
    return head + body


def _opened(svg: str) -> re.Match[str]:
    found = _OPEN.match(svg)
    if found is None:
        raise ValueError("not an SVG with width, height and viewBox")
    return found


_MARK = "<!-- chart {} -->"  # no text of a page can say it: all are escaped
_MARKED = re.compile(rb"<!-- chart (\S+) -->")


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A chart as the templates take it: drawn in the first of `scales`; `specs` is the script that
    holds those of all. `is_long`: of many rows, drawn for a wide window as well.
    """

    id: str
    title: str
    caption: base.Caption
    svg: Markup
    is_long: bool
    scales: list[str]
    specs: str
    files: list[File]
    head: list[str]
    rows: list[list[str]]


class Drawings:
    """Charts of a folder that are being drawn.

    `pictures`: PNGs are wanted as well. `stamp` stands in every title and file.
    """

    def __init__(self, folder: Path, pictures: bool, stamp: str) -> None:
        self._folder, self._pictures, self._stamp = folder / "charts", pictures, stamp
        self._charts: list[tuple[Chart, list[Callable[[], str]]]] = []

    def begin(self, chart: Chart) -> Chart:
        """One more. Returns it at once."""
        self._charts.append((chart, _begin(chart)))
        return chart

    def promised(self) -> dict[str, Drawn]:
        """The charts by id for a page that is made meanwhile: where each is to stand there is a
        mark, which `filled` replaces.
        """
        return {chart.id: self._drawn(chart, _MARK.format(chart.id)) for chart, _ in self._charts}

    def filled(self, page: bytes) -> bytes:
        """The page with its charts, when all are drawn."""
        return _MARKED.sub(lambda mark: self.finished[mark[1].decode()].svg.encode(), page)

    @cached_property
    def finished(self) -> dict[str, Drawn]:
        """The charts by id, when all are drawn, and their SVG and specifications written to
        `folder`/charts.
        """
        return {
            chart.id: self._write(chart, [drawn() for drawn in begun])
            for chart, begun in self._charts
        }

    def _file(self, chart: Chart, suffix: str) -> Path:
        return self._folder / f"{chart.id}.{suffix}"

    def _write(self, chart: Chart, drawings: list[str]) -> Drawn:
        alone = titled(drawings[0], chart.title, self._stamp)
        write(self._file(chart, "svg"), alone.encode())
        if self._pictures or chart.id.startswith(_SHARED):
            write(self._file(chart, "png"), vega.png(alone))
        write(self._file(chart, "js"), _script(chart, self._stamp).encode())
        return self._drawn(chart, _inlined(chart, drawings))

    def _drawn(self, chart: Chart, svg: str) -> Drawn:
        files = [_download(chart, "svg"), *([_download(chart, "png")] if self._pictures else [])]
        return _drawn(chart, svg, f"charts/{chart.id}.js", files)


def of_another_run(chart: Chart) -> Drawn:
    """A chart that stands in a page, and whose files lie beside its own run."""
    return _drawn(chart, _inlined(chart, [drawn() for drawn in _begin(chart)]), "", [])


def _begin(chart: Chart) -> list[Callable[[], str]]:
    """Its drawing, and for a long one that for a wide window."""
    return [vega.begin(_first(specs)) for specs in (chart.specs, chart.wide) if specs]


def _inlined(chart: Chart, drawings: list[str]) -> str:
    """The drawings of a chart, of which the page shows one."""
    told = (chart.title, chart.description)
    if len(drawings) == 1:
        return inline(drawings[0], chart.id, *told)
    narrow, wide = drawings
    return inline(narrow, chart.id, *told, "narrow") + inline(
        wide, f"{chart.id}-wide", *told, "wide"
    )


def _drawn(chart: Chart, svg: str, specs: str, files: list[File]) -> Drawn:
    return Drawn(
        id=chart.id,
        title=chart.title,
        caption=chart.caption,
        is_long=bool(chart.wide),
        svg=Markup(svg),  # noqa: S704  Vega escapes every text, and what `inline` adds is escaped there
        scales=list(chart.specs),
        specs=specs,
        files=files,
        head=chart.head,
        rows=chart.rows,
    )


def draw(charts: Iterable[Chart], folder: Path, pictures: bool, stamp: str) -> dict[str, Drawn]:
    """The same with nothing to do meanwhile."""
    drawings = Drawings(folder, pictures, stamp)
    for chart in charts:
        drawings.begin(chart)
    return drawings.finished


def _first(specs: dict[str, vega.Spec]) -> vega.Spec:
    return next(iter(specs.values()))


def _script(chart: Chart, stamp: str) -> str:
    """The specifications of all scales, what they share (the data above all) only once.

    A script and not JSON: a page that was opened from a folder may load nothing else.
    """
    first, *others = [*chart.specs.values(), *chart.wide.values()]
    shared = {
        key: value
        for key, value in first.items()
        if all(other.get(key) == value for other in others)
    }

    def own(specs: dict[str, vega.Spec]) -> dict[str, vega.Spec]:
        return {
            scale: {k: v for k, v in spec.items() if k not in shared}
            for scale, spec in specs.items()
        }

    parts = {"scales": own(chart.specs)} | ({"wide": own(chart.wide)} if chart.wide else {})
    shared["title"] = {"text": chart.title, "subtitle": stamp}
    return f"(window.charts ??= {{}})[{_json(chart.id)}] = {_json({'shared': shared, **parts})};\n"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _download(chart: Chart, suffix: str) -> File:
    return File(title=suffix.upper(), href=f"charts/{chart.id}.{suffix}")


NAVIGATION = [
    ("Results", "index.html"),
    ("Findings", "findings.html"),
    ("Compare", "compare.html"),
    ("Boxes", "boxes.html"),
    ("History", "history.html"),
    ("Runtimes", "runtimes.html"),
    ("Method", "method.html"),
    ("Notes", "notes.html"),
    ("Data", "data.html"),
]


class _Compiled(FileSystemBytecodeCache):
    """Templates as they were compiled, beside what Python keeps of this package's modules; one that
    can't be kept there is compiled each time.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


@cache
def environment() -> Environment:
    """Templates of this package with the filters that they share."""
    made = Environment(
        loader=PackageLoader("corobench.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_Compiled(str(vega.KEPT.parent)),
    )
    made.filters["number"] = repr
    made.globals.update(
        navigation=NAVIGATION,
        tracks=TRACK_TITLES,
        short_point=short_point,
        ratio=lambda e: units.show(e, units.ONE),
        ratio_interval=lambda e: units.show_interval(e, units.ONE),
        percent=units.percent,
        counted=counted,
        narrow=NARROW,
        quick="",
        picture="",
    )
    return made


def render(template: str, *, depth: int, here: str = "", **values: Any) -> bytes:
    """A page as bytes. `depth`: how many folders it lies under the site's root; `here`: its own
    name in the navigation.
    """
    return (
        environment()
        .get_template(template)
        .render(root="../" * depth, here=here, **values)
        .encode()
    )


def show(estimate: Estimate | None, unit: str) -> str:
    """An estimate with its own unit and interval, for running text."""
    if estimate is None:
        return units.NONE
    scale = units.scale_of([estimate.center], unit)
    return f"{units.show(estimate, scale)} {scale.symbol} ({units.show_interval(estimate, scale)})"


if __name__ == "__main__":  # bootstrap.py has them compiled beside the installation
    for name in environment().list_templates():
        environment().get_template(name)
