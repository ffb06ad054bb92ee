"""Groups, not ranks: those that share one are not shown to differ from its best by more than delta.

A runtime opens a new group only if its paired interval clears the group's best by more than delta. The best is chosen by
the data, which favours the luckiest of equals; the margin of delta and an error rate divided over all comparisons of the
column hold that in check (bench/simulate_verdicts.py shows how well).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from corobench.statistics import holm, paired
from corobench.statistics.order import median
from corobench.statistics.verdict import ALPHA


def groups(samples: Mapping[str, Mapping[int, float]], delta: float, alpha: float = ALPHA) -> dict[str, int]:
    """The group (1 is the lowest) of each runtime, from its values by block, where lower is better."""
    ordered = sorted(samples, key=lambda name: (median(samples[name].values()), name))
    bound = math.log1p(delta)
    level = alpha / max(1, len(ordered) - 1)
    found: dict[str, int] = {}
    best, group = "", 0
    for name in ordered:
        if not best or _clears(samples[name], samples[best], bound, level):
            best, group = name, group + 1
        found[name] = group
    return found


def blocks_needed(runtimes: int) -> int:
    """The fewest blocks that can tell two of so many runtimes apart. Fewer put all into one group, whatever they cost."""
    return holm.blocks_needed(max(1, runtimes - 1), ALPHA)


def _clears(this: Mapping[int, float], best: Mapping[int, float], bound: float, level: float) -> bool:
    logs = paired.log_ratios(this, best)
    return 2 * paired.p_above(logs, bound) <= level


def fastest(found: Mapping[str, int]) -> str | None:
    """The runtime that is alone in the first group, if one is."""
    first = [name for name, group in found.items() if group == 1]
    return first[0] if len(first) == 1 and len(found) > 1 else None
