"""What `make test` and `make lint` run: each language's own commands, then the runner's. There is
no list of languages.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from corobench.commands import halted, run_tool
from corobench.environ import for_tools
from corobench.errors import UserError, unknown
from corobench.suite.runtime import Suite, fill
from corobench.toolchains.find import Say, helper, setup, unmet
from corobench.toolchains.steps import command_env, pauses_s
from corobench.toolchains.tools import MissingTool, Tool, advice, folders, of_helper

Kind = Literal["test", "lint"]

BROWSER = "COROBENCH_BROWSER"
RUNNER = "runner"
PLAYWRIGHT = "PLAYWRIGHT_BROWSERS_PATH"
_RUNNER: dict[Kind, list[list[str]]] = {
    # What measures for real has the box to itself: the other tests would be its contamination.
    # Worksteal leaves a file's tests together, so that its sites and browser are made once and not
    # by each worker.
    "test": [
        ["pytest", "-n", "2", "--dist", "worksteal", "-m", "not alone"],
        ["pytest", "-m", "alone"],
    ],
    "lint": [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["lint-imports"],
    ],
}


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How one command of a language (or of the runner) ended; `reason` is empty where it
    succeeded.
    """

    part: str
    command: str
    reason: str
    skipped: bool = False

    @property
    def word(self) -> str:
        """ok, FAILED or SKIPPED."""
        if self.skipped:
            return "SKIPPED"
        return "FAILED" if self.reason else "ok"


def check(
    suite: Suite,
    kind: Kind,
    say: Say,
    environ: Mapping[str, str],
    parts: Collection[str] = (),
) -> Iterator[Outcome]:
    """Runs everything of a kind, its output shown as it comes; a failure stops nothing.

    `parts`: languages, or "runner"; all where none is named. `environ` is added for the runner.
    UserError for a part that doesn't exist. A language whose tool can't be had is skipped, and said
    so; where CI=true it fails.
    """
    known = [*suite.toolchains, RUNNER]
    if unheard := [part for part in parts if part not in known]:
        raise unknown("language", unheard[0], known)
    chosen = {name: made for name, made in suite.toolchains.items() if not parts or name in parts}
    tools = setup(suite, say, only=chosen)
    for language, toolchain in chosen.items():
        listed = toolchain.test if kind == "test" else toolchain.lint
        tool = tools[language]
        if isinstance(tool, MissingTool):
            yield _skipped(language, kind, tool.reason, tool.help)
            continue
        values = {**folders(toolchain.folder), "tool": str(tool.path)}
        for asked in listed:
            if need := unmet(
                asked.needs, tool, values, f"{toolchain.folder}/toolchain.toml: {kind}.needs"
            ):
                yield _skipped(language, kind, need.reason, advice(need.install, need.help))
                continue
            env = command_env(tool.path, {**tool.env, **_told(suite, asked.tools, say)})
            commands = [*asked.fetch, *asked.commands]
            yield from _commands(
                language, commands, values, toolchain.folder, env, say, fetches=len(asked.fetch)
            )
    if parts and RUNNER not in parts:
        return
    bin_folder = Path(sys.executable).parent
    words = [[str(bin_folder / command[0]), *command[1:]] for command in _RUNNER[kind]]
    yield from _commands(
        RUNNER, words, {}, suite.root / "runner", {**for_tools(os.environ), **environ}, say
    )


def _told(suite: Suite, names: Sequence[str], say: Say) -> dict[str, str]:
    """The environment that names tools; one that can't be had is named by whoever misses it."""
    env: dict[str, str] = {}
    for name in names:
        found = helper(suite, name, say)
        if isinstance(found, Tool):
            env |= {**found.env, of_helper(suite, name).variable: str(found.path)}
    return env


def _skipped(language: str, kind: Kind, reason: str, help_: str) -> Outcome:
    return Outcome(
        part=language,
        command=kind,
        reason=f"{reason}; {help_}",
        skipped=os.environ.get("CI") != "true",
    )


def _commands(
    part: str,
    commands: Sequence[Sequence[str]],
    values: Mapping[str, str],
    cwd: Path,
    env: Mapping[str, str],
    say: Say,
    *,
    fetches: int = 0,
) -> Iterator[Outcome]:
    """The first `fetches` of them need the network, which may do better the next time."""
    for place, command in enumerate(commands):
        try:
            words = [
                fill(word, values, f"{part}: {command[0]}") if values else word for word in command
            ]
        except UserError as error:
            yield Outcome(part=part, command=" ".join(command), reason=str(error))
            continue
        text = " ".join([Path(words[0]).name, *words[1:]])
        say(f"== {part}: {text}")
        for pause_s in (*(pauses_s() if place < fetches else ()), None):
            completed = run_tool(words, cwd, env, show=True)
            if completed.ok or pause_s is None:
                break
            say(f"== {part}: {completed.reason}; trying again in {pause_s:g} s")
            if halted(pause_s):
                raise KeyboardInterrupt
        yield Outcome(part=part, command=text, reason="" if completed.ok else completed.reason)


def browser(suite: Suite, say: Say) -> dict[str, str]:
    """The environment that tells tests which browser to use: the system's, one of Debian's
    packages, else Playwright's.

    Empty, after one line that says what to do, where there is none: the tests that need it then
    fail by themselves.
    """
    if os.environ.get(BROWSER):
        return {}
    found = helper(suite, "chromium", say, fetch="again")
    if isinstance(found, Tool):
        return {BROWSER: str(found.path)}
    say("test: fetching Playwright's browser")
    playwright = str(Path(sys.executable).parent / "playwright")
    place = {PLAYWRIGHT: str(suite.root / ".toolchain/browsers")}
    if run_tool(
        [playwright, "install", "chromium"], suite.root, {**os.environ, **place}, show=True
    ).ok:
        return place
    say(f"test: no browser for the tests of the pages; {found.help}, or set {BROWSER} to one")
    return {}
