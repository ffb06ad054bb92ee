"""`setup`, `build`, `doctor`, and what `make test` and `make lint` call: everything before and around measuring."""

from __future__ import annotations

import click
import msgspec

from corobench import manifest, plan
from corobench.cli import gaps
from corobench.cli.common import find_root, say, selecting
from corobench.doctor import Report, examine
from corobench.execute.lock import no_run
from corobench.execute.lock import path as run_lock
from corobench.model import Suite
from corobench.toolchains.devtools import Kind, browser, check
from corobench.toolchains.find import setup
from corobench.toolchains.prepare import prepare
from corobench.toolchains.values import Missing, MissingTool, Tool


@click.command("setup")
@selecting
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def setup_command(chosen: plan.Selection, as_json: bool) -> int:
    """Find the languages' tools and the helpers, or put them under .toolchain/. What can't be had is named, and no error."""
    suite = manifest.load_suite(find_root())
    with no_run("setup"):
        tools = setup(suite, say, only=_needed(suite, chosen), fetch="again")
    for name, tool in tools.items():
        if isinstance(tool, Tool):
            say(f"{name}: {tool.version} ({tool.origin}, {tool.path})")
    for line in gaps.lines({name: tool for name, tool in tools.items() if isinstance(tool, MissingTool)}):
        say(line)
    if as_json:
        click.echo(msgspec.json.encode({"tools": tools}, enc_hook=str))
    return 0


def _needed(suite: Suite, chosen: plan.Selection) -> set[str]:
    """The languages of a selection, and the helpers that its runtimes and workloads ask for."""
    runtimes = [suite.runtimes[name] for name in plan.chosen(suite, chosen)]
    workloads = [spec for name, spec in suite.workloads.items() if chosen.workloads is None or name in chosen.workloads]
    helpers = {name for runtime in runtimes for name in runtime.manifest.tools} | {name for w in workloads for name in w.tools}
    return {runtime.toolchain.language for runtime in runtimes} | helpers


@click.command("build")
@selecting
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def build_command(chosen: plan.Selection, as_json: bool) -> int:
    """Make the environments and programs of the runtimes; what is up to date is kept."""
    suite = manifest.load_suite(find_root())
    with no_run("build"):
        prepared = prepare(suite, plan.chosen(suite, chosen), say)
    missing = {name: found for name, found in prepared.items() if isinstance(found, Missing)}
    for line in gaps.lines(missing):
        say(line)
    say(f"build: {len(prepared) - len(missing)} of {len(prepared)} runtimes are ready")
    if as_json:
        click.echo(msgspec.json.encode(prepared, enc_hook=str))
    return 1 if any(found.broken for found in missing.values()) else 0


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def doctor_command(as_json: bool) -> int:
    """Say what of this box disturbs measurements and what to do about it. Changes nothing."""
    tools = setup(manifest.load_suite(find_root()), say, fetch="never")
    missing = {found.name: (found.reason, found.help) for found in tools.values() if isinstance(found, MissingTool)}
    report = examine(run_lock=run_lock(), missing=missing)
    click.echo(msgspec.json.encode(report) if as_json else _text(report))
    return 0


def _text(report: Report) -> str:
    from corobench.report.facts import flat  # noqa: PLC0415  as with all of the reporting half: loaded when it is used

    lines = []
    for finding in report.findings:
        state = "WARN" if finding.warns else "ok" if finding.known else "?"
        lines.append(f"{state:4}  {finding.name:16} {finding.fact}")
        if finding.warns:
            lines += [f"{'':24}{finding.meaning}", f"{'':24}do: {finding.remedy}"]
    count = sum(finding.warns for finding in report.findings)
    lines += ["", "this box:", *(f"      {name:44} {value}" for name, value in flat(report.box))]
    unknown = sum(not finding.known for finding in report.findings)
    said = [f"{count} warnings" if count else "nothing to warn of", *([f"{unknown} not known here (?)"] if unknown else [])]
    return "\n".join([*lines, "", f"{', '.join(said)}; nothing was changed"])


@click.command("test", hidden=True)
def test_command() -> int:
    """Run every language's tests, then the runner's."""
    suite = manifest.load_suite(find_root())
    return _checked("test", browser(suite, say))


@click.command("lint", hidden=True)
def lint_command() -> int:
    """Run every language's linters, then the runner's."""
    return _checked("lint", {})


def _checked(kind: Kind, environ: dict[str, str]) -> int:
    with no_run(kind):
        outcomes = list(check(manifest.load_suite(find_root()), kind, say, environ))
    for outcome in outcomes:
        say(f"{kind}: {outcome.word:7} {outcome.part}: {outcome.reason or outcome.command}")
    return 1 if any(outcome.word == "FAILED" for outcome in outcomes) else 0


COMMANDS = [setup_command, build_command, doctor_command, test_command, lint_command]
