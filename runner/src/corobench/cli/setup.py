"""`list`, `setup`, `build`, `missing`, `doctor`, and what `make test` and `make lint` call."""

from __future__ import annotations

import socket
from collections.abc import Collection, Mapping

import click
import msgspec

from corobench import plan
from corobench.cli import Names, checkout, completion, find_root, say, selecting
from corobench.execute.program import track_cpus
from corobench.execute.server import server_cpus
from corobench.locks import box_lock as run_lock
from corobench.locks import no_run
from corobench.machine.doctor import Report, examine
from corobench.suite import load
from corobench.suite.runtime import Suite
from corobench.toolchains.devtools import RUNNER, TESTED, Kind, browser, check
from corobench.toolchains.prepare import prepare
from corobench.toolchains.provision import Fetch, helper, setup
from corobench.toolchains.tools import Missing, MissingTool, Tool

_LONG_S = 5.0  # what took longer is told with its time


def needed(suite: Suite, chosen: plan.Selection) -> list[str]:
    """The runtimes that a selection needs tools and programs of on this box."""
    return plan.to_prepare(suite, chosen, server_cpus())


@click.command("list")
@selecting
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def list_command(chosen: plan.Selection, as_json: bool) -> int:
    """List runtimes, workloads and the cases that a profile measures."""
    suite = load.load_suite(find_root())
    cpus = len(track_cpus("all-cpus"))
    made = plan.make_plan(suite, chosen, seed=0, cores=server_cpus(), cpus=cpus)
    if as_json:
        click.echo(
            msgspec.json.encode(
                {
                    "runtimes": sorted(suite.runtimes),
                    "workloads": sorted(suite.workloads),
                    "plan": made,
                }
            )
        )
        return 0
    for name, runtime in suite.runtimes.items():
        click.echo(
            f"runtime   {name:32} {runtime.manifest.unit:16} "
            f"{', '.join(runtime.variant.tracks):18} {runtime.variant.title}"
        )
    for name, workload in suite.workloads.items():
        click.echo(f"workload  {name:32} {workload.question}")
    for gap in made.gaps:
        where = f"{gap.workload}/{gap.point}" if gap.point else gap.workload
        click.echo(f"gap       {where + ' / ' + gap.runtime:32} {gap.reason}")
    click.echo(f"cases     {len(made.cases)} in profile {chosen.profile}, A/A controls included")
    return 0


_GENERATOR = "load"  # its requests go to 127.0.0.1
_UNREACHABLE = MissingTool(
    name=_GENERATOR,
    reason="nothing on this machine reaches 127.0.0.1 (the loopback interface is down)",
    help="ip link set lo up",
)
_NAMED = 3  # names that a line has room for


def gap_lines(missing: Mapping[str, Missing | MissingTool]) -> list[str]:
    """What is missing by name, a line a reason: `MISSING axum, hyper: Rust is not installed; try:
    apt-get install cargo`.

    A build that failed has lines of its own, with the end of its output.
    """
    found: dict[tuple[str, str], list[str]] = {}
    failed = []
    for name, one in missing.items():
        if isinstance(one, Missing) and one.broken:
            failed.append(f"FAILED {name}: {one.reason}\n  try: {one.help}")
        else:
            found.setdefault((one.reason, one.help), []).append(name)
    return [
        *(
            f"MISSING {_listed(names)}: {reason}; try: {help_}"
            for (reason, help_), names in found.items()
        ),
        *failed,
    ]


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


def missing_tools(
    suite: Suite, chosen: plan.Selection, fetch: Fetch = "once"
) -> dict[str, MissingTool]:
    """The tools, by name, that the workloads of a selection are measured with and that can't be
    had.
    """
    specs = (
        spec
        for name, spec in suite.workloads.items()
        if chosen.workloads is None or name in chosen.workloads
    )
    names = dict.fromkeys(
        tool for spec in specs if spec.points(chosen.profile) for tool in spec.tools
    )
    down = {name: _UNREACHABLE for name in names if name == _GENERATOR and not loopback_works()}
    found = down | {
        name: helper(suite, name, say, fetch=fetch) for name in names if name not in down
    }
    return {
        name: tool
        for name, tool in found.items()
        if isinstance(tool, MissingTool) and not tool.untried
    }


@click.command("missing")
@selecting
@click.option(
    "--strict",
    is_flag=True,
    envvar="COROBENCH_STRICT",
    help="Exit with 1 where anything is missing.",
)
def missing_command(chosen: plan.Selection, strict: bool) -> int:
    """Say what of a selection can't be had on this machine, a line each with the command that
    helps.
    """
    suite = load.load_suite(find_root())
    prepared = prepare(suite, needed(suite, chosen), lambda _progress: None)
    runtimes = {name: found for name, found in prepared.items() if isinstance(found, Missing)}
    missing = missing_tools(suite, chosen) | runtimes
    for line in gap_lines(missing):
        say(line)
    return 1 if strict and missing else 0


@click.command("setup")
@selecting
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def setup_command(chosen: plan.Selection, as_json: bool) -> int:
    """Find the languages' tools and the helpers, or put them under .toolchain/. What can't be had
    is named, and no error.
    """
    suite = load.load_suite(find_root())
    with no_run("setup"):
        tools = setup(suite, say, only=_needed(suite, chosen), fetch="again")
    for name, tool in tools.items():
        if isinstance(tool, Tool):
            say(f"{name}: {tool.version} ({tool.origin}, {tool.path})")
    for line in gap_lines(
        {name: tool for name, tool in tools.items() if isinstance(tool, MissingTool)}
    ):
        say(line)
    if as_json:
        click.echo(msgspec.json.encode({"tools": tools}, enc_hook=str))
    return 0


def _needed(suite: Suite, chosen: plan.Selection) -> set[str]:
    """The languages of a selection, and the helpers that its runtimes and workloads ask for."""
    runtimes = [suite.runtimes[name] for name in needed(suite, chosen)]
    workloads = [
        spec
        for name, spec in suite.workloads.items()
        if chosen.workloads is None or name in chosen.workloads
    ]
    helpers = {name for runtime in runtimes for name in runtime.tools} | {
        name for w in workloads for name in w.tools
    }
    return {runtime.toolchain.language for runtime in runtimes} | helpers


@click.command("build")
@selecting
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def build_command(chosen: plan.Selection, as_json: bool) -> int:
    """Make the environments and programs of the runtimes; what is up to date is kept."""
    suite = load.load_suite(find_root())
    with no_run("build"):
        prepared = prepare(suite, needed(suite, chosen), say)
    missing = {name: found for name, found in prepared.items() if isinstance(found, Missing)}
    for line in gap_lines(missing):
        say(line)
    say(f"build: {len(prepared) - len(missing)} of {len(prepared)} runtimes are ready")
    if as_json:
        click.echo(msgspec.json.encode(prepared, enc_hook=str))
    return 1 if any(found.broken for found in missing.values()) else 0


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def doctor_command(as_json: bool) -> int:
    """Say what of this box disturbs measurements and what to do about it. Changes nothing."""
    root = checkout()
    tools = setup(load.load_suite(root), say, fetch="never") if root else {}
    missing = {
        found.name: (found.reason, found.help)
        for found in tools.values()
        if isinstance(found, MissingTool)
    }
    report = examine(run_lock=run_lock(), missing=missing)
    click.echo(msgspec.json.encode(report) if as_json else _text(report))
    return 0


def _text(report: Report) -> str:
    from corobench.report.text import flat  # noqa: PLC0415  as with all of the reporting half: loaded when it is used

    lines = []
    for finding in report.findings:
        state = "WARN" if finding.warns else "ok" if finding.known else "?"
        lines.append(f"{state:4}  {finding.name:16} {finding.fact}")
        if finding.warns:
            lines += [f"{'':24}{finding.meaning}", f"{'':24}do: {finding.remedy}"]
    count = sum(finding.warns for finding in report.findings)
    lines += ["", "this box:", *(f"      {name:44} {value}" for name, value in flat(report.box))]
    unknown = sum(not finding.known for finding in report.findings)
    said = [
        f"{count} warnings" if count else "nothing to warn of",
        *([f"{unknown} not known here (?)"] if unknown else []),
    ]
    return "\n".join([*lines, "", f"{', '.join(said)}; nothing was changed"])


@click.command("test", hidden=True)
@click.argument("parts", nargs=-1)
@click.option(
    "--runtimes",
    type=Names(),
    shell_complete=completion.runtimes,
    metavar="A,B",
    help="These runtimes, or all; else what `make all` measures.",
)
def test_command(parts: tuple[str, ...], runtimes: list[str] | None) -> int:
    """Run the tests of these runtimes' languages, then the runner's, which verify each of their
    programs; or the tests of PARTS (`go`, `runner`) alone.
    """
    suite = load.load_suite(find_root())
    if parts and runtimes is not None:
        raise click.UsageError("PARTS and --runtimes exclude each other")
    chosen = plan.chosen(suite, plan.Selection(runtimes=runtimes))
    left_out = set[str]()
    if not parts:
        languages = {suite.runtimes[name].toolchain.language for name in chosen}
        left_out = suite.toolchains.keys() - languages
        parts = (*languages, RUNNER)
    environ = {TESTED: ",".join(chosen), **browser(suite, say)} if RUNNER in parts else {}
    status = _checked(suite, "test", parts, environ)
    if left_out:
        say(
            f"test: left out: {', '.join(sorted(left_out))}; all with --runtimes all (RUNTIMES=all)"
        )
    return status


@click.command("lint", hidden=True)
@click.argument("parts", nargs=-1)
def lint_command(parts: tuple[str, ...]) -> int:
    """Run every language's linters, then the runner's; or those of PARTS alone."""
    return _checked(load.load_suite(find_root()), "lint", parts, {})


def _checked(suite: Suite, kind: Kind, parts: Collection[str], environ: dict[str, str]) -> int:
    with no_run(kind):
        outcomes = check(suite, kind, say, click.echo, environ, parts)
    for outcome in outcomes:
        took = f" ({outcome.seconds:.0f} s)" if outcome.seconds >= _LONG_S else ""
        say(f"{kind}: {outcome.word:7} {outcome.part}: {outcome.reason or outcome.command}{took}")
    return 1 if any(outcome.word == "FAILED" for outcome in outcomes) else 0
