"""Specifications into SVG and PNG, in this process, each only once: its file says by a hash what it was drawn from.

An SVG that stands in a page takes its colours from the page (light, dark, print); one that is downloaded is complete.
"""

from __future__ import annotations

import hashlib
import html
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import vl_convert

from corobench.report.charts import style
from corobench.report.charts.style import Spec

VEGA_LITE = "6.4"
VERSION = f"{version('vl-convert-python')}-{VEGA_LITE}"
_FORM = "4"  # of what _tidy leaves
_SIZES = ("fontSize", "labelFontSize")
_TITLE = 42
_OPEN = re.compile(r'<svg [^>]*?width="(?P<width>[\d.]+)" height="(?P<height>[\d.]+)" viewBox="(?P<box>[^"]+)"[^>]*>')
_DRAWN = re.compile(
    rf'<g transform="translate\(0,{_TITLE}\)" data-from="(?P<key>\w+)" data-box="(?P<box>[^"]+)" '
    r'data-width="(?P<width>[^"]+)" data-height="(?P<height>[^"]+)">'
)
_NOISE = re.compile(
    r' (?:aria-hidden="true"|role="graphics-[a-z]+"|aria-roledescription="[^"]*"|pointer-events="none"|class="[^"]*"|opacity="1"'
    r'|font-family="Arial[^"]*")'
    r'|<path d="" display="none"/>|<path d="M0,0h0v0h0Z"/>|<path d="M0\.?5?,0\.?5?h[\d.]+v[\d.]+h-[\d.]+Z"/>'
)
_PLACED = re.compile(r' (?:d|transform|[xy][12]?|width|height)="[^"]*"')
_FINE = re.compile(r"(?<=\.\d\d)\d+")  # a hundredth of a pixel
_IDENTITY = re.compile(r'(id="|url\(#)(clip\d+|gradient_\d+)')
THEMED = {
    style.INK: "ink",
    style.MUTED: "muted",
    style.GRID: "grid",
    style.PAPER: "chart-paper",
    style.FADED: "faded",
    style.ZONE: "zone",
    **{color: f"series-{place}" for place, color in enumerate(style.SERIES)},
}


def remembered(spec: Spec, file: Path) -> str | None:
    """The drawing in a file that `titled` made, where it says that it was drawn from this specification.

    The site remembers its charts itself, and a fresh checkout has them.
    """
    if not file.is_file() or not (found := _DRAWN.search(text := file.read_text())):
        return None
    body = text[found.end() :].removesuffix("</g></svg>")
    if found["key"] != _key(spec, body):
        return None
    size = f'width="{found["width"]}" height="{found["height"]}" viewBox="{found["box"]}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}</svg>'


def png(whole: str) -> bytes:
    """An SVG as a PNG at twice the size."""
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
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" font-family="{style.FONT}" {size}>'
        f'<rect width="100%" height="100%" fill="{style.PAPER}"/>'
        f'<text x="8" y="18" font-size="13" font-weight="bold" fill="{style.INK}">{html.escape(title)}</text>'
        f'<text x="8" y="34" font-size="11" fill="{style.MUTED}">{html.escape(stamp)}</text>'
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
        f'width="{opened["width"]}" height="{opened["height"]}" font-family="{style.FONT}">'
        f'<title id="{own}-t">{html.escape(title)}</title><desc id="{own}-d">{html.escape(description)}</desc>'
    )
    return head + body


def _opened(svg: str) -> re.Match[str]:
    found = _OPEN.match(svg)
    if found is None:
        raise ValueError("not an SVG with width, height and viewBox")
    return found


def drawn(spec: Spec) -> str:
    """A complete SVG document in the light colours, made without measuring each word of it, which is nine tenths of the time.

    Vega takes a text of negative size for one without width, and writes the size as it is: the sign is taken away again.
    Nothing here depends on a width of words: the charts keep room for them, whichever font a reader has.
    """
    return _tidy(vl_convert.vegalite_to_svg(_unmeasured(spec), vl_version=VEGA_LITE)).replace('font-size="-', 'font-size="')


def warm_up() -> None:
    """Starts the engine of this process, and lets it see once what most charts are made of."""
    x: Spec = {"field": "x", "type": "quantitative", "scale": {"type": "log"}}
    values = [{"x": 1, "low": 1, "high": 2, "y": "a"}, {"x": 10, "low": 5, "high": 20, "y": "b"}]
    layers = [
        {"mark": "rule", "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}}},
        {"mark": {"type": "point", "filled": True}, "encoding": {"x": x}},
        {"mark": "text", "encoding": {"text": {"field": "y"}}},
    ]
    drawn(style.finish({"data": {"values": values}, "encoding": {"y": {"field": "y", "type": "nominal"}}, "layer": layers}))


def _unmeasured(value: Any, key: str = "") -> Any:
    """Titles aside: they are few, and what stands above and beside them is placed by their size. Data has no sizes."""
    if isinstance(value, dict):
        return {name: part if name in ("title", "data") else _unmeasured(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_unmeasured(part) for part in value]
    return -value if key in _SIZES else value


def _tidy(svg: str) -> str:
    """Without the attributes, empty shapes and digits that nobody sees: a third of the size."""
    return _PLACED.sub(lambda found: _FINE.sub("", found[0]), _NOISE.sub("", svg))
