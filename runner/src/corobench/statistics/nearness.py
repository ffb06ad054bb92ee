"""How close in time the cases that are compared were measured: what blocks, and families of them, are for (Method, Blocks)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime

from corobench import store
from corobench.case import parse_case
from corobench.statistics.order import median

NEAR_S = 30.0


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


def warnings(found: Mapping[str, float]) -> Iterator[str]:
    """Cells whose runtimes were measured so far apart that a busy spell may lie between: pairing can't take that out."""
    far = {cell: seconds for cell, seconds in found.items() if seconds > NEAR_S}
    if far:
        widest = max(far, key=far.__getitem__)
        workload, point, _ = widest.split("/")
        yield (
            f"in {len(far)} of {len(found)} cells the runtimes were measured over {NEAR_S:.0f} s apart in a block, "
            f"at most {far[widest]:.0f} s ({workload}, {point}): what the box did meanwhile is not the same for all of them"
        )


def between(before: store.Run, after: store.Run, whole: Collection[int]) -> float:
    """Seconds between the two measurements of a case in a block, in runs that took turns: the median over cases and blocks."""
    starts = [
        {(line.case, line.block): datetime.fromisoformat(line.started) for line in run.invocations if line.block in whole}
        for run in (before, after)
    ]
    both = starts[0].keys() & starts[1].keys()
    return median(abs((starts[1][place] - starts[0][place]).total_seconds()) for place in both)
