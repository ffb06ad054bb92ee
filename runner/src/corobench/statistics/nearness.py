"""How close in time the cases that are compared were measured: what blocks, and families of them, are for (Method, Blocks)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from corobench import store
from corobench.case import parse_case
from corobench.statistics.order import median


def spans(run: store.Run, whole: Collection[int]) -> dict[str, float]:
    """Cell -> seconds from the first start of its cases to the last in a block: the median over the whole blocks."""
    starts: dict[tuple[str, int], list[datetime]] = defaultdict(list)
    for line in run.invocations:
        if line.block in whole:
            starts[parse_case(line.case).cell, line.block].append(datetime.fromisoformat(line.started))
    found: dict[str, list[float]] = defaultdict(list)
    for (cell, _), moments in starts.items():
        found[cell].append((max(moments) - min(moments)).total_seconds())
    return {cell: median(seconds) for cell, seconds in found.items()}
