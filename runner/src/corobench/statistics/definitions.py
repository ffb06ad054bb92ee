"""Whether a number means the same in two runs: what their specs say of its workload, of its points and of itself.

Titles, questions and what a page quotes are for people. What verify asks before a run decides whether a program may be
measured, not what its number is, and doubts are flags that each run carries itself.
"""

from __future__ import annotations

from typing import Any

from corobench import store
from corobench.model import Difference, Metric, Point, Ratio, Workload
from corobench.statistics import facts
from corobench.statistics.values import Cell

# How a program is driven and read, whatever is made of it then.
DRIVEN = ("kind", "companion", "holds", "collected", "units", "unseen", "cap_s", "tasks", "resumes", "true_switches")


def changed(before: store.RunHeader, after: store.RunHeader, cell: Cell) -> list[str]:
    """What of the definition of a number differs, in words; nothing where it is the same."""
    first, second = (_definition(header, cell) for header in (before, after))
    return [name for name in first if first[name] != second[name]]


def _definition(header: store.RunHeader, cell: Cell) -> dict[str, Any]:
    workload = facts.workloads(header)[cell.workload]
    return {
        "contract": workload.contract,
        "evidence": workload.evidence,
        "requirements": [(one.name, one.holds) for one in workload.require],
        "series": {name: (asked.count, asked.keep) for name, asked in workload.series.items()},
        "requests": workload.load,
        "way of measuring": {name: getattr(workload, name) for name in DRIVEN},
        "points": {name: (p.params, p.iterations, p.evidence) for name, p in _points(header, workload, cell).items()},
        "metric": _metric(workload, cell.metric),
    }


def _metric(workload: Workload, name: str) -> dict[str, Any]:
    """What a figure is made of, without its title and whether anything is claimed of it."""
    asked = _asked(workload, name)
    return {key: getattr(asked, key) for key in asked.__struct_fields__ if key not in ("title", "claims")} if asked else {}


def _asked(workload: Workload, name: str) -> Metric | Difference | Ratio | None:
    figures: list[Metric | Difference | Ratio] = [*workload.metric, *workload.difference, *workload.ratio]
    return next((figure for figure in figures if figure.name == name), None)


def _points(header: store.RunHeader, workload: Workload, cell: Cell) -> dict[str, Point]:
    """The points that a number is made from, as they were measured: its own, the rungs of its ladder, or those of a pair."""
    every = {key.partition("/")[2]: p for key, p in header.plan.points.items() if key.startswith(f"{workload.name}/")}
    parameter, _, ends = cell.point.partition("=")
    first, _, last = ends.partition("..")
    match _asked(workload, cell.metric):
        case Difference(over=over, of=of, less=less):
            return {name: point for name, point in every.items() if point.params[over] in (of, less)}
        case Ratio(over=over, base=base):
            return {name: point for name, point in every.items() if point.params[over] == base or name == cell.point}
        case _ if last and parameter == workload.ladder:
            return {name: point for name, point in every.items() if int(first) <= int(point.params[parameter]) <= int(last)}
        case _:
            return {name: point for name, point in every.items() if name == cell.point}
