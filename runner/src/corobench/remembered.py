"""What a pure function has made of a large value is not made again while that value is at hand.

By identity: the values (a run, its summary) are never changed, and to compare or to hash them takes longer than most of what
is made of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def by_identity(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keeps the latest `most` results of a function, with their arguments, which therefore live as long."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        kept: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], R]] = OrderedDict()

        @wraps(function)
        def remembered(*args: P.args, **kwargs: P.kwargs) -> R:
            assert not kwargs, "an argument is known by its place"
            key = tuple(map(id, args))
            if key not in kept:
                kept[key] = (args, function(*args, **kwargs))
                if len(kept) > most:
                    kept.popitem(last=False)
            return kept[key][1]

        return remembered

    return decorate
