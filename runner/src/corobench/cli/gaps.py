"""What can't be had on this machine: a line for each reason, with the command that helps."""

from __future__ import annotations

import socket
from collections.abc import Mapping

import click

from corobench import manifest, plan
from corobench.cli.common import find_root, say, selecting
from corobench.model import Suite
from corobench.toolchains.find import Fetch, helper
from corobench.toolchains.prepare import prepare
from corobench.toolchains.values import Missing, MissingTool

_GENERATOR = "load"  # its requests go to 127.0.0.1
_UNREACHABLE = MissingTool(
    name=_GENERATOR, reason="nothing on this machine reaches 127.0.0.1 (the loopback interface is down)", help="ip link set lo up"
)
_NAMED = 3  # names that a line has room for


def lines(missing: Mapping[str, Missing | MissingTool]) -> list[str]:
    """What is missing by name, a line a reason: `MISSING axum, hyper: Rust is not installed; try: apt-get install cargo`.

    A build that failed has lines of its own, with the end of its output.
    """
    found: dict[tuple[str, str], list[str]] = {}
    failed = []
    for name, one in missing.items():
        if isinstance(one, Missing) and one.broken:
            failed.append(f"FAILED {name}: {one.reason}\n  try: {one.help}")
        else:
            found.setdefault((one.reason, one.help), []).append(name)
    return [*(f"MISSING {_listed(names)}: {reason}; try: {help_}" for (reason, help_), names in found.items()), *failed]


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"


def loopback_works() -> bool:
    """Whether this machine reaches itself by IPv4. Asks for the route only: nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("127.0.0.1", 9))
        except OSError:
            return False
    return True


def missing_tools(suite: Suite, chosen: plan.Selection, fetch: Fetch = "once") -> dict[str, MissingTool]:
    """The tools, by name, that the workloads of a selection are measured with and that can't be had."""
    specs = (spec for name, spec in suite.workloads.items() if chosen.workloads is None or name in chosen.workloads)
    names = dict.fromkeys(tool for spec in specs if spec.points(chosen.profile) for tool in spec.tools)
    down = {name: _UNREACHABLE for name in names if name == _GENERATOR and not loopback_works()}
    found = down | {name: helper(suite, name, say, fetch=fetch) for name in names if name not in down}
    return {name: tool for name, tool in found.items() if isinstance(tool, MissingTool) and not tool.untried}


@click.command("missing")
@selecting
@click.option("--strict", is_flag=True, envvar="COROBENCH_STRICT", help="Exit with 1 where anything is missing.")
def missing_command(chosen: plan.Selection, strict: bool) -> int:
    """Say what of a selection can't be had on this machine, a line each with the command that helps."""
    suite = manifest.load_suite(find_root())
    prepared = prepare(suite, plan.chosen(suite, chosen), lambda _progress: None)
    runtimes = {name: found for name, found in prepared.items() if isinstance(found, Missing)}
    missing = missing_tools(suite, chosen) | runtimes
    for line in lines(missing):
        say(line)
    return 1 if strict and missing else 0


COMMANDS = [missing_command]
