"""What `make test` and `make lint` run: each language's own commands, then the runner's. There is
no list of languages.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from corobench.commands import halted, in_parallel, run_tool
from corobench.environ import for_tools
from corobench.errors import UserError, unknown
from corobench.suite.runtime import Suite, Toolchain, fill
from corobench.toolchains.provision import Say, find, helper, unmet
from corobench.toolchains.steps import command_env, pauses_s
from corobench.toolchains.tools import MissingTool, Tool, advice, folders, of_helper, of_language

Kind = Literal["test", "lint"]

BROWSER = "COROBENCH_BROWSER"
# The runtimes, by comma, whose programs the runner's tests build and verify; all if it isn't set.
TESTED = "COROBENCH_TESTED"
RUNNER = "runner"
PLAYWRIGHT = "PLAYWRIGHT_BROWSERS_PATH"
# Two more than there are CPUs: some tests wait for builds, daemons, sleeping programs or a network.
_WORKERS = str(len(os.sched_getaffinity(0)) + 2)
_RUNNER: dict[Kind, list[list[str]]] = {
    # What measures for real has the box to itself: the other tests would be its contamination.
    # Worksteal leaves a file's tests together, so that its sites and browser are made once and not
    # by each worker.
    "test": [
        ["pytest", "-n", _WORKERS, "--dist", "worksteal", "--durations", "15", "-m", "not alone"],
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
    """How one command of a language (or of the runner) ended, after how many seconds; `reason` is
    empty where it succeeded.
    """

    part: str
    command: str
    reason: str
    seconds: float = 0.0
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
    show: Say,
    environ: Mapping[str, str],
    parts: Collection[str] = (),
) -> list[Outcome]:
    """Runs everything of a kind; a failure stops nothing. As many languages at once as there are
    CPUs: of those whose tool is there, those of most runtimes first, which take longest. The output
    of each is handed to `show` when it has ended. Then the runner, whose output is ours.

    `parts`: languages, or "runner"; all where none is named. `environ` is added for the runner.
    UserError for a part that doesn't exist. A language whose tool can't be had is skipped, and said
    so; where CI=true it fails.
    """
    known = [*suite.toolchains, RUNNER]
    if unheard := [part for part in parts if part not in known]:
        raise unknown("language", unheard[0], known)
    runtimes = Counter(runtime.toolchain.language for runtime in suite.runtimes.values())
    chosen = {
        name: suite.toolchains[name]
        for name in sorted(suite.toolchains, key=lambda name: -runtimes[name])
        if not parts or name in parts
    }
    turns = _Turns(len(os.sched_getaffinity(0)))
    with tempfile.TemporaryDirectory(prefix="corobench-") as folder:
        logs = Path(folder)

        def language(place: int, name: str) -> list[Outcome]:
            tool = find(suite, [of_language(suite, name)], say)[name]
            with turns.take(place):
                return _language(suite, kind, chosen[name], tool, logs / name, show)

        work = {name: partial(language, place, name) for place, name in enumerate(chosen)}
        done = in_parallel(work)
    outcomes = [outcome for name in sorted(done) for outcome in done[name]]
    if not parts or RUNNER in parts:
        bin_folder = Path(sys.executable).parent
        words = [[str(bin_folder / command[0]), *command[1:]] for command in _RUNNER[kind]]
        env = {**for_tools(os.environ), **environ}
        outcomes += _commands(RUNNER, words, {}, suite.root / "runner", env, say)
    return outcomes


class _Turns:
    """At most so many threads at a time; of those that wait, the one with the lowest place."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: set[int] = set()
        self._changed = threading.Condition()

    @contextmanager
    def take(self, place: int) -> Iterator[None]:
        """Waits for a turn, which lasts as long as the block. KeyboardInterrupt where all have been
        ended meanwhile.
        """
        with self._changed:
            self._waiting.add(place)
            self._changed.wait_for(lambda: self._free and place == min(self._waiting))
            self._waiting.remove(place)
            self._free -= 1
            self._changed.notify_all()
        try:
            if halted():
                raise KeyboardInterrupt
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()


def _language(
    suite: Suite, kind: Kind, toolchain: Toolchain, tool: Tool | MissingTool, log: Path, show: Say
) -> list[Outcome]:
    """All commands of a language; what they print goes to `log`, and from there to `show`."""
    language = toolchain.folder.name
    if isinstance(tool, MissingTool):
        return [_skipped(language, kind, tool.reason, tool.help)]
    values = {**folders(toolchain.folder), "tool": str(tool.path)}
    outcomes: list[Outcome] = []

    def told(text: str) -> None:
        with log.open("a") as file:
            file.write(f"{text}\n")

    for asked in toolchain.test if kind == "test" else toolchain.lint:
        where = f"{toolchain.folder}/toolchain.toml: {kind}.needs"
        if need := unmet(asked.needs, tool, values, where):
            outcomes.append(_skipped(language, kind, need.reason, advice(need.install, need.help)))
            continue
        env = command_env(tool.path, {**tool.env, **_told(suite, asked.tools, told)})
        commands = [*asked.fetch, *asked.commands]
        outcomes += _commands(
            language, commands, values, toolchain.folder, env, told, log, len(asked.fetch)
        )
    if log.exists():
        show(f"== {language}\n{log.read_text(errors='replace')}".rstrip())
    return outcomes


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
    log: Path | None = None,
    fetches: int = 0,
) -> Iterator[Outcome]:
    """What they print is shown where there is no `log`. The first `fetches` of them need the
    network, which may do better the next time.
    """
    for place, command in enumerate(commands):
        try:
            words = [
                fill(word, values, f"{part}: {command[0]}") if values else word for word in command
            ]
        except UserError as error:
            yield Outcome(part=part, command=" ".join(command), reason=str(error))
            continue
        text = " ".join([Path(words[0]).name, *words[1:]])
        if log is None:
            say(f"== {part}: {text}")
        for pause_s in (*(pauses_s() if place < fetches else ()), None):
            completed = run_tool(words, cwd, env, log, show=log is None)
            if completed.ok or pause_s is None:
                break
            say(f"== {part}: {completed.reason}; trying again in {pause_s:g} s")
            if halted(pause_s):
                raise KeyboardInterrupt
        yield Outcome(
            part=part,
            command=text,
            reason="" if completed.ok else completed.reason,
            seconds=completed.seconds,
        )


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
