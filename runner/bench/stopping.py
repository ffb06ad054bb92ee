"""How far do intervals and verdicts hold in runs that stop when they are precise? Part of
simulate_verdicts.py.

A run is simulated look by look, as the profiles have them, and the shipped rule
(statistics/stopping.py) ends it: columns of identical runtimes under simulated noise, all of whose
ratios, and values where there is a target for them, have to be precise. What is judged is what the
run ends with. Stopping on narrow intervals picks narrow ones, and these miss the truth more often:
one ratio alone is the worst case, since of many the widest decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from noises import Array

from corobench.plan import PROFILE
from corobench.statistics import estimates, stopping
from corobench.statistics.types import Cell, Comparison

LOOKS = PROFILE["default"].looks
Stops = Callable[[list[Cell], int], bool]


def shipped(
    target_absolute: float = PROFILE["default"].target_absolute,
    target_ratio: float = PROFILE["default"].target_ratio,
) -> Stops:
    """The rule of stopping.py with these targets (half-widths; infinite: none)."""
    return lambda cells, blocks: stopping.judge(cells, blocks, target_absolute, target_ratio).stop


def stopped(columns: list[Array], stops: Stops) -> int:
    """After how many blocks a run of these columns stops; each by (block, case), the last case
    being the twin of case 0.
    """
    ends = (
        look
        for look in LOOKS
        if stops(
            [cell for place, c in enumerate(columns) for cell in _cells(c[:look], place)], look
        )
    )
    return next(ends, LOOKS[-1])


def _cells(column: Array, place: int) -> Iterator[Cell]:
    cases = [dict(enumerate(column[:, case].tolist())) for case in range(column.shape[1] - 1)]
    for case, values in enumerate(cases):
        yield Cell(
            workload=f"column {place}",
            point="",
            track="one-cpu",
            runtime=f"{case}",
            metric="time",
            unit="s",
            better="lower",
            median=estimates.serial_median_interval(values),
            figures={},
            samples=values,
            comparison=_comparison(estimates.log_ratios(values, cases[0])) if case else None,
            group=None,
            flags=[],
            failures=[],
        )


def _comparison(logs: list[float]) -> Comparison:
    return Comparison(
        other="0",
        ratio=estimates.paired_ratio(logs),
        verdict="not comparable",
        delta=math.nan,
        adjusted_confidence=0.0,
        pairs=len(logs),
        wide=estimates.ratio_half_width(estimates.paired_ratio(logs, estimates.WIDER)),
    )
