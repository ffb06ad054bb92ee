"""Carry-over: is a case slower right after some other one, a memory-hungry one for instance?

Assumption: the order of cases is random enough (a Williams design: each case follows each other one equally often) that,
without carry-over, what follows a runtime is as often above as below its own median. The residual of an invocation is
the log of its value over the median of its case and over the median residual of its block, so that neither the case nor
a slow block shows as carry-over. A sign test a predecessor, held to 5 % over all predecessors by Holm.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping

from corobench import store
from corobench.statistics import holm, paired, series
from corobench.statistics.order import median
from corobench.statistics.values import CarryOver

LEAST_FOLLOWERS = 9
LEAST_EFFECT = 0.01


def effects(run: store.Run, found: Mapping[str, series.Series]) -> list[CarryOver]:
    """For each predecessor with enough followers, the ratio by which what ran next was slower (1 = not at all)."""
    residuals = _residuals(found)
    after: dict[str, list[float]] = defaultdict(list)
    previous: store.Invocation | store.Failure | None = None
    for line in run.lines:
        if not isinstance(line, store.Invocation | store.Failure):
            continue
        if previous is not None and previous.block == line.block and (line.case, line.block) in residuals:
            after[_program(previous.case)].append(residuals[line.case, line.block])
        previous = line
    names = sorted(name for name, values in after.items() if len(values) >= LEAST_FOLLOWERS)
    adjusted = holm.adjust([paired.sign_test(after[name]) for name in names])
    hungry = _high_water(run)
    return [
        CarryOver(
            after=name,
            ratio=(ratio := paired.ratio(after[name])),
            adjusted_p=p,
            memory=hungry.get(name),
            found=p <= 0.05 and abs(ratio.center - 1) > LEAST_EFFECT,
        )
        for name, p in zip(names, adjusted, strict=True)
    ]


def _program(case: str) -> str:
    """workload/runtime: what ran before, whatever its point."""
    parts = case.removesuffix("~twin").split("/")
    return f"{parts[0]}/{parts[3]}"


def _residuals(found: Mapping[str, series.Series]) -> dict[tuple[str, int], float]:
    raw: dict[tuple[str, int], float] = {}
    for key, part in found.items():
        values = part.by_block(lambda i: series.typical(i, "timed"))
        center = median(values.values()) if values else 0.0
        raw |= {(key, block): math.log(value / center) for block, value in values.items() if value > 0}
    blocks: dict[tuple[str, int], list[float]] = defaultdict(list)
    for (key, block), residual in raw.items():
        blocks[key.split("/")[0], block].append(residual)
    return {(key, block): residual - median(blocks[key.split("/")[0], block]) for (key, block), residual in raw.items()}


def _high_water(run: store.Run) -> dict[str, int]:
    """The most memory (bytes, high-water mark) that a program was seen to hold, where it was looked at."""
    most: dict[str, int] = {}
    for invocation in run.invocations:
        for memory in invocation.holds.values():
            name = _program(invocation.case)
            most[name] = max(most.get(name, 0), memory.rss_high)
    return most
