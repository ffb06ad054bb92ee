"""The one Jinja environment: everything is escaped, an unknown name is an error."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from corobench.report import units
from corobench.report.headline import NARROW, short_point
from corobench.report.text import TRACK_TITLES, counted
from corobench.report.units import Scale
from corobench.statistics.types import Estimate

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
_ONE = Scale(1.0, "")


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
    )
    made.filters["number"] = repr
    made.globals.update(
        navigation=NAVIGATION,
        tracks=TRACK_TITLES,
        short_point=short_point,
        ratio=lambda e: units.show(e, _ONE),
        ratio_interval=lambda e: units.show_interval(e, _ONE),
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
