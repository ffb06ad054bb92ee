"""Finds tools on this box or provisions them: every candidate is asked for its version, the best
that fits wins; else one is put under .toolchain/.

What could not be provisioned is remembered: `setup` tries again, other commands don't wait for the
same failure twice.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from textwrap import shorten
from typing import Literal

import msgspec

from corobench.commands import CANNOT_START, Completed, in_parallel, run_tool
from corobench.errors import UserError, unknown
from corobench.locks import locked
from corobench.suite.runtime import Key, Need, Provision, Runtime, Suite, fill, version_key
from corobench.toolchains import steps
from corobench.toolchains.steps import (
    Step,
    StepFailed,
    command_env,
    hash_files,
    hash_of,
    is_finished,
    kept,
    make,
    matching,
    remove_others,
)
from corobench.toolchains.tools import (
    Asked,
    MissingTool,
    Tool,
    general,
    homes,
    of_helper,
    of_runtime,
)

# for one that hangs: on a busy box a tool that is there must not count as missing
PROBE_LIMIT_S = 60.0
HIDDEN = "COROBENCH_NO_SYSTEM"

Say = Callable[[str], None]
# Whether a tool that is missing is provisioned: again where that has failed before, or only where
# it was not tried.
Fetch = Literal["again", "once", "never"]


def lacking(way: Provision) -> str | None:
    """What this machine lacks for a way: a command that it starts. None where nothing is known to
    be missing.
    """
    firsts = [command[0] for command in way.commands if "{" not in command[0]]
    needed = [*(steps.COMMANDS if way.packages else ()), *firsts]
    return next((name for name in needed if shutil.which(name) is None), None)


def in_place(asked: Asked, way: Provision) -> Tool | None:
    """What a way has put in place already, of a version that is still to be asked for. None also
    for a folder without the tool: it is looked at again, and told, when one is made.
    """
    found = kept(homes(asked.root), folder_name(asked, way))
    return _placed(asked, way, found) if found and any(found.glob(way.tool)) else None


def provision(
    asked: Asked,
    wanted: Provision,
    reason: str,
    say: Say,
    builder: Callable[[Asked], Tool],
) -> Tool:
    """The tool that a way puts in place, of a version that is still to be asked for.

    `builder` gets the tool that builds this one, where the manifest names such a language.
    StepFailed or UserError where it can't be put in place.
    """
    home = asked.root / ".toolchain"
    folder = home / folder_name(asked, wanted)
    with locked(home / f"{asked.name}.lock", lambda who: say(f"{asked.name}: waiting for {who}")):
        if not is_finished(folder):  # another process may have made it meanwhile
            say(f"{asked.name}: {reason}; making one in {folder.relative_to(asked.root)}")
            make(_step(asked, wanted, folder, _built_by(asked, wanted, builder)), say)
            remove_others(folder, asked.name)
    return _placed(asked, wanted, folder)


def _built_by(asked: Asked, wanted: Provision, builder: Callable[[Asked], Tool]) -> Tool | None:
    if wanted.language is None:
        return None
    if wanted.language not in asked.builders:
        raise StepFailed(f"{wanted.language}, whose tool builds it, is not in this checkout")
    return builder(asked.builders[wanted.language])


def folder_name(asked: Asked, wanted: Provision) -> str:
    """The folder's: the hash of all that decides what will be in it."""
    files = [_lock(asked, wanted.lock)] if wanted.lock is not None else []
    for pattern in wanted.inputs:
        where = f"{asked.file}: provision.inputs"
        files += matching(fill(pattern, asked.places, where), where)
    words = [word for command in wanted.commands for word in [*command, "\n"]]
    archive = [steps.archive(), *wanted.packages] if wanted.packages else []
    builder = asked.builders.get(wanted.language or "")
    settings = wanted.env | (builder.env if builder else {})
    env = [*settings, *settings.values()]
    return f"{asked.name}-{hash_of(hash_files(files, asked.root), *archive, *words, *env)[:12]}"


def _step(asked: Asked, wanted: Provision, folder: Path, builder: Tool | None) -> Step:
    where = f"{asked.file}: provision"
    values = (
        asked.places | {"folder": str(folder)} | ({"tool": str(builder.path)} if builder else {})
    )
    env = {name: fill(value, values, f"{where}.env") for name, value in wanted.env.items()}
    commands = steps.commands(asked.root, wanted.packages, folder) if wanted.packages else []
    if wanted.lock is not None:
        commands.append(_wheels(asked, _lock(asked, wanted.lock), folder))
    commands += [
        [fill(word, values, f"{where}.commands") for word in command] for command in wanted.commands
    ]
    return Step(
        folder=folder,
        commands=commands,
        cwd=asked.root,
        env=command_env(
            builder.path if builder else None, {**(builder.env if builder else {}), **env}
        ),
        log=folder.with_name(f"{folder.name}.log"),
    )


def _lock(asked: Asked, name: str) -> Path:
    lock = asked.folder / name
    if not lock.is_file():
        raise UserError(f"{asked.file}: provision.lock: {lock} does not exist")
    return lock


def _wheels(asked: Asked, lock: Path, folder: Path) -> list[str]:
    """Binary wheels only, so that nothing of a package runs while it is installed."""
    install = [asked.places["uv"], "pip", "install", "--python", sys.executable]
    checks = ["--require-hashes", "--no-deps", "--only-binary", ":all:"]
    return [*install, *checks, "--target", str(folder), "--requirement", str(lock)]


def _placed(asked: Asked, wanted: Provision, folder: Path) -> Tool:
    found = sorted(folder.glob(wanted.tool))
    if not found:
        raise StepFailed(f"it holds no {wanted.tool}")
    if not os.access(found[0], os.X_OK):
        found[0].chmod(found[0].stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    places = asked.places | {"folder": str(folder)}
    run_env = {
        name: _expanded(value, places, f"{asked.file}: provision.run_env")
        for name, value in wanted.run_env.items()
    }
    own = {
        name: _expanded(value, places, f"{asked.file}: provision.tool_env")
        for name, value in wanted.tool_env.items()
    }
    return Tool(
        name=asked.name,
        path=found[0],
        version="",
        origin="provisioned",
        env=run_env | own,
        run_env=run_env,
        packages=steps.had(folder),
        recipe=folder.name,
    )


def _expanded(text: str, places: dict[str, str], where: str) -> str:
    """A value of an environment, of several paths with colons between them; each that is a glob
    becomes what it matches.
    """
    escaped = {name: glob.escape(value) for name, value in places.items()}
    found: list[str] = []
    for part in text.split(":"):
        if "*" in part:
            found += sorted(glob.glob(fill(part, escaped, where)))  # noqa: PTH207
        else:
            found.append(fill(part, places, where))
    return ":".join(found)


_WIDTH = 200  # of a reason: one line on a terminal and a page


class _Failed(msgspec.Struct, frozen=True):
    """`key` is of what was tried: another distribution, manifest or command on PATH is
    another try.
    """

    key: str
    failures: list[str]


class Attempts:
    """The memory of one tool, in .toolchain/. It may be removed at any time."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._file = asked.root / f".toolchain/{asked.name}.failed.json"
        tried = [
            (folder_name(asked, way), lacking(way), way.tool_env, way.run_env)
            for way in asked.provision
        ]
        self._key = hash_of(*map(str, tried))

    def missing(self, reason: str) -> MissingTool | None:
        """The tool that could not be provisioned; None where that was not tried."""
        try:
            found = msgspec.json.decode(self._file.read_bytes(), type=_Failed)
        except (OSError, msgspec.DecodeError):  # it is only a memory
            return None
        return self._told(reason, found.failures) if found.key == self._key else None

    def failed(self, reason: str, failures: Sequence[str]) -> MissingTool:
        """Remembers why each way failed: a sentence, then the tail of a command's output, whose
        last line says most.
        """
        last = [failure.splitlines()[-1].strip() for failure in failures]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_bytes(msgspec.json.encode(_Failed(self._key, last)))
        return self._told(reason, last)

    def forget(self) -> None:
        """It is there now."""
        self._file.unlink(missing_ok=True)

    def _told(self, reason: str, failures: Sequence[str]) -> MissingTool:
        why = shorten(f"{reason}; provisioning: {'; '.join(failures)}", _WIDTH, placeholder=" ...")
        return MissingTool(name=self._asked.name, reason=why, help=self._asked.help)


class _Found(msgspec.Struct, frozen=True):
    """An executable that answered its probe."""

    path: Path
    version: str
    rank: Key


class _Broken(msgspec.Struct, frozen=True):
    """An executable that is there and could not start: made for another machine, without its
    loader or its library, or a launcher that has nothing to launch.
    """

    path: Path
    reason: str

    def __str__(self) -> str:
        # What is missing may be published: whose home it lies in may not.
        text = f"{self.path} exists, but could not start: {self.reason}"
        return text.replace(f"{Path.home()}/", "~/")


_Seen = _Found | _Broken


def setup(
    suite: Suite, say: Say, *, only: Collection[str] | None = None, fetch: Fetch = "once"
) -> dict[str, Tool | MissingTool]:
    """Languages' tools and helpers by name, found or provisioned under .toolchain/; in parallel,
    none stops the others.

    UserError only for what the user said wrongly: a COROBENCH_TOOL_ variable that names no fit
    tool, an unknown hidden family.
    """

    def one(asked: Asked) -> Callable[[], Tool | MissingTool]:
        return lambda: find(suite, [asked], say, fetch=fetch)[asked.name]

    return in_parallel(
        {asked.name: one(asked) for asked in general(suite) if only is None or asked.name in only}
    )


def helper(suite: Suite, name: str, say: Say, *, fetch: Fetch = "once") -> Tool | MissingTool:
    """A tool that is no language: hyperfine, a load generator, a server."""
    if name not in suite.helpers:
        return MissingTool(
            name=name,
            reason=f"runner/tools/{name}.toml does not exist",
            help="use a complete checkout",
        )
    return find(suite, [of_helper(suite, name)], say, fetch=fetch)[name]


def out_of_reach(suite: Suite, runtimes: Iterable[Runtime], say: Say) -> dict[str, MissingTool]:
    """By name, those runtimes that need a tool which is not on this box and which can't be
    provisioned. Nothing is made.
    """
    needed = {
        runtime.name: [
            of_runtime(suite, runtime),
            *(of_helper(suite, name) for name in runtime.tools),
        ]
        for runtime in runtimes
    }
    families: dict[str, dict[str, Asked]] = {}
    for asked in chain.from_iterable(needed.values()):
        families.setdefault(asked.family, {})[asked.name] = asked

    def one(family: dict[str, Asked]) -> Callable[[], dict[str, Tool | MissingTool]]:
        return lambda: find(suite, family.values(), say, fetch="never")

    looked = in_parallel({name: one(family) for name, family in families.items()})
    tools = dict(item for found in looked.values() for item in found.items())
    return {
        name: tool
        for name, wanted in needed.items()
        for asked in wanted
        if isinstance(tool := tools[asked.name], MissingTool) and not tool.untried
    }


def find(
    suite: Suite, family: Iterable[Asked], say: Say, *, fetch: Fetch = "once"
) -> dict[str, Tool | MissingTool]:
    """The tools of one family, by name; candidates are asked once for all that look alike.
    UserError as with `setup`.
    """
    for name in sorted(_hidden() - set(suite.toolchains) - set(suite.helpers)):
        raise unknown(f"language in {HIDDEN}", name, suite.toolchains)
    tools: dict[str, Tool | MissingTool] = {}
    for alike in _alike(family):
        found = _of_system(alike[0])
        tools |= {asked.name: _tool(asked, found, say, fetch=fetch) for asked in alike}
    return tools


def _alike(family: Iterable[Asked]) -> list[list[Asked]]:
    groups: dict[bytes, list[Asked]] = {}
    for asked in family:
        groups.setdefault(msgspec.json.encode(asked.find), []).append(asked)
    return list(groups.values())


def _hidden() -> set[str]:
    return {name for name in os.environ.get(HIDDEN, "").split(",") if name}


def _of_system(asked: Asked) -> list[_Seen]:
    return [] if asked.family in _hidden() else list(_answers(_candidates(asked), asked, {}))


def _tool(asked: Asked, found: list[_Seen], say: Say, *, fetch: Fetch) -> Tool | MissingTool:
    tool = _chosen(asked, found, say, fetch=fetch)
    if isinstance(tool, MissingTool):
        return tool
    return msgspec.structs.replace(tool, env=asked.env | tool.env)


def _chosen(asked: Asked, found: list[_Seen], say: Say, *, fetch: Fetch) -> Tool | MissingTool:
    if named := os.environ.get(asked.variable):
        return _named(named, asked)
    try:
        if fit := [one for one in found if isinstance(one, _Found) and asked.fits(one.version)]:
            best = max(fit, key=lambda one: (one.rank, version_key(one.version)))
            return Tool(name=asked.name, path=best.path, version=best.version, origin="system")
        return _provisioned(asked, _why(found, asked), say, fetch=fetch)
    except (UserError, OSError) as error:
        return MissingTool(name=asked.name, reason=str(error), help=asked.help)


def _named(named: str, asked: Asked) -> Tool:
    """The tool that the user named: it is used or refused, never silently replaced."""
    where = f"{asked.variable}={named}"
    path = Path(shutil.which(Path(named).expanduser()) or Path(named).expanduser())
    if not _is_usable(path):
        raise UserError(f"{where}: no such executable")
    found = next(_answers([path], asked, {}), None)
    if isinstance(found, _Broken):
        raise UserError(f"{where}: {found}")
    if found is None:
        raise UserError(f"{where}: does not answer as {asked.title} does")
    if not asked.fits(found.version):
        raise UserError(f"{where}: {asked.unfit(found.version)}")
    return Tool(name=asked.name, path=found.path, version=found.version, origin="named")


def _provisioned(asked: Asked, reason: str, say: Say, *, fetch: Fetch) -> Tool | MissingTool:
    """The tool of the first way that gives a fit one; what is in place already comes first."""
    missing = MissingTool(name=asked.name, reason=reason, help=asked.help)
    if not asked.provision:
        return missing
    for way in asked.provision:
        made = in_place(asked, way)
        if made and isinstance(tool := _fit(asked, made), Tool):
            return tool
    remembered = Attempts(asked)
    if fetch != "again" and (known := remembered.missing(reason)):
        return known
    if fetch == "never":
        return msgspec.structs.replace(missing, help="make setup", untried=True)
    failures = []
    for way in asked.provision:
        if lacked := lacking(way):
            failures.append(f"no {lacked} here")
            continue
        try:
            tool = _fit(
                asked,
                provision(asked, way, reason, say, lambda builder: _builder(builder, say, fetch)),
            )
        except StepFailed as error:
            failures.append(str(error))
            continue
        if isinstance(tool, Tool):
            remembered.forget()
            return tool
        failures.append(tool)
    return remembered.failed(reason, failures)


def _fit(asked: Asked, made: Tool) -> Tool | str:
    """The provisioned tool with its version, or why it is not fit."""
    found = next(_answers([made.path], asked, made.env), None)
    if isinstance(found, _Broken):
        return f"the provisioned {found}"
    if found is None:
        return "the provisioned one does not answer its probe"
    if not asked.fits(found.version):
        return f"the provisioned {asked.unfit(found.version)}"
    return msgspec.structs.replace(made, path=found.path, version=found.version)


def _builder(asked: Asked, say: Say, fetch: Fetch) -> Tool:
    """The language's tool that builds another tool. StepFailed where it can't be had."""
    tool = _tool(asked, _of_system(asked), say, fetch=fetch)
    if isinstance(tool, MissingTool):
        raise StepFailed(f"{asked.title}, which builds it, can't be had: {tool.reason}")
    return tool


def _is_usable(path: Path) -> bool:
    """Whether it is an executable, or a shared library, which need not be one."""
    return path.is_file() and (os.access(path, os.X_OK) or ".so" in path.name)


def _candidates(asked: Asked) -> Iterator[Path]:
    """Every executable that the manifest names, on all of PATH and by glob, each once."""
    seen: set[tuple[Path, str]] = set()
    for candidate in asked.find.candidates:
        pattern = Path(candidate).expanduser()
        if pattern.is_absolute():
            paths = sorted(Path("/").glob(str(pattern.relative_to("/"))))
        else:
            paths = [Path(folder) / candidate for folder in os.get_exec_path()]
        for path in paths:
            # By its name too: one executable may act as several tools (rustup as cargo).
            if (key := (path.resolve(), path.name)) not in seen and _is_usable(path):
                seen.add(key)
                yield path


def _answers(paths: Iterable[Path], asked: Asked, env: Mapping[str, str]) -> Iterator[_Seen]:
    """Those that answer the probe, and those that could not start. Asked in the root folder, where
    no go.mod or rust-toolchain file picks another version.
    """
    for path in paths:
        values = {**asked.places, "candidate": str(path)}
        command = [fill(word, values, f"{asked.file}: find.probe") for word in asked.find.probe]
        completed = run_tool(command, Path("/"), command_env(path, env), timeout_s=PROBE_LIMIT_S)
        answered = completed.exit_status == asked.find.exit_status and not completed.timed_out
        match = (
            re.search(asked.find.pattern, f"{completed.output}\n{completed.errors}")
            if answered
            else None
        )
        if match is None:
            if reason := _unstarted(completed):
                yield _Broken(path, reason)
            continue
        groups = match.groupdict()
        rank = version_key(groups["rank"]) if groups.get("rank") else version_key("0")
        yield _Found(Path(groups.get("path") or path), groups["version"].rstrip("."), rank)


_CANNOT = frozenset({126, 127})  # of a shell, and of the loader for a library that is missing


def _unstarted(completed: Completed) -> str | None:
    """Why a tool did not even start; None for one that did, whatever it said then."""
    last = (completed.errors.splitlines() or [""])[-1][:200]
    if completed.exit_status == 127 and last.startswith(CANNOT_START):
        return last.removeprefix(CANNOT_START)
    if completed.exit_status in _CANNOT:
        return last or completed.reason
    if completed.exit_status < 0 and not completed.timed_out:
        return f"{completed.reason}{f': {last}' if last else ''}"
    # A launcher without what it launches, and an interpreter without its library, say so and fail.
    failed = completed.exit_status > 0 and not completed.output
    return last if failed and last else None


def _why(seen: list[_Seen], asked: Asked) -> str:
    if asked.family in _hidden():
        return f"the system's {asked.title} is hidden by {HIDDEN}"
    found = [one for one in seen if isinstance(one, _Found)]
    if not found:
        broken = next((one for one in seen if isinstance(one, _Broken)), None)
        return str(broken) if broken else f"{asked.title} is not installed"
    if asked.pinned:
        had = sorted({one.version for one in found}, key=version_key)[-3:]
        return f"{asked.title} {asked.version} is not installed, only {', '.join(had)}"
    newest = max(found, key=lambda one: version_key(one.version))
    return asked.unfit(newest.version)


def unmet(needs: Sequence[Need], tool: Tool, values: Mapping[str, str], where: str) -> Need | None:
    """The first that is not there. Asked in the root folder, where no configuration of a project is
    found.
    """
    for need in needs:
        words = [fill(word, values, f"{where}.probe") for word in need.probe]
        if not run_tool(
            words, Path("/"), command_env(tool.path, tool.env), timeout_s=PROBE_LIMIT_S
        ).ok:
            return need
    return None
