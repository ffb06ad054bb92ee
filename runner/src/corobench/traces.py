"""The rules that a trace of task events must satisfy (runner/workloads/README.md): proof that tasks were tasks.

Each rule takes a Trace and returns what is wrong, or None. An event is (kind, task, unit), in the order in which things happened.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from corobench.model import Order


class Event(NamedTuple):
    """`unit` is the identity of whatever ran, as the runtime tells it."""

    kind: str
    task: int
    unit: str | int


class Trace(NamedTuple):
    """The events of one iteration, with what the spec and the manifest say of them; `at_once`: how many tasks may run at once."""

    events: list[Event]
    tasks: int
    resumes: int
    order: Order
    at_once: int

    def of(self, *kinds: str) -> list[Event]:
        return [event for event in self.events if event.kind in kinds]

    def position(self, kind: str) -> dict[int, int]:
        """The first place of an event of this kind for each task."""
        places: dict[int, int] = {}
        for place, event in enumerate(self.events):
            if event.kind == kind:
                places.setdefault(event.task, place)
        return places


def complete(trace: Trace) -> str | None:
    wanted = set(range(trace.tasks))
    for kind in ("spawn", "run", "done"):
        seen = [event.task for event in trace.of(kind)]
        if missing := wanted - set(seen):
            return f"{len(missing)} of {trace.tasks} tasks have no {kind!r} event (first: {min(missing)})"
        if extra := set(seen) - wanted:
            return f"unknown task {min(extra)} in a {kind!r} event"
        if kind != "run" and len(seen) != trace.tasks:
            return f"{len(seen)} {kind!r} events for {trace.tasks} tasks"
    return None


def own_unit(trace: Trace) -> str | None:
    starters = {event.task: event.unit for event in trace.of("spawn")}
    units: dict[int, set[str | int]] = defaultdict(set)
    for event in trace.of("run", "park", "done"):
        units[event.task].add(event.unit)
    for task, seen in sorted(units.items()):
        if len(seen) > 1:
            return f"task {task} ran in {len(seen)} units: {_some(seen)}"
        if starters.get(task) in seen:
            return f"task {task} ran in the unit that started it ({_some(seen)}): a plain call, not a task"
    owners: dict[str | int, int] = {}
    for task, seen in sorted(units.items()):
        for unit in seen:
            if unit in owners:
                return f"tasks {owners[unit]} and {task} ran in the same unit {unit!r}: not a task each"
            owners[unit] = task
    return None


def all_spawned_first(trace: Trace) -> str | None:
    started = 0
    for event in trace.events:
        if event.kind == "spawned":
            started += 1
        elif event.kind == "collect" and started < trace.tasks:
            return f"the result of task {event.task} was collected when only {started} of {trace.tasks} tasks had been started"
    if collected := trace.tasks - len({event.task for event in trace.of("collect")}):
        return f"{collected} of {trace.tasks} results were never collected"
    return None


def chain(trace: Trace) -> str | None:
    ran = [event.task for event in trace.of("run")]
    if ran != list(range(trace.tasks)):
        return f"tasks ran in the order {_some(ran)}, not 0, 1, 2 ..."
    unit = {event.task: event.unit for event in trace.of("run")}
    for event in trace.of("spawn"):
        if event.task and event.unit != unit.get(event.task - 1):
            return f"task {event.task} was not started by task {event.task - 1}"
    alive = 0
    for event in trace.of("run", "done"):
        alive += 1 if event.kind == "run" else -1
        if alive > trace.at_once:
            return f"{alive} tasks were running at once when task {event.task} ran; the contract allows {trace.at_once}"
    return None


def yield_order(trace: Trace) -> str | None:
    ran = [event.task for event in trace.of("run")]
    counts = Counter(ran)
    for task in range(trace.tasks):
        if counts[task] != trace.resumes:
            return f"task {task} was resumed {counts[task]} times instead of {trace.resumes}"
    if trace.order == "round-robin":
        cycle = ran[: trace.tasks]
        for turn in range(trace.resumes):
            if (now := ran[turn * trace.tasks : (turn + 1) * trace.tasks]) != cycle:
                return f"not round robin as the manifest declares: turn {turn} resumed {_some(now)}, turn 0 {_some(cycle)}"
    return None


def alternate(trace: Trace) -> str | None:
    ran = [event.task for event in trace.of("run")]
    wanted = [place % trace.tasks for place in range(trace.tasks * trace.resumes)]
    if ran != wanted:
        first = next((i for i, (a, b) in enumerate(zip(ran, wanted, strict=False)) if a != b), min(len(ran), len(wanted)))
        return f"tasks did not receive in turn: {len(ran)} tokens, of {len(wanted)}; the first wrong one is number {first}"
    return None


def all_parked(trace: Trace) -> str | None:
    holds = [place for place, event in enumerate(trace.events) if event.kind == "hold"]
    parked, done = trace.position("park"), trace.position("done")
    if len(parked) != trace.tasks:
        return f"{len(parked)} of {trace.tasks} tasks parked"
    live = [h for h in holds if h > max(parked.values())]
    if not live:
        return "no hold was announced after all tasks had parked"
    if done and min(done.values()) < live[0]:
        return "a task had finished before all were held alive"
    return None


Rule = Callable[[Trace], str | None]
RULES: dict[str, Rule] = {
    "complete": complete,
    "own-unit": own_unit,
    "all-spawned-first": all_spawned_first,
    "chain": chain,
    "yield-order": yield_order,
    "alternate": alternate,
    "all-parked": all_parked,
}


def true_switches(ran: Iterable[int]) -> int:
    """Resumes of a task other than the one resumed before it; the first resume counts."""
    switches, last = 0, None
    for task in ran:
        switches += task != last
        last = task
    return switches


def _some(items: Iterable[object]) -> str:
    shown = [str(item) for item in items]
    return ", ".join(shown[:6]) + (" ..." if len(shown) > 6 else "")
