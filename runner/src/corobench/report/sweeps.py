"""Points along a parameter, the limits that arithmetic sets, and variants made for one question.

A manifest's variant may list the only workloads that it takes part in (`workloads`). A run holds
that as what it asked of each runtime: a gap was asked for and has its reason, a workload that the
manifest leaves out was not.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from corobench.report.text import box_cpus, number
from corobench.statistics.types import Cell, RunSummary
from corobench.suite.workload import some_cpus

if TYPE_CHECKING:
    from corobench.report.headline import Column

Point = dict[str, str]


def parameters(point: str) -> Point:
    """`k=100,m=20` as a mapping; a name of another shape has no parameters."""
    return dict(_parameters(point))


@lru_cache(maxsize=4096)
def _parameters(point: str) -> Point:
    return dict(part.split("=", 1) for part in point.split(",") if "=" in part)


def swept(cells: list[Cell], wanted: str | None = None) -> str | None:
    """The numeric parameter that takes two values or more with a number: the wanted one, else the
    first of the spec.

    One that only follows from words (a mode that needs more probes than the others, a loop that
    needs more requests) is not.
    """
    points = [parameters(c.point) for c in cells if c.median]
    keys = list(points[0]) if points else []
    words = [key for key in keys if not _numbers(points, key)]
    groups: dict[tuple[str | None, ...], list[Point]] = {}
    for point in points:
        groups.setdefault(tuple(point.get(key) for key in words), []).append(point)
    moving = (
        k
        for k in sorted(keys, key=lambda k: k != wanted)
        if any(len(_numbers(g, k)) > 1 for g in groups.values())
    )
    return next(moving, None)


def grid(cells: list[Cell]) -> tuple[str, str] | None:
    """The two numeric parameters that are crossed: some values of each meet all of some values of
    the other.
    """
    points = [parameters(c.point) for c in cells if c.median]
    keys = [key for key in (points[0] if points else ()) if len(_numbers(points, key)) > 1]
    for place, one in enumerate(keys):
        for other in keys[place + 1 :]:
            if not _follows(points, other, one) and not _follows(points, one, other):
                return one, other
    return None


def modes(cells: list[Cell]) -> str | None:
    """The parameter whose values are words, where it takes two or more."""
    points = [parameters(c.point) for c in cells if c.median]
    found = (
        k
        for k in (points[0] if points else ())
        if len({p.get(k) for p in points}) > 1 and not _numbers(points, k)
    )
    return next(found, None)


def along(cells: list[Cell], point: str, *keys: str) -> list[Cell]:
    """The cells that differ from `point` in these parameters only, and in those that follow from
    them.
    """
    own = parameters(point)
    points = [parameters(c.point) for c in cells]
    fixed = [k for k in own if k not in keys and not any(_follows(points, k, key) for key in keys)]
    return [c for c, p in zip(cells, points, strict=True) if all(p.get(k) == own[k] for k in fixed)]


def following(cells: list[Cell], key: str) -> set[str]:
    """The parameters that move only together with `key`: the requests of a concurrency, say."""
    points = [parameters(c.point) for c in cells]
    return {
        other
        for other in (points[0] if points else ())
        if other != key and _follows(points, other, key)
    }


def value(cell: Cell, key: str) -> float | None:
    """A parameter of a cell's point as a number."""
    return number(parameters(cell.point).get(key, ""))


def _numbers(points: Iterable[Point], key: str) -> set[float]:
    return {v for p in points if (v := number(p.get(key, ""))) is not None}


def _follows(points: Iterable[Point], key: str, other: str) -> bool:
    """Whether `key` moves, and only together with `other`: points that share all else have one
    value of it for each of those.
    """
    found: dict[tuple[str, ...], dict[str, set[str]]] = {}
    for p in points:
        rest = tuple(v for k, v in p.items() if k not in (key, other))
        found.setdefault(rest, {}).setdefault(p.get(other, ""), set()).add(p.get(key, ""))
    single = all(len(values) == 1 for group in found.values() for values in group.values())
    return single and any(len(set[str]().union(*group.values())) > 1 for group in found.values())


# of what was asked of the runtime that was asked most: with less, it stands for a question and not
# for itself
_PART = 0.5


def special(summary: RunSummary) -> dict[str, list[str]]:
    """Runtime -> the titles of the few core workloads that it was asked, of those that were made
    for these alone.
    """
    core = {w.name: w.title for w in summary.workloads if w.group == "core"}
    asked: dict[str, dict[str, str]] = {}
    for cell in summary.cells:
        if cell.workload in core:
            asked.setdefault(cell.runtime, {})[cell.workload] = core[cell.workload]
    most = max(map(len, asked.values()), default=0)
    return {
        name: list(titles.values()) for name, titles in asked.items() if len(titles) < _PART * most
    }


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """What so many cores allow: seconds of CPU and of waiting a request."""

    cores: int
    cpu: float
    wait: float

    def rate(self, at_once: float) -> float:
        return min(at_once / (self.cpu + self.wait), self.cores / self.cpu)

    def filled(self, at_once: float) -> bool:
        """Whether so many keep all cores busy."""
        return at_once / (self.cpu + self.wait) >= self.cores / self.cpu

    def response(self, at_once: float) -> float:
        return max(self.cpu + self.wait, at_once * self.cpu / self.cores)


def had_cpus(summary: RunSummary, workload: str, track: str) -> int:
    """How many CPUs programs had on a track; of an older run those of the box. 0 where it doesn't
    tell.
    """
    known = 1 if track == "one-cpu" else some_cpus(track) or box_cpus(summary.box)
    return summary.cpus.get(f"{workload}/{track}", known)


def limits_of(summary: RunSummary, column: Column, tracks: set[str]) -> dict[str, Limit]:
    """By track, of the CPUs that the programs had; a run that did not record it has those of the
    box.
    """
    found = parameters(column.point)
    cpu, wait = (number(found.get(name, "")) for name in ("cpu_us", "wait_us"))
    if not cpu or wait is None:
        return {}
    cores = {track: had_cpus(summary, column.workload, track) for track in sorted(tracks)}
    return {
        track: Limit(cores=had, cpu=cpu * 1e-6, wait=wait * 1e-6)
        for track, had in cores.items()
        if had
    }
