"""What is known of a language's tool and of a runtime's environment and build: immutable values."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of a fit version; `named` is by an environment variable.

    `env` is what it is started with, `run_env` what the programs that it makes are; `packages` are those that it was unpacked
    from. `recipe` names what a provisioned one was made of (sources, lock, commands): built in two places, its file may differ
    for that alone.
    """

    name: str
    path: Path
    version: str
    origin: Literal["named", "system", "provisioned"]
    env: dict[str, str] = {}
    run_env: dict[str, str] = {}
    packages: list[str] = []
    recipe: str = ""


class MissingTool(msgspec.Struct, frozen=True, kw_only=True):
    """Why a tool can't be had here, and the one command or step that helps.

    `untried`: it is not there, and whether it can be provisioned nobody has tried.
    """

    name: str
    reason: str
    help: str
    untried: bool = False


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime that is ready to be started.

    `version` is the runtime's (from its lock file), `language_version` the tool's. `env` is what its tools ask programs to be
    started with, `helpers` are the executables of the tools that are no language. `facts` are what the language's manifest
    asks to be recorded. `hashes` are over contents and the same on every box: `sources`, `lock`, and `programs`, which
    covers everything that decides what is started (commands, sources and lock, versions, built files).
    """

    runtime: str
    tool: Path
    environment: Path | None
    build: Path | None
    version: str
    language_version: str
    env: dict[str, str]
    helpers: dict[str, Path]
    facts: dict[str, str]
    hashes: dict[str, str]


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """Why a runtime can't be used here. `reason` starts with a one-line sentence; a log's tail may follow.

    `broken`: its tool is there, but its environment or build failed. That is a failure; a missing tool is a gap.
    """

    runtime: str
    reason: str
    help: str
    broken: bool = False
