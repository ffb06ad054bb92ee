"""The rules that a trace of task events must satisfy (docs/contract.md): proof that tasks were
tasks.

Each rule takes a Trace and returns what is wrong, or None. An event is (kind, task, unit), in the
order in which things happened.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from corobench.suite.workload import Order, Parameter

ROOM = 128
"""Messages that the bounded queue of fan-in holds."""
CHILDREN = 10
"""Tasks that each inner task of a tree starts."""

ALL_AT_ONCE = frozenset({"all-spawned-first", "all-run-first"})
"""The rules by which all tasks of a timed program are alive at once."""


class Event(NamedTuple):
    """`unit` is the identity of whatever ran, as the runtime tells it."""

    kind: str
    task: int
    unit: str | int


class Trace(NamedTuple):
    """The events of one iteration, with what the spec and the manifest say of them; `at_once`: how
    many tasks may run at once; `permits`: how many may be inside what is guarded; `deviates`: the
    manifest says that it departs from what is usual.
    """

    events: list[Event]
    tasks: int
    resumes: int
    order: Order
    at_once: int
    params: Mapping[str, Parameter]
    permits: int = 1
    deviates: bool = False

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
            return (
                f"{len(missing)} of {trace.tasks} tasks have no {kind!r} event (first: "
                f"{min(missing)})"
            )
        if extra := set(seen) - wanted:
            return f"unknown task {min(extra)} in a {kind!r} event"
        if kind != "run" and len(seen) != trace.tasks:
            return f"{len(seen)} {kind!r} events for {trace.tasks} tasks"
    return None


def own_unit(trace: Trace) -> str | None:
    starters = {event.task: event.unit for event in trace.of("spawn")}
    units: dict[int, set[str | int]] = defaultdict(set)
    for event in trace.of("run", "park", "enter", "leave", "fail", "done"):
        units[event.task].add(event.unit)
    for task, seen in sorted(units.items()):
        if len(seen) > 1:
            return f"task {task} ran in {len(seen)} units: {_some(seen)}"
        if starters.get(task) in seen:
            return (
                f"task {task} ran in the unit that started it ({_some(seen)}): a plain "
                "call, not a task"
            )
    owners: dict[str | int, int] = {}
    for task, seen in sorted(units.items()):
        for unit in seen:
            if unit in owners:
                return (
                    f"tasks {owners[unit]} and {task} ran in the same unit {unit!r}: "
                    "not a task each"
                )
            owners[unit] = task
    return None


def all_spawned_first(trace: Trace) -> str | None:
    started = 0
    for event in trace.events:
        if event.kind == "spawned":
            started += 1
        elif event.kind == "collect" and started < trace.tasks:
            return (
                f"the result of task {event.task} was collected when only {started} of "
                f"{trace.tasks} tasks had been started"
            )
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
            return (
                f"{alive} tasks were running at once when task {event.task} ran; the contract "
                f"allows {trace.at_once}"
            )
    return None


def resumed(trace: Trace) -> str | None:
    counts = Counter(event.task for event in trace.of("run"))
    for task in range(trace.tasks):
        if counts[task] != trace.resumes:
            return f"task {task} was resumed {counts[task]} times instead of {trace.resumes}"
    return None


def yield_order(trace: Trace) -> str | None:
    if wrong := resumed(trace):
        return wrong
    ran = [event.task for event in trace.of("run")]
    if trace.order == "round-robin":
        cycle = ran[: trace.tasks]
        for turn in range(trace.resumes):
            if (now := ran[turn * trace.tasks : (turn + 1) * trace.tasks]) != cycle:
                return (
                    f"not round robin as the manifest declares: turn {turn} resumed "
                    f"{_some(now)}, turn 0 {_some(cycle)}"
                )
    return None


def alternate(trace: Trace) -> str | None:
    ran = [event.task for event in trace.of("run")]
    wanted = [place % trace.tasks for place in range(trace.tasks * trace.resumes)]
    if ran != wanted:
        first = next(
            (i for i, (a, b) in enumerate(zip(ran, wanted, strict=False)) if a != b),
            min(len(ran), len(wanted)),
        )
        return (
            f"tasks did not receive in turn: {len(ran)} tokens, of {len(wanted)}; the first "
            f"wrong one is number {first}"
        )
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


def tree(trace: Trace) -> str | None:
    """One task at the top, ten started by each inner one; leaves all equally deep; nobody ends
    before those that it started.
    """
    task_of = {event.unit: event.task for event in trace.of("run")}
    parents = {event.task: task_of.get(event.unit) for event in trace.of("spawn")}
    children = _children(parents)
    if len(tops := children.pop(None, [])) != 1:
        return (
            f"{len(tops)} of {trace.tasks} tasks were started by no task of the tree "
            f"({_some(tops)}); only the topmost one may be"
        )
    for task, below in children.items():
        if len(below) != CHILDREN:
            return f"task {task} started {len(below)} tasks, not {CHILDREN}"
    depths = {_depth(task, parents) for task in parents if task not in children}
    if len(depths) > 1:
        return (
            f"leaves stand {min(depths)} to {max(depths)} levels below the top: not a tenth of "
            "the range for each child"
        )
    started, done = trace.position("spawn"), trace.position("done")
    for task, parent in parents.items():
        if parent is not None and done[parent] < done[task]:
            return (
                f"task {parent} was done before task {task}, which it had started and whose "
                "result it needs"
            )
    if max(depths) > 1 and not any(_together(below, started, done) for below in children.values()):
        return (
            "no task had two of its children alive at once: each was joined before the next "
            "one was started"
        )
    return None


def _children(parents: Mapping[int, int | None]) -> dict[int | None, list[int]]:
    found: dict[int | None, list[int]] = defaultdict(list)
    for task, parent in parents.items():
        found[parent].append(task)
    return found


def _depth(task: int, parents: Mapping[int, int | None]) -> int:
    """Levels between a task and the topmost one, at most as many as there are tasks."""
    depth = 0
    while (above := parents[task]) is not None and depth < len(parents):
        task, depth = above, depth + 1
    return depth


def _together(tasks: list[int], started: Mapping[int, int], done: Mapping[int, int]) -> bool:
    """Whether one of these tasks was started before the one before it was done."""
    return any(
        started[later] < done[earlier]
        for earlier, later in pairwise(sorted(tasks, key=started.__getitem__))
    )


def all_run_first(trace: Trace) -> str | None:
    """Every task is at its wait before the first one is cancelled: it has run, and none is done."""
    ran, done = trace.position("run"), trace.position("done")
    last, first = max(ran, key=ran.__getitem__), min(done, key=done.__getitem__)
    if done[first] < ran[last]:
        return (
            f"task {first} had ended before task {last} ran: not all were parked when the "
            "first was cancelled"
        )
    return None


def bounded(trace: Trace) -> str | None:
    """Producers 0 .. p-1 send `resumes` messages each; the tasks after them receive them."""
    if "b" in trace.params:
        return _never_over(trace, int(trace.params["p"]), int(trace.params["b"]))
    # Fan-in does not record its messages: producers that are done before consumer p runs found room
    # for all.
    consumer = trace.tasks - 1
    ran, done = trace.position("run"), trace.position("done")
    before = [task for task in range(consumer) if done[task] < ran[consumer]]
    if len(before) * trace.resumes > ROOM:
        sent = len(before) * trace.resumes
        return (
            f"{len(before)} producers had sent {sent} messages before the consumer ran; the "
            f"queue has room for {ROOM}"
        )
    return None


def permits(trace: Trace) -> str | None:
    """All tasks have asked before any is let in, so that each but the first ones must wait. Never
    more of them are inside than there are permits, and at some time as many are.
    """
    asked: set[int] = set()
    inside: set[int] = set()
    entered: Counter[int] = Counter()
    most = 0
    for kind, task, _ in trace.of("ask", "enter", "leave"):
        if kind == "ask":
            asked.add(task)
        elif kind == "leave":
            inside.discard(task)
        elif not entered and len(asked) < trace.tasks:
            return f"task {task} was let in when {len(asked)} of {trace.tasks} tasks had asked"
        else:
            entered[task] += 1
            inside.add(task)
            most = max(most, len(inside))
            if most > trace.permits:
                return (
                    f"{most} tasks were inside at once ({_some(sorted(inside))}); {trace.permits} "
                    "may be"
                )
    for task in range(trace.tasks):
        if entered[task] != trace.resumes:
            return f"task {task} entered {entered[task]} times instead of {trace.resumes}"
    if most < trace.permits:
        return f"never more than {most} tasks were inside at once; {trace.permits} may be"
    return None


def scope(trace: Trace) -> str | None:
    """In each scope one task fails when all others have run, these end after that, and all have
    ended before it closes. No task is started outside of a scope.
    """
    children = 0
    opened: Children | None = None
    for kind, task, _ in trace.of("open", "spawn", "run", "fail", "done", "close"):
        if kind == "open":
            if opened is not None:
                return f"scope {task} was opened before the one before it had closed"
            opened = Children()
        elif opened is None:
            return f"task {task} has a {kind!r} event outside of a scope"
        elif problem := opened.told(kind, task):
            return problem
        elif kind == "close":
            children += len(opened.started)
            opened = None
    if opened is not None:
        return "the last scope never closed"
    return None if children == trace.tasks else f"{children} tasks in scopes, not {trace.tasks}"


class Children:
    """The tasks of a scope, and what has become of them so far."""

    def __init__(self) -> None:
        self.started: set[int] = set()
        self.ran: set[int] = set()
        self.ended: set[int] = set()
        self.failed: int | None = None

    def told(self, kind: str, task: int) -> str | None:
        """Takes in an event; what is wrong with it."""
        if kind == "spawn":
            self.started.add(task)
            return None if self.failed is None else f"task {task} was started after the failure"
        if kind == "run":
            self.ran.add(task)
        elif kind == "fail":
            if self.failed is not None:
                return f"tasks {self.failed} and {task} failed, in one scope"
            if missing := self.started - self.ran:
                return f"task {task} failed before task {min(missing)} ran"
            self.failed = task
        elif self.failed is None:
            return (
                "a scope closed in which no task had failed"
                if kind == "close"
                else f"task {task} ended before any had failed: nothing cancelled it"
            )
        elif kind == "done":
            self.ended.add(task)
        elif left := self.started - self.ended - {self.failed}:
            return f"scope {task} closed before task {min(left)} had ended"
        return None


def _never_over(trace: Trace, producers: int, room: int) -> str | None:
    """No more messages are ahead of the consumers than the channel holds, and one that each of them
    has taken and not recorded yet.
    """
    most = room + trace.tasks - producers
    started: set[int] = set()
    ahead = 0
    for event in trace.of("run"):
        if event.task not in started:  # it ran for the first time; all others are messages
            started.add(event.task)
            continue
        ahead += 1 if event.task < producers else -1
        if ahead > most:
            return (
                f"{ahead} messages had been sent and not received; the channel has room for "
                f"{room}, and {most - room} may be in the hands of consumers"
            )
    sent = sum(event.task < producers for event in trace.of("run")) - producers
    if sent != producers * trace.resumes:
        return f"{sent} messages were recorded as sent, of {producers * trace.resumes}"
    return None


def gives_way(trace: Trace) -> str | None:
    """Most resumes are of another task than the one before, unless the manifest says that nobody
    gives way: then they are not.
    """
    ran = [event.task for event in trace.of("run")]
    switches = true_switches(ran)
    if trace.tasks == 1 or (2 * switches >= len(ran)) != trace.deviates:
        return None
    seen = f"{switches} of {len(ran)} resumes were of another task than the one before"
    said = "says that nobody gives way" if trace.deviates else "does not say that nobody gives way"
    return f"{seen}; the manifest {said} ([deviates])"


def outlives(trace: Trace) -> str | None:
    """The first `resumes` tasks are a load: all others are done before any of these."""
    done = trace.position("done")
    load, others = range(trace.resumes), range(trace.resumes, trace.tasks)
    first, last = min(load, key=done.__getitem__), max(others, key=done.__getitem__)
    if done[first] < done[last]:
        return f"task {first} of the load was done before task {last}, beside which it was to run"
    return None


Rule = Callable[[Trace], str | None]
RULES: dict[str, Rule] = {
    "complete": complete,
    "own-unit": own_unit,
    "all-spawned-first": all_spawned_first,
    "chain": chain,
    "resumed": resumed,
    "yield-order": yield_order,
    "alternate": alternate,
    "all-parked": all_parked,
    "tree": tree,
    "all-run-first": all_run_first,
    "bounded": bounded,
    "permits": permits,
    "scope": scope,
    "gives-way": gives_way,
    "outlives": outlives,
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
