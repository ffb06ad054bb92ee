"""Which points belong to one sweep: a parameter moves, and with it only what follows from it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from corobench.statistics.values import Cell

Point = dict[str, str]


def parameters(point: str) -> Point:
    """`k=100,m=20` as a mapping; a name of another shape has no parameters."""
    return dict(_parameters(point))


@lru_cache(maxsize=4096)
def _parameters(point: str) -> Point:
    return dict(part.split("=", 1) for part in point.split(",") if "=" in part)


def number(text: str) -> float | None:
    """A parameter as a number, or None where it is a word."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def swept(cells: list[Cell], wanted: str | None = None) -> str | None:
    """The numeric parameter that takes two values or more with a number: the wanted one, else the first of the spec.

    One that only follows from words (a mode that needs more probes than the others, a loop that needs more requests) is not.
    """
    points = [parameters(c.point) for c in cells if c.typical]
    keys = list(points[0]) if points else []
    words = [key for key in keys if not _numbers(points, key)]
    groups: dict[tuple[str | None, ...], list[Point]] = {}
    for point in points:
        groups.setdefault(tuple(point.get(key) for key in words), []).append(point)
    moving = (k for k in sorted(keys, key=lambda k: k != wanted) if any(len(_numbers(g, k)) > 1 for g in groups.values()))
    return next(moving, None)


def grid(cells: list[Cell]) -> tuple[str, str] | None:
    """The two numeric parameters that are crossed: some values of each meet all of some values of the other."""
    points = [parameters(c.point) for c in cells if c.typical]
    keys = [key for key in (points[0] if points else ()) if len(_numbers(points, key)) > 1]
    for place, one in enumerate(keys):
        for other in keys[place + 1 :]:
            if not _follows(points, other, one) and not _follows(points, one, other):
                return one, other
    return None


def modes(cells: list[Cell]) -> str | None:
    """The parameter whose values are words, where it takes two or more."""
    points = [parameters(c.point) for c in cells if c.typical]
    found = (k for k in (points[0] if points else ()) if len({p.get(k) for p in points}) > 1 and not _numbers(points, k))
    return next(found, None)


def along(cells: list[Cell], point: str, *keys: str) -> list[Cell]:
    """The cells that differ from `point` in these parameters only, and in those that follow from them."""
    own = parameters(point)
    points = [parameters(c.point) for c in cells]
    fixed = [k for k in own if k not in keys and not any(_follows(points, k, key) for key in keys)]
    return [c for c, p in zip(cells, points, strict=True) if all(p.get(k) == own[k] for k in fixed)]


def following(cells: list[Cell], key: str) -> set[str]:
    """The parameters that move only together with `key`: the requests of a concurrency, say."""
    points = [parameters(c.point) for c in cells]
    return {other for other in (points[0] if points else ()) if other != key and _follows(points, other, key)}


def value(cell: Cell, key: str) -> float | None:
    """A parameter of a cell's point as a number."""
    return number(parameters(cell.point).get(key, ""))


def _numbers(points: Iterable[Point], key: str) -> set[float]:
    return {v for p in points if (v := number(p.get(key, ""))) is not None}


def _follows(points: Iterable[Point], key: str, other: str) -> bool:
    """Whether `key` moves, and only together with `other`: points that share all else have one value of it for each of those."""
    found: dict[tuple[str, ...], dict[str, set[str]]] = {}
    for p in points:
        rest = tuple(v for k, v in p.items() if k not in (key, other))
        found.setdefault(rest, {}).setdefault(p.get(other, ""), set()).add(p.get(key, ""))
    single = all(len(values) == 1 for group in found.values() for values in group.values())
    return single and any(len(set[str]().union(*group.values())) > 1 for group in found.values())
