"""Puts a tool of our own under .toolchain/ without root: Debian packages, hash-locked wheels, or the manifest's commands."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from corobench.errors import UserError
from corobench.placeholders import fill
from corobench.toolchains import packages
from corobench.toolchains.asked import Asked
from corobench.toolchains.contents import hash_files, hash_of, matching
from corobench.toolchains.lock import locked
from corobench.toolchains.places import homes
from corobench.toolchains.steps import Step, StepFailed, command_env, is_finished, kept, make, remove_others
from corobench.toolchains.values import Tool
from corobench.toolspec import Provision


def provision(asked: Asked, reason: str, say: Callable[[str], None], builder: Callable[[Asked], Tool]) -> Tool:
    """The provisioned tool, of a version that is still to be asked for; put in place unless it is already.

    `builder` gets the tool that builds this one, where the manifest names such a language. StepFailed or UserError where it
    can't be put in place.
    """
    wanted = _wanted(asked)
    home = asked.root / ".toolchain"
    folder = home / _name(asked, wanted)
    if found := kept(homes(asked.root), folder.name):
        return _tool(asked, wanted, found)
    with locked(home / f"{asked.name}.lock", lambda who: say(f"{asked.name}: waiting for {who}")):
        if not is_finished(folder):  # another process may have made it meanwhile
            say(f"{asked.name}: {reason}; making one in {folder.relative_to(asked.root)}")
            make(_step(asked, wanted, folder, _built_by(asked, wanted, builder)), say)
            remove_others(folder, asked.name)
    return _tool(asked, wanted, folder)


def _built_by(asked: Asked, wanted: Provision, builder: Callable[[Asked], Tool]) -> Tool | None:
    if wanted.language is None:
        return None
    if asked.builder is None:
        raise StepFailed(f"{wanted.language}, whose tool builds it, is not in this checkout")
    return builder(asked.builder)


def is_provisioned(asked: Asked) -> bool:
    """Whether the provisioned tool is in place already."""
    return asked.provision is not None and kept(homes(asked.root), _name(asked, asked.provision)) is not None


def _wanted(asked: Asked) -> Provision:
    if asked.provision is None:
        raise UserError(f"{asked.file}: has no provision")
    if not (asked.provision.packages or asked.provision.lock or asked.provision.commands):
        raise UserError(f"{asked.file}: provision: needs packages, lock or commands")
    return asked.provision


def _name(asked: Asked, wanted: Provision) -> str:
    """The folder's: the hash of all that decides what will be in it."""
    files = [_lock(asked, wanted.lock)] if wanted.lock is not None else []
    for pattern in wanted.inputs:
        where = f"{asked.file}: provision.inputs"
        files += matching(fill(pattern, asked.places, where), where)
    words = [word for command in wanted.commands for word in [*command, "\n"]]
    archive = [packages.archive(), *wanted.packages] if wanted.packages else []
    return f"{asked.name}-{hash_of(hash_files(files, asked.root), *archive, *words, *wanted.env, *wanted.env.values())[:12]}"


def _step(asked: Asked, wanted: Provision, folder: Path, builder: Tool | None) -> Step:
    where = f"{asked.file}: provision"
    values = asked.places | {"folder": str(folder)} | ({"tool": str(builder.path)} if builder else {})
    env = {name: fill(value, values, f"{where}.env") for name, value in wanted.env.items()}
    commands = packages.commands(asked.root, wanted.packages, folder) if wanted.packages else []
    if wanted.lock is not None:
        commands.append(_wheels(asked, _lock(asked, wanted.lock), folder))
    commands += [[fill(word, values, f"{where}.commands") for word in command] for command in wanted.commands]
    return Step(
        folder=folder,
        commands=commands,
        cwd=asked.root,
        env=command_env(builder.path if builder else None, {**(builder.env if builder else {}), **env}),
        log=asked.root / f".toolchain/{asked.name}.log",
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
    env = {name: fill(value, places, f"{asked.file}: provision.run_env") for name, value in wanted.run_env.items()}
    return Tool(
        name=asked.name,
        path=found[0],
        version="",
        origin="provisioned",
        env=env,
        packages=packages.had(folder),
        recipe=folder.name,
    )
