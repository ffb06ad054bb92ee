"""`setup`, `build`, `doctor`, and what `make test` and `make lint` call: everything before and around measuring."""

from __future__ import annotations

import click
import msgspec

from corobench import manifest
from corobench.cli.common import Names, find_root, say
from corobench.doctor import Report, examine
from corobench.execute.lock import path as run_lock
from corobench.toolchains.devtools import Kind, browser, check
from corobench.toolchains.find import setup
from corobench.toolchains.hyperfine import hyperfine
from corobench.toolchains.prepare import prepare
from corobench.toolchains.values import Missing, MissingTool, Tool


@click.command("setup")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def setup_command(as_json: bool) -> int:
    """Find each language's tool and hyperfine, or put them under .toolchain/. What can't be had is named, and no error."""
    suite = manifest.load_suite(find_root())
    tools = setup(suite.root, suite, say)
    cargo = next((tool.path for tool in tools.values() if isinstance(tool, Tool) and tool.path.name == "cargo"), None)
    for language, tool in tools.items():
        if isinstance(tool, MissingTool):
            say(f"MISSING {language}: {tool.reason}\n  try: {tool.help}")
        else:
            say(f"{language}: {suite.toolchains[language].title} {tool.version} ({tool.origin}, {tool.path})")
    timer = hyperfine(suite.root, say, cargo)
    if isinstance(timer, Missing):
        say(f"MISSING hyperfine (startup is not measured): {timer.reason}\n  try: {timer.help}")
    if as_json:
        click.echo(msgspec.json.encode({"tools": tools, "hyperfine": timer}, enc_hook=str))
    return 0


@click.command("build")
@click.option("--runtimes", type=Names(), metavar="A,B", help="Only these runtimes.")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def build_command(runtimes: list[str] | None, as_json: bool) -> int:
    """Make the environments and programs of all runtimes; what is up to date is kept."""
    suite = manifest.load_suite(find_root())
    prepared = prepare(suite, runtimes or list(suite.runtimes), say)
    missing = [found for found in prepared.values() if isinstance(found, Missing)]
    for found in missing:
        say(f"{'FAILED' if found.broken else 'MISSING'} {found.runtime}: {found.reason}\n  try: {found.help}")
    say(f"build: {len(prepared) - len(missing)} of {len(prepared)} runtimes are ready")
    if as_json:
        click.echo(msgspec.json.encode(prepared, enc_hook=str))
    return 1 if any(found.broken for found in missing) else 0


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def doctor_command(as_json: bool) -> int:
    """Say what of this box disturbs measurements and what to do about it. Changes nothing."""
    root = find_root()
    suite = manifest.load_suite(root)
    tools = setup(root, suite, say, fetch=False)
    missing = {found.language: (found.reason, found.help) for found in tools.values() if isinstance(found, MissingTool)}
    if isinstance(timer := hyperfine(root, say, fetch=False), Missing):
        missing["hyperfine"] = (timer.reason, timer.help)
    report = examine(run_lock=run_lock(), missing=missing)
    click.echo(msgspec.json.encode(report) if as_json else _text(report))
    return 0


def _text(report: Report) -> str:
    lines = []
    for finding in report.findings:
        lines.append(f"{'WARN' if finding.warns else 'ok':4}  {finding.name:16} {finding.fact}")
        if finding.warns:
            lines += [f"{'':24}{finding.meaning}", f"{'':24}do: {finding.remedy}"]
    count = sum(finding.warns for finding in report.findings)
    return "\n".join([*lines, "", "nothing to warn of" if not count else f"{count} warnings; nothing was changed"])


@click.command("test", hidden=True)
def test_command() -> int:
    """Run every language's tests, then the runner's."""
    suite = manifest.load_suite(find_root())
    return _checked("test", browser(suite.root, say))


@click.command("lint", hidden=True)
def lint_command() -> int:
    """Run every language's linters, then the runner's."""
    return _checked("lint", {})


def _checked(kind: Kind, environ: dict[str, str]) -> int:
    outcomes = list(check(manifest.load_suite(find_root()), kind, say, environ))
    for outcome in outcomes:
        say(f"{kind}: {'FAILED' if outcome.reason else 'ok':6} {outcome.part}: {outcome.reason or outcome.command}")
    return 1 if any(outcome.reason for outcome in outcomes) else 0


COMMANDS = [setup_command, build_command, doctor_command, test_command, lint_command]
