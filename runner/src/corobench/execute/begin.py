"""Between a plan and its first measurement: programs, refusals, the header of a run, whether an
interrupted one may go on.

And with which time: what of its budget it has not used.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from corobench import __version__
from corobench.commands import git
from corobench.errors import UserError
from corobench.execute.invocation import Place, failure
from corobench.execute.process import Trouble
from corobench.execute.program import Program, track_cpus
from corobench.execute.verify import Job, Verified, job
from corobench.plan import PROFILE, Plan, Selection
from corobench.results.log import (
    SCHEMA,
    Control,
    Count,
    Failure,
    Invocation,
    Line,
    Mark,
    Run,
    RunHeader,
)
from corobench.suite import expression
from corobench.suite.runtime import Runtime, Suite
from corobench.suite.workload import TRACKS, Point, Workload, parse_case
from corobench.toolchains.tools import Missing, Prepared, Tool

Key = tuple[str, str]


def token() -> str:
    """A mark of fixed length for all processes of a run: the size of the environment moves a
    program's stack (Mytkowicz 2009).
    """
    return secrets.token_hex(8)


def programs(
    suite: Suite,
    prepared: Mapping[str, Prepared | Missing],
    pairs: Iterable[Key],
    mark: str,
    tools: Mapping[str, Path],
) -> dict[Key, Program]:
    """The programs of (runtime, workload) pairs that can be started on this box."""
    found: dict[Key, Program] = {}
    for runtime, workload in dict.fromkeys(pairs):
        ready = prepared[runtime]
        if isinstance(ready, Prepared):
            found[runtime, workload] = Program(
                suite.runtimes[runtime], suite.workloads[workload], ready, mark, tools
            )
    return found


def pairs(plan: Plan) -> list[Key]:
    """The (runtime, workload) pairs of a plan, in its order."""
    cases = (parse_case(key) for key in plan.cases)
    return list(dict.fromkeys((case.runtime, case.workload) for case in cases))


def jobs(
    suite: Suite,
    profile: str,
    prepared: Mapping[str, Prepared | Missing],
    ready: Mapping[Key, Program],
) -> list[Job]:
    """What is to be verified: every program, its switches counted at every point that the profile
    measures.
    """
    found = []
    for (runtime, workload), program in ready.items():
        spec, facts = suite.workloads[workload], prepared[runtime]
        assert isinstance(facts, Prepared)
        counted = [
            point
            for point in _counted(spec, profile)
            if program.runtime.offers(workload, point.params)
        ]
        found.append(job(program, spec, facts, counted))
    return found


def _counted(spec: Workload, profile: str) -> list[Point]:
    """The points with more than one task: a task alone yields to itself, and that figure is not
    divided.
    """
    if not spec.true_switches:
        return []
    return [
        point
        for point in spec.points(profile)
        if int(expression.evaluate(spec.tasks, point.params)) > 1
    ]


def refused(
    root: Path, plan: Plan, verified: Iterable[Verified], lines: Iterable[Line]
) -> Iterator[Failure]:
    """A failure for every case whose program failed verify, once: it stands on the page, and is
    never measured.
    """
    problems = {(v.runtime, v.workload): v.problems for v in verified if v.problems}
    known = {line.case for line in lines if isinstance(line, Failure) and line.kind == "verify"}
    for key in plan.cases:
        case = parse_case(key)
        if key not in known and (found := problems.get((case.runtime, case.workload))):
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            wrong = Trouble("verify", f"rejected by verify: {found[0]}")
            yield failure(Place(case=key, block=0, position=-1), now, wrong, root)


def header(
    suite: Suite,
    plan: Plan,
    prepared: Mapping[str, Prepared | Missing],
    verified: Iterable[Verified],
    box: dict[str, Any],
    name: str,
    tools: Mapping[str, Tool],
    budget_s: float | None = None,
    selection: Selection | None = None,
) -> RunHeader:
    """What is known of a run before its first program starts. `tools`: those of `helpers` that this
    box has. `selection`: what the plan was made of.
    """
    names = {runtime for runtime, _ in pairs(plan)}
    tracks = dict.fromkeys([*TRACKS, *(parse_case(case).track for case in plan.cases)])
    commit, dirty = commit_of(suite.root)
    return RunHeader(
        schema=SCHEMA,
        run=name,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        corobench=__version__,
        commit=commit,
        dirty=dirty,
        plan=plan,
        box={**box, "tracks": {track: sorted(track_cpus(track)) for track in tracks}},
        tools={tool.name: _tool(tool) for tool in tools.values()},
        runtimes={
            r: _runtime(suite.runtimes[r], prepared.get(r))
            for r in suite.runtimes
            if r in names or _is_gap(plan, r)
        },
        workloads={
            w: msgspec.to_builtins(suite.workloads[w])
            for w in dict.fromkeys(workload for _, workload in pairs(plan))
        },
        true_switches={
            f"{v.runtime}/{v.workload}/{point}": share
            for v in verified
            for point, share in v.true_switches.items()
        },
        claims=PROFILE[plan.profile].claims,
        budget_s=budget_s,
        selection=selection,
    )


def helpers(suite: Suite, plan: Plan) -> list[str]:
    """The tools, no languages, with which a plan is measured or that its programs start."""
    used = pairs(plan)
    asked = [
        *(suite.workloads[workload].tools for _, workload in used),
        *(suite.runtimes[r].tools for r, _ in used),
    ]
    return list(dict.fromkeys(name for names in asked for name in names))


def _tool(tool: Tool) -> dict[str, str]:
    recipe = {"recipe": tool.recipe} if tool.recipe else {}
    return {"version": tool.version, "origin": tool.origin, "sha256": _digest(tool.path), **recipe}


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _is_gap(plan: Plan, runtime: str) -> bool:
    return any(gap.runtime == runtime for gap in plan.gaps)


def _runtime(runtime: Runtime, prepared: Prepared | Missing | None) -> dict[str, Any]:
    """A runtime as a page shows it, so that a run can be read without the checkout that made it."""
    ready = prepared if isinstance(prepared, Prepared) else None
    return {
        **runtime.described(),
        "explained": runtime.crosscheck.explained if runtime.crosscheck else {},
        "version": ready.version if ready else "",
        "language_version": ready.language_version if ready else "",
        "facts": dict(ready.facts) if ready else {},
        "hashes": dict(ready.hashes) if ready else {},
    }


def commit_of(root: Path) -> tuple[str, bool]:
    """The checkout's commit and whether its files differ from it; ("", False) outside a git
    checkout.
    """
    commit = git(root, "rev-parse", "HEAD")
    if not commit.ok:
        return "", False
    changes = git(root, "status", "--porcelain", "--", ".", ":!results")
    return commit.output, bool(changes.output)


_ROOM = 1.05  # a block isn't always as short as those before it


def check_unfinished(run: Run, budget: float | None) -> None:
    """A run that ended on its budget goes on with a larger one; one that was precise enough has
    nothing to go on with.
    """
    if run.finished is None:
        return
    ended = f"{run.folder}: this run is finished ({run.finished.reason})"
    enough = further_budget(run)
    if enough is None:
        raise UserError(f"{ended}; nothing to resume")
    if budget is None:
        raise UserError(
            f"{ended}; to go on, give it more time: --resume {run.folder} --budget {enough}, for "
            "instance"
        )
    if budget <= (used_s := spent_s(run.lines)):
        raise UserError(
            f"{ended}; it has used {used_s:.0f} s already: a --budget is that of the whole run, "
            "what it used included"
        )


def further_budget(run: Run) -> str | None:
    """The budget (`95m`) with which a finished run should come to its next look at its numbers,
    what it has used included; None where they were precise enough or there is no further look.
    """
    if run.finished is None or run.finished.values.get("precise", True):
        return None
    complete = run.complete
    looks = [blocks for blocks in PROFILE[run.header.plan.profile].looks if blocks > complete]
    if not looks:
        return None
    enough_s = spent_s(run.lines) * looks[0] / max(complete, 1) * _ROOM
    return f"{math.ceil(enough_s / 60)}m"


def budget_of(run: Run) -> float:
    """What the run was begun with, or was given when it last went on; its profile's for a run that
    didn't store it.
    """
    given = [mark.values["budget_s"] for mark in run.marks if "budget_s" in mark.values]
    return float(
        given[-1] if given else run.header.budget_s or PROFILE[run.header.plan.profile].budget_s
    )


def spent_s(lines: list[Line]) -> float:
    """Seconds of its budget that a run has used: what its last mark says, and the walls of what
    came after that.
    """
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
        case Mark() | Count():
            return 0


def check_known(plan: Plan, run: str, suite: Suite, action: str) -> None:
    """UserError where a runtime or a workload of the plan no longer exists. `action`: what can't be
    done to the run then ("resumed").
    """
    for runtime, workload in pairs(plan):
        for kind, name, known in (
            ("runtime", runtime, suite.runtimes),
            ("workload", workload, suite.workloads),
        ):
            if name not in known:
                raise UserError(
                    f"run {run} can't be {action}: this checkout has no {kind} {name!r} any longer"
                )


def check_same(run: RunHeader, now: RunHeader, tools: Iterable[str], action: str) -> None:
    """UserError, naming what differs, where programs, tools, specs or box are others than when the
    run began: those that the plan of `now` needs, which may be a part of the run's. `action`: as in
    `check_known`.
    """
    for what, before, after in _known(run, now, tools):
        if before != after:
            raise UserError(
                f"run {run.run} can't be {action}: {what} was {_short(before)} and is "
                f"{_short(after)}"
            )
    for name, spec in now.workloads.items():
        if spec != run.workloads.get(name):
            raise UserError(
                f"run {run.run} can't be {action}: the spec of {name} has changed since"
            )


def _known(
    run: RunHeader, now: RunHeader, tools: Iterable[str]
) -> Iterator[tuple[str, object, object]]:
    """What must be the same, with its values then and now."""
    yield "its box", run.box.get("name"), now.box.get("name")
    # Not of a gap: nothing of it was measured, and only what is measured is made ready again.
    for name in dict.fromkeys(runtime for runtime, _ in pairs(now.plan)):
        before, after = run.runtimes.get(name, {}), now.runtimes.get(name, {})
        for what in ("version", "language_version"):
            yield f"{what} of {name}", before.get(what), after.get(what)
        old, new = before.get("hashes", {}), after.get("hashes", {})
        for what in sorted(old.keys() | new.keys()):
            yield f"the hash of the {what} of {name}", old.get(what), new.get(what)
    for name in tools:
        if name not in run.tools:
            continue
        yield (
            f"the hash of the tool {name}",
            run.tools[name].get("sha256"),
            now.tools.get(name, {}).get("sha256"),
        )


def _short(value: object) -> str:
    """A hash by its beginning, as git shows it."""
    return (
        "absent"
        if value is None
        else repr(str(value)[:12])
        if len(str(value)) >= 40
        else repr(value)
    )
