"""Whether an interrupted run may go on: with the programs and specs that began it, on its box (pyperf refuses to mix, too).

And with which time: what of its budget it has not used.
"""

from __future__ import annotations

from collections.abc import Iterator

from corobench.errors import UserError
from corobench.execute import begin
from corobench.model import Suite
from corobench.plan import PROFILE
from corobench.store import Control, Failure, Invocation, Line, Mark, Run, RunHeader


def check_unfinished(run: Run, budget: float | None) -> None:
    """A run that ended on its budget goes on with a larger one; one that was precise enough has nothing to go on with."""
    finished = [mark for mark in run.marks if mark.event == "finished"]
    if not finished:
        return
    ended = f"{run.folder}: this run is finished ({finished[-1].reason})"
    complete = sum(mark.event == "block-complete" for mark in run.marks)
    if finished[-1].values.get("precise", True) or complete >= PROFILE[run.header.plan.profile].looks[-1]:
        raise UserError(f"{ended}; nothing to resume")
    if budget is None:
        raise UserError(f"{ended}; to go on, give it more time: --resume {run.folder} --budget 1h, for instance")
    if budget <= (used_s := spent(run.lines)):
        raise UserError(
            f"{ended}; it has used {used_s:.0f} s already: a --budget is that of the whole run, what it used included"
        )


def budget_s(run: Run) -> float:
    """What the run was begun with, or was given when it last went on; its profile's for a run that didn't store it."""
    given = [mark.values["budget_s"] for mark in run.marks if "budget_s" in mark.values]
    return float(given[-1] if given else run.header.budget_s or PROFILE[run.header.plan.profile].budget_s)


def spent(lines: list[Line]) -> float:
    """Seconds of its budget that a run has used: what its last mark says, and the walls of what came after that."""
    used_s, after = 0.0, 0
    for line in lines:
        if isinstance(line, Mark) and "used_s" in line.values:
            used_s, after = float(line.values["used_s"]), 0
        else:
            after += _wall(line)
    return used_s + after / 1e9


def _wall(line: Line) -> int:
    match line:
        case Invocation():
            return line.witness.wall_ns
        case Failure() | Control():
            return line.wall_ns
        case Mark():
            return 0


def check_known(run: RunHeader, suite: Suite) -> None:
    """UserError where a runtime or a workload of the run no longer exists."""
    for runtime, workload in begin.pairs(run.plan):
        for kind, name, known in (("runtime", runtime, suite.runtimes), ("workload", workload, suite.workloads)):
            if name not in known:
                raise UserError(f"run {run.run} can't be resumed: this checkout has no {kind} {name!r} any longer")


def check_same(run: RunHeader, now: RunHeader) -> None:
    """UserError, naming what differs, where programs, tools, specs or box are others than when the run began."""
    for what, before, after in _known(run, now):
        if before != after:
            raise UserError(f"run {run.run} can't be resumed: {what} was {_short(before)} and is {_short(after)}")
    for name, spec in run.workloads.items():
        if spec != now.workloads.get(name):
            raise UserError(f"run {run.run} can't be resumed: the spec of {name} has changed since")


def _known(run: RunHeader, now: RunHeader) -> Iterator[tuple[str, object, object]]:
    """What must be the same, with its values then and now."""
    yield "its box", run.box.get("name"), now.box.get("name")
    # Not of a gap: nothing of it was measured, and only what is measured is made ready again.
    for name in dict.fromkeys(runtime for runtime, _ in begin.pairs(run.plan)):
        before, after = run.runtimes.get(name, {}), now.runtimes.get(name, {})
        for what in ("version", "language_version"):
            yield f"{what} of {name}", before.get(what), after.get(what)
        old, new = before.get("hashes", {}), after.get("hashes", {})
        for what in sorted(old.keys() | new.keys()):
            yield f"the hash of the {what} of {name}", old.get(what), new.get(what)
    for name, tool in run.tools.items():
        yield f"the hash of the tool {name}", tool.get("sha256"), now.tools.get(name, {}).get("sha256")


def _short(value: object) -> str:
    """A hash by its beginning, as git shows it."""
    return "absent" if value is None else repr(str(value)[:12]) if len(str(value)) >= 40 else repr(value)
