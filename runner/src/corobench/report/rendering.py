"""Drawn charts as parts of a page and as files, which say by a hash what they were drawn from, so that each is drawn only once.

An SVG that stands in a page takes its colours from the page (light, dark, print); one that is downloaded is complete.
"""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path

import msgspec

from corobench.report.charts import style
from corobench.report.charts.style import Spec
from corobench.report.engine import VERSION

_FORM = "4"  # of what painter.mjs makes of it
_TITLE = 42
_OPEN = re.compile(r'<svg [^>]*?width="(?P<width>[\d.]+)" height="(?P<height>[\d.]+)" viewBox="(?P<box>[^"]+)"[^>]*>')
_DRAWN = re.compile(
    rf'<g transform="translate\(0,{_TITLE}\)" data-from="(?P<key>\w+)" data-box="(?P<box>[^"]+)" '
    r'data-width="(?P<width>[^"]+)" data-height="(?P<height>[^"]+)">'
)
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
