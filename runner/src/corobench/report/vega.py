"""Vega-Lite specifications as SVG, and the script with which a page draws them again; both by
vl-convert.

Nothing large is imported before something is drawn: what draws in other processes loads this module
alone.
"""

from __future__ import annotations

import os
import re
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import version
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corobench.errors import RunFailed

if TYPE_CHECKING:
    from collections.abc import Callable

Spec = dict[str, Any]

_VEGA_LITE = "6.4.1"
_SERIES = _VEGA_LITE.rpartition(".")[0]  # by which vl-convert knows it
VERSION = f"{version('vl-convert-python')}-{_SERIES}"
# like what Python keeps there: only what is installed decides it
KEPT = Path(__file__).parent / "__pycache__" / "vega.js"
# vl-convert offers vegaEmbed by name; its parts come from the same modules, which it has inside
# under these addresses.
_PARTS = """
import * as vega_ from "https://cdn.jsdelivr.net/npm/vega@{vega}/+esm";
import * as vegaLite_ from "https://cdn.jsdelivr.net/npm/vega-lite@{vega_lite}/+esm";
Object.assign(window, {{ vegaEmbed, vega: vega_, vegaLite: vegaLite_ }});
"""
# Attributes, empty shapes and digits (from a hundredth of a pixel on) that nobody sees: a third of
# the size.
_UNSEEN = re.compile(
    r" "
    r'(?:aria-hidden="true"|role="graphics-[a-z]+"|aria-roledescription="[^"]*"|pointer-events="none"|class="[^"]*"|opacity="1"'
    r'|font-family="Arial[^"]*")'
    r'|<path d="" display="none"/>|<path d="M0,0h0v0h0Z"/>|<path '
    r'd="M0\.?5?,0\.?5?h[\d.]+v[\d.]+h-[\d.]+Z"/>'
)
# A title is what a browser shows of a mark that is pointed at; the label would not be.
_NAMED = re.compile(r'<path aria-label="([^"]*)"([^>]*)/>')
_PLACED = re.compile(r' (?:d|transform|[xy][12]?|width|height)="[^"]*"')
_FINE = re.compile(r"(?<=\.\d\d)\d+")


def draw(spec: Spec) -> str:
    """A complete SVG document in the light colours. ValueError for a specification that can't be
    drawn.
    """
    import vl_convert  # noqa: PLC0415

    svg = vl_convert.vegalite_to_svg(spec, vl_version=_SERIES)
    seen = _NAMED.sub(_titled, _UNSEEN.sub("", svg))
    return _PLACED.sub(lambda placed: _FINE.sub("", placed[0]), seen)


def _titled(mark: re.Match[str]) -> str:
    name, rest = mark.groups()
    return f"<path{rest}><title>{name}</title></path>" if name else f"<path{rest}/>"


def png(svg: str) -> bytes:
    """An SVG as a PNG at twice the size."""
    import vl_convert  # noqa: PLC0415

    return vl_convert.svg_to_png(svg, scale=2)


def begin(spec: Spec) -> Callable[[], str]:
    """Draws in another process. What it returns waits for the SVG, and raises as `draw` does.

    On one CPU, and in a process that is one of several already, the chart is drawn when it is asked
    for.
    """
    processes = _pool()
    if processes is None:
        return partial(draw, spec)
    waiting = processes.submit(draw, spec)

    def drawn() -> str:
        try:
            return waiting.result()
        except BrokenProcessPool as error:
            raise RunFailed(
                "a process that draws charts was ended from outside; try again"
            ) from error

    return drawn


def prepare() -> None:
    """Starts the drawing processes and returns at once: each needs a second before it can draw."""
    if processes := _pool():
        for _ in range(_cpus()):
            processes.submit(draw, {"data": {"values": [{}]}, "mark": "point"})


@cache
def _pool() -> Executor | None:
    if parent_process() is not None or _cpus() == 1:
        return None
    return ProcessPoolExecutor(_cpus(), mp_context=get_context("spawn"))


def _cpus() -> int:
    return len(os.sched_getaffinity(0))


def page_script(kept: Path = KEPT) -> bytes:
    """vegaEmbed and its parts as one script. It takes seconds to make, so it is kept in a file,
    which may be removed; one that was not made here is not believed.
    """
    # not before: what only draws does without
    from corobench.report.runs import read_sealed, seal_of, sealed  # noqa: PLC0415

    mark = f"/* vl-convert {VERSION}, with its parts */\n".encode()
    seal = None
    with suppress(OSError, RunFailed):
        seal = seal_of(kept.parent)
    found = seal and read_sealed(seal, kept)
    if found and found.startswith(mark):
        return found
    import vl_convert  # noqa: PLC0415

    parts = _PARTS.format(vega=vl_convert.get_vega_version(), vega_lite=_VEGA_LITE)
    script = mark + vl_convert.javascript_bundle(parts, vl_version=_SERIES).encode()
    with suppress(OSError, RunFailed):
        if seal is not None:
            kept.write_bytes(sealed(seal, kept.name, script))
    return script


if __name__ == "__main__":  # bootstrap.py has it made beside the installation
    page_script()
