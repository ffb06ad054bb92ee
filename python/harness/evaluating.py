"""The handler of webmatrix, the same under every framework."""

import time
from collections.abc import Iterable
from functools import reduce
from operator import xor

from work import START, xorshift32


def evaluate(values: Iterable[int], rounds: int, wait_us: int) -> int:
    """The start state xor all values, so many rounds later; then it blocks, in whatever time.sleep is by now, for the wait."""
    state = xorshift32(reduce(xor, values, START), rounds)
    if wait_us:
        time.sleep(wait_us / 1e6)
    return state
