"""Benjamini and Hochberg's step-up adjustment, for an alarm that is raised over a whole family.

Assumption: the tests are independent, or depend on each other positively, as numbers of one run do (Benjamini & Hochberg 1995,
J. R. Stat. Soc. B 57; Benjamini & Yekutieli 2001, Ann. Stat. 29). Where nothing in the family has changed, anything at all is
called with at most alpha (Simes 1986, Biometrika 73): a false alarm. Where something has, at most a share alpha of what is called
is wrong. Holm's would hold every single claim to alpha; over the hundreds of numbers of two runs, with ranks of a dozen blocks,
it could then call nothing.
"""

from __future__ import annotations

from collections.abc import Sequence


def adjust(p_values: Sequence[float]) -> list[float]:
    """Adjusted p values in the order given: call those at most alpha."""
    size = len(p_values)
    adjusted = [1.0] * size
    running = 1.0
    for step, place in enumerate(sorted(range(size), key=p_values.__getitem__, reverse=True)):
        running = min(running, p_values[place] * size / (size - step))
        adjusted[place] = running
    return adjusted
