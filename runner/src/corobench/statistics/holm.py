"""Holm's step-down adjustment: one error rate for all claims that are shown together.

Assumption: none about how the tests depend on each other (Holm 1979, A simple sequentially rejective multiple test
procedure, Scand. J. Stat. 6). Never less powerful than Bonferroni's.
"""

from __future__ import annotations

from collections.abc import Sequence


def adjust(p_values: Sequence[float]) -> list[float]:
    """Adjusted p values in the order given: reject those at most alpha, and the family errs with at most alpha."""
    size = len(p_values)
    adjusted = [1.0] * size
    running = 0.0
    for step, place in enumerate(sorted(range(size), key=p_values.__getitem__)):
        running = max(running, min(1.0, (size - step) * p_values[place]))
        adjusted[place] = running
    return adjusted


def blocks_needed(family: int, alpha: float = 0.05) -> int:
    """The fewest blocks after which the sign test can decide anything in a family of this size.

    A design constant: it looks at no data, so that waiting for it is no stopping on significance.
    """
    n = 1
    while family * 2.0 ** (1 - n) > alpha:
        n += 1
    return n
