"""Whether a number is as precise as a run was asked to be.

A run that stops as soon as a 95 % interval is narrow enough stops on those that are narrow by luck, and these miss the truth
more often: in simulation one ratio of paired deviation 6.5 %, with a target of 3 % and looks after 9, 12, 17, 25, 37 and 51
blocks, is then held in 92.5 % of cases instead of 95 %. So the 99 % interval, which rests on ranks further out, must not be
wider either than it would be beside such a 95 % interval under a normal distribution. With that the truth is held in 94 %
(bench/stopping.py), for a fifth more blocks; a smaller target alone costs as much and helps less.
"""

from __future__ import annotations

from statistics import NormalDist

from corobench.statistics import order

WIDER = 0.99
RATIO = NormalDist().inv_cdf((1 + WIDER) / 2) / NormalDist().inv_cdf((1 + order.CONFIDENCE) / 2)


def width(own: float, wide: float | None) -> float:
    """The half-width that is held against a target, from those of the 95 % interval and, where it is known, of the 99 % one."""
    return own if wide is None else max(own, wide / RATIO)
