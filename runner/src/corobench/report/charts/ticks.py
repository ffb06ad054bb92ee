"""Ticks of a horizontal axis whose words don't meet: nothing measures words when a chart is drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from corobench.report.charts.style import words_width

_GAP = 5.0  # pixels between two labels


def plain(value: float) -> str:
    """About what the axis writes (NUMBER of charts.style)."""
    return f"{value:,.6g}"


def short(value: float) -> str:
    """With SI prefixes, as counts are written."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= factor:
            return f"{value / factor:g}{prefix}"
    return f"{value:g}"


def apart(
    ticks: Iterable[float], ends: tuple[float, float], width: float, scale: str = "log", text: Callable[[float], str] = plain
) -> list[float]:
    """Those whose labels have room beside each other, the rounder ones before the others; `ends` of an axis so wide (pixels)."""
    wanted = sorted(ticks)
    if len(wanted) < 2 or ends[0] >= ends[1]:
        return wanted
    place = math.log if scale == "log" else float
    pixels = width / (place(ends[1]) - place(ends[0]))
    kept: dict[float, tuple[float, float]] = {}
    for tick in sorted(wanted, key=_roundness):
        words = words_width(text(tick))
        begin = pixels * (place(tick) - place(ends[0])) - words / 2
        begin = max(0.0, min(begin, width - words))  # at the ends of an axis a label is moved inside
        if all(begin + words + _GAP <= left or begin >= right + _GAP for left, right in kept.values()):
            kept[tick] = (begin, begin + words)
    return sorted(kept)


def _roundness(value: float) -> tuple[int, float]:
    """Powers of ten first, then what has few digits, the larger ones of these last."""
    digits = f"{abs(value):.5e}".split("e")[0].rstrip("0").rstrip(".")
    return (0 if digits == "1" else len(digits), value)
