"""Everything between a plan and its first measurement: programs, what must be refused, the header of the run."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from corobench import __version__, expression
from corobench.case import parse_case
from corobench.execute.committed import git
from corobench.execute.measure import Place, failure
from corobench.execute.program import Program, track_cpus
from corobench.execute.trouble import Trouble
from corobench.execute.verify import Job, Verified, job
from corobench.model import TRACKS, Point, Runtime, Suite, Workload
from corobench.plan import PROFILE, Plan
from corobench.store import SCHEMA, Failure, Line, RunHeader
from corobench.toolchains.values import Missing, Prepared, Tool

Key = tuple[str, str]


def token() -> str:
    """A mark of fixed length for all processes of a run: the size of the environment moves a program's stack (Mytkowicz 2009)."""
    return secrets.token_hex(8)


def programs(
    suite: Suite, prepared: Mapping[str, Prepared | Missing], pairs: Iterable[Key], mark: str, tools: Mapping[str, Path]
) -> dict[Key, Program]:
    """The programs of (runtime, workload) pairs that can be started on this box."""
    found: dict[Key, Program] = {}
    for runtime, workload in dict.fromkeys(pairs):
        ready = prepared[runtime]
        if isinstance(ready, Prepared):
            found[runtime, workload] = Program(suite.runtimes[runtime], suite.workloads[workload], ready, mark, tools)
    return found


def pairs(plan: Plan) -> list[Key]:
    """The (runtime, workload) pairs of a plan, in its order."""
    cases = (parse_case(key) for key in plan.cases)
    return list(dict.fromkeys((case.runtime, case.workload) for case in cases))


def jobs(suite: Suite, profile: str, prepared: Mapping[str, Prepared | Missing], ready: Mapping[Key, Program]) -> list[Job]:
    """What is to be verified: every program, its switches counted at every point that the profile measures."""
    found = []
    for (runtime, workload), program in ready.items():
        spec, facts = suite.workloads[workload], prepared[runtime]
        assert isinstance(facts, Prepared)
        counted = [point for point in _counted(spec, profile) if program.runtime.offers(workload, point.params)]
        found.append(job(program, spec, facts, counted))
    return found


def _counted(spec: Workload, profile: str) -> list[Point]:
    """The points with more than one task: a task alone yields to itself, and that figure is not divided."""
    if not spec.true_switches:
        return []
    return [point for point in spec.points(profile) if int(expression.evaluate(spec.tasks, point.params)) > 1]


def refused(root: Path, plan: Plan, verified: Iterable[Verified], lines: Iterable[Line]) -> Iterator[Failure]:
    """A failure for every case whose program failed verify, once: it stands on the page, and is never measured."""
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
) -> RunHeader:
    """What is known of a run before its first program starts. `tools`: those of `helpers` that this box has."""
    names = {runtime for runtime, _ in pairs(plan)}
    commit, dirty = _commit(suite.root)
    return RunHeader(
        schema=SCHEMA,
        run=name,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        corobench=__version__,
        commit=commit,
        dirty=dirty,
        plan=plan,
        box={**box, "tracks": {track: sorted(track_cpus(track)) for track in TRACKS}},
        tools={tool.name: _tool(tool) for tool in tools.values()},
        runtimes={r: _runtime(suite.runtimes[r], prepared.get(r)) for r in suite.runtimes if r in names or _is_gap(plan, r)},
        workloads={w: msgspec.to_builtins(suite.workloads[w]) for w in dict.fromkeys(workload for _, workload in pairs(plan))},
        true_switches={f"{v.runtime}/{v.workload}/{point}": share for v in verified for point, share in v.true_switches.items()},
        claims=PROFILE[plan.profile].claims,
        budget_s=budget_s,
    )


def helpers(suite: Suite, plan: Plan) -> list[str]:
    """The tools, no languages, with which a plan is measured or that its programs start."""
    used = pairs(plan)
    asked = [*(suite.workloads[workload].tools for _, workload in used), *(suite.runtimes[r].manifest.tools for r, _ in used)]
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
        "title": runtime.variant.title,
        "language": runtime.toolchain.title,
        "folder": f"{runtime.toolchain.folder.name}/{runtime.folder.name}",
        "unit": runtime.manifest.unit,
        "site": runtime.manifest.site,
        "tracks": list(runtime.variant.tracks),
        "threads": runtime.variant.threads,
        "profiles": list(runtime.profiles),
        "order": runtime.variant.order,
        "collector": runtime.variant.collector,
        "notes": runtime.notes,
        "gaps": runtime.manifest.gaps,
        "departs": runtime.manifest.departs,
        "floor": runtime.manifest.floor,
        "explained": runtime.manifest.crosscheck.explained if runtime.manifest.crosscheck else {},
        "settings": dict(runtime.variant.settings),
        "env": dict(runtime.variant.env),
        "arguments": list(runtime.variant.arguments),
        "command": list(runtime.manifest.program.command),
        "tools": list(runtime.manifest.tools),
        "version": ready.version if ready else "",
        "language_version": ready.language_version if ready else "",
        "facts": dict(ready.facts) if ready else {},
        "hashes": dict(ready.hashes) if ready else {},
    }


def _commit(root: Path) -> tuple[str, bool]:
    """The checkout's commit and whether its files differ from it; ("", False) outside a git checkout."""
    commit = git(root, "rev-parse", "HEAD")
    if not commit.ok:
        return "", False
    changes = git(root, "status", "--porcelain", "--", ".", ":!results")
    return commit.output, bool(changes.output)
