"""Puts a pinned tool under .toolchain/ without root: hash-locked wheels, or the manifest's own commands."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from corobench.errors import UserError
from corobench.model import Provision, Toolchain
from corobench.toolchains.contents import hash_files, hash_of
from corobench.toolchains.lock import locked
from corobench.toolchains.places import fill, folders, homes
from corobench.toolchains.steps import Step, StepFailed, command_env, is_finished, kept, make, remove_others


def provision(root: Path, toolchain: Toolchain, reason: str, say: Callable[[str], None]) -> Path:
    """The provisioned tool, put in place unless it is already. StepFailed or UserError where it can't be."""
    asked = toolchain.provision
    if asked is None:
        raise UserError(f"{toolchain.folder}/toolchain.toml: has no [provision]")
    step = _step(root, toolchain, asked)
    if found := kept(homes(root), step.folder.name):
        return _executable(found, asked.tool)
    with locked(root / f".toolchain/{toolchain.language}.lock", lambda who: say(f"{toolchain.language}: waiting for {who}")):
        if not is_finished(step.folder):  # another process may have made it meanwhile
            say(f"{toolchain.language}: {reason}; fetching a pinned one into {step.folder.relative_to(root)}")
            make(step)
            remove_others(step.folder, toolchain.language)
    return _executable(step.folder, asked.tool)


def is_provisioned(root: Path, toolchain: Toolchain) -> bool:
    """Whether the provisioned tool is in place already."""
    asked = toolchain.provision
    return asked is not None and kept(homes(root), _step(root, toolchain, asked).folder.name) is not None


def _step(root: Path, toolchain: Toolchain, asked: Provision) -> Step:
    where = f"{toolchain.folder}/toolchain.toml: provision"
    log = root / f".toolchain/{toolchain.language}.log"
    if asked.lock is not None:
        lock = toolchain.folder / asked.lock
        if not lock.is_file():
            raise UserError(f"{where}.lock: {lock} does not exist")
        folder = root / f".toolchain/{toolchain.language}-{hash_of(hash_files([lock], toolchain.folder))[:12]}"
        return Step(folder=folder, commands=[_wheels(toolchain, lock, folder)], cwd=root, env=command_env(None, {}), log=log)
    if not asked.commands:
        raise UserError(f"{where}: needs lock or commands")
    key = hash_of(*(word for command in asked.commands for word in command), *asked.env, *asked.env.values())
    folder = root / f".toolchain/{toolchain.language}-{key[:12]}"
    values = {**folders(toolchain.folder), "folder": str(folder)}
    return Step(
        folder=folder,
        commands=[[fill(word, values, f"{where}.commands") for word in command] for command in asked.commands],
        cwd=root,
        env=command_env(None, {name: fill(value, values, f"{where}.env") for name, value in asked.env.items()}),
        log=log,
    )


def _wheels(toolchain: Toolchain, lock: Path, folder: Path) -> list[str]:
    """Binary wheels only, so that nothing of a package runs while it is installed."""
    install = [folders(toolchain.folder)["uv"], "pip", "install", "--python", sys.executable]
    checks = ["--require-hashes", "--no-deps", "--only-binary", ":all:"]
    return [*install, *checks, "--target", str(folder), "--requirement", str(lock)]


def _executable(folder: Path, tool: str) -> Path:
    found = sorted(folder.glob(tool))
    if not found:
        raise StepFailed(f"it holds no {tool}")
    if not os.access(found[0], os.X_OK):
        found[0].chmod(found[0].stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return found[0]
