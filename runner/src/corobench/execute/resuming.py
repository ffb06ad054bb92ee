"""Whether an interrupted run may go on: with the programs and specs that began it, on its box (pyperf refuses to mix, too)."""

from __future__ import annotations

from collections.abc import Iterator

from corobench.errors import UserError
from corobench.execute import begin
from corobench.model import Suite
from corobench.plan import PROFILE
from corobench.store import Run, RunHeader


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
    for name, before in run.runtimes.items():
        after = now.runtimes.get(name, {})
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
