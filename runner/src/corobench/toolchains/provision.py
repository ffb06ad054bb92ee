"""What could not be provisioned is remembered: `setup` tries again, other commands don't wait for
the same failure twice.
"""

from __future__ import annotations

import glob
import os
import shutil
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import shorten

import msgspec

from corobench.errors import UserError
from corobench.locks import locked
from corobench.suite.runtime import Provision, fill
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
from corobench.toolchains.tools import Asked, MissingTool, Tool, homes


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
    return _tool(asked, way, found) if found and any(found.glob(way.tool)) else None


def provision(
    asked: Asked,
    wanted: Provision,
    reason: str,
    say: Callable[[str], None],
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
    return _tool(asked, wanted, folder)


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


def _tool(asked: Asked, wanted: Provision, folder: Path) -> Tool:
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
