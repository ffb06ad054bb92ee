"""When is a run precise enough? Asked after 9, 12, 17, 25, 37 and 51 blocks; precision decides,
never significance.

Stopping as soon as something is significant would find differences that aren't there (Armitage et
al. 1969); the width of an interval does not know which side of 1 it is on. What counts as precise
enough is said in estimates.py. A case that is contaminated is not waited for: more blocks of noise
don't make it trusted. A column is judged only after as many blocks as its family needs for any
verdict at all. The time budget is the run loop's affair: it needs no statistics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from corobench.plan import PROFILE
from corobench.results import log
from corobench.statistics import estimates, flags
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell
from corobench.suite.workload import EXPRESSED

SHOWN = 20
MOST = 10.0  # times the blocks so far: what is further away can't be predicted


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a run goes on after a look, and why; `values` is stored with it.

    `values` holds how many numbers have reached the targets and, for the others, the blocks that
    they are predicted to need.
    """

    stop: bool
    reason: str
    values: dict[str, Any] = {}


def decide(header: log.RunHeader) -> Callable[[list[log.Line], int], Decision]:
    """The decision of a run, as a function of its lines so far and the number of blocks done."""
    profile = PROFILE[header.plan.profile]
    waited = _headlines(header)

    def look(lines: list[log.Line], blocks: int) -> Decision:
        if not profile.claims:
            return Decision(
                stop=blocks >= profile.looks[-1],
                reason=f"all {blocks} blocks of the profile are done",
            )
        run = log.Run(folder=Path(header.run), header=header, lines=lines, warnings=[])
        cells = [cell for cell in summarise(run).cells if (cell.workload, cell.metric) in waited]
        return judge(cells, blocks, profile.target_absolute, profile.target_ratio)

    return look


def _headlines(header: log.RunHeader) -> set[tuple[str, str]]:
    """The numbers that a run waits for: not the further metrics of a scenario, whose tails would
    never be narrow enough.

    Nor what a timed workload has besides its times.
    """
    return {
        (name, metric.name)
        for name, workload in header.specs.items()
        for metric in (
            workload.metric[:1]
            if workload.kind in EXPRESSED
            else [m for m in workload.metric if m.value is None]
        )
    }


def judge(
    cells: Iterable[Cell], blocks: int, target_absolute: float, target_ratio: float
) -> Decision:
    """Stops where every number that may become trusted is within the targets (half-widths; 0.05 is
    5 %).
    """
    waited = [
        cell
        for cell in cells
        if cell.median is not None and flags.trusted(cell.flags, except_precision=True)
    ]
    needed = _families(waited)
    rest = {
        cell.key: predicted(cell, target_absolute, target_ratio, needed[_column(cell)])
        for cell in waited
    }
    rest = {key: more for key, more in rest.items() if more > blocks}
    reached = len(waited) - len(rest)
    targets = f"{target_absolute:.0%} absolute and {target_ratio:.0%} as a ratio"
    values = {"reached": reached, "waited_for": len(waited), "predicted_blocks": _widest(rest)}
    if not waited:
        return Decision(stop=False, reason="no case is trusted so far", values=values)
    if not rest:
        return Decision(
            stop=True,
            reason=(
                f"precise enough after {blocks} blocks: all {reached} trusted numbers are "
                f"within {targets}"
            ),
            values=values,
        )
    most = max(rest.values())
    return Decision(
        stop=False,
        reason=(
            f"{reached} of {len(waited)} numbers are within {targets}; the widest needs about "
            f"{most} blocks"
        ),
        values=values,
    )


def predicted(cell: Cell, target_absolute: float, target_ratio: float, least: int) -> int:
    """The blocks after which the cell should be within the targets: half-widths shrink with the
    square root of n.

    At least what n >= 9 and the size of the family ask for.
    """
    blocks = max(least, flags.LEAST_N)
    if cell.median is not None:
        width = estimates.width(estimates.half_width(cell.median), _wide(cell))
        blocks = max(blocks, _blocks(cell.median.n, width, target_absolute))
    if cell.comparison is not None:
        ratio = cell.comparison.ratio
        width = estimates.width(estimates.ratio_half_width(ratio), cell.comparison.wide)
        blocks = max(blocks, _blocks(ratio.n, width, target_ratio))
    return blocks


def _wide(cell: Cell) -> float | None:
    """Half-width of the 99 % interval of the value; None where there are too few blocks for one."""
    if not cell.samples:
        return None
    found = estimates.serial_median_interval(cell.samples, estimates.WIDER)
    return estimates.half_width(found) if found.confidence else None


def _blocks(n: int, width: float, target: float) -> int:
    if width <= target:
        return n
    return max(n + 1, math.ceil(round(n * min(MOST, (width / target) ** 2), 6)))


def _column(cell: Cell) -> tuple[str, str, str, str]:
    return (cell.workload, cell.point, cell.track, cell.metric)


def _families(cells: Iterable[Cell]) -> dict[tuple[str, str, str, str], int]:
    sizes: dict[tuple[str, str, str, str], int] = {}
    for cell in cells:
        sizes[_column(cell)] = sizes.get(_column(cell), 0) + (cell.comparison is not None)
    return {column: estimates.holm_blocks_needed(max(1, size)) for column, size in sizes.items()}


def _widest(rest: dict[str, int]) -> dict[str, int]:
    """The numbers that need most, at most twenty: the log is no place for hundreds a look."""
    return dict(sorted(rest.items(), key=lambda item: -item[1])[:SHOWN])
