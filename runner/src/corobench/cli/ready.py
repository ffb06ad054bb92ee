"""What `verify` and `run` have ready before a program is started: the plan, the runtimes, and proof of right answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from corobench import plan
from corobench.cli import gaps
from corobench.cli.common import say
from corobench.execute import begin, verify
from corobench.execute.program import Program
from corobench.execute.served import server_cpus
from corobench.execute.verify import Verified
from corobench.execute.watchdog import Watchdog, sweep
from corobench.model import Suite
from corobench.plan import Plan, Selection
from corobench.toolchains.find import out_of_reach
from corobench.toolchains.prepare import helper, prepare
from corobench.toolchains.values import Missing, MissingTool, Prepared, Tool


def planned(suite: Suite, chosen: Selection, seed: int) -> tuple[Plan, dict[str, Prepared | Missing]]:
    """The plan of a run, and its runtimes, which are made where they are not ready."""
    prepared = prepare(suite, plan.chosen(suite, chosen), say)
    missing = {name: found for name, found in prepared.items() if isinstance(found, Missing)}
    return _plan(suite, chosen, seed, missing, gaps.missing_tools(suite, chosen)), prepared


def foreseen(suite: Suite, chosen: Selection, seed: int) -> Plan:
    """The plan of a run as far as it can be told beside another one: nothing is made, so nobody knows which builds would fail."""
    runtimes = [suite.runtimes[name] for name in plan.chosen(suite, chosen)]
    tools = gaps.missing_tools(suite, chosen, fetch="never")
    return _plan(suite, chosen, seed, out_of_reach(suite, runtimes, say), tools)


def _plan(
    suite: Suite,
    chosen: Selection,
    seed: int,
    missing: Mapping[str, Missing | MissingTool],
    tools: Mapping[str, MissingTool],
) -> Plan:
    """The plan without the runtimes and the tools of workloads that can't be had, each told in a line."""
    for line in gaps.lines({**tools, **missing}):
        say(line)
    told = {name: f"{found.reason}; {found.help}" for name, found in {**tools, **missing}.items()}
    unmeasurable = {name: told[tool] for name, spec in suite.workloads.items() for tool in spec.tools if tool in tools}
    return plan.make_plan(suite, chosen, seed, {name: told[name] for name in missing}, server_cpus(), unmeasurable)


def memory_file(suite: Suite) -> Path:
    return suite.root / ".build" / "verified.json"


def programs(
    suite: Suite, pairs: list[begin.Key], prepared: dict[str, Prepared | Missing], mark: str
) -> dict[begin.Key, Program]:
    names = dict.fromkeys(name for _, workload in pairs for name in suite.workloads[workload].tools)
    return begin.programs(suite, prepared, pairs, mark, {name: tool.path for name, tool in _tools(suite, names).items()})


def _tools(suite: Suite, names: Iterable[str]) -> dict[str, Tool]:
    return {name: tool for name in names if isinstance(tool := helper(suite, name, say), Tool)}


def helpers(suite: Suite, made: Plan) -> dict[str, Tool]:
    return _tools(suite, begin.helpers(suite, made))


def verified(suite: Suite, made: Plan, prepared: dict[str, Prepared | Missing]) -> list[Verified]:
    mark = begin.token()
    with Watchdog(mark):
        work = begin.jobs(suite, made.profile, prepared, programs(suite, begin.pairs(made), prepared, mark))
        return verify.verify(work, verify.Memory(memory_file(suite)), _say_verified, lambda: sweep(mark))


def _say_verified(result: Verified) -> None:
    for problem in result.problems:
        say(f"REJECTED {problem}")
    if not result.remembered and not result.problems:
        say(f"verified {result.name}")


def is_broken(prepared: dict[str, Prepared | Missing]) -> bool:
    return any(isinstance(found, Missing) and found.broken for found in prepared.values())
