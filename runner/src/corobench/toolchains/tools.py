"""The tool asked for, found or missing; what is prepared; what placeholders stand for."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from corobench.errors import RunFailed
from corobench.suite.runtime import (
    Find,
    Helper,
    Manager,
    Provision,
    Runtime,
    Suite,
    Toolchain,
    version_key,
)

# The executable on PATH tells which one a machine has.
_MANAGERS: dict[Manager, tuple[str, str]] = {
    "apt": ("apt-get", "apt-get install {}"),
    "dnf": ("dnf", "dnf install {}"),
    "pacman": ("pacman", "pacman -S {}"),
    "apk": ("apk", "apk add {}"),
    "brew": ("brew", "brew install {}"),
}


def advice(install: Mapping[Manager, str], otherwise: str) -> str:
    """`sudo apt-get install wrk`, or what helps a machine whose package manager `install` has
    nothing for.
    """
    for name, (executable, command) in _MANAGERS.items():
        if name in install and shutil.which(executable):
            root = name == "brew" or os.geteuid() == 0
            return ("" if root else "sudo ") + command.format(install[name])
    return otherwise


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of a fit version; `named` is by an environment variable.

    `env` is what it is started with, `run_env` what the programs that it makes are; `packages` are
    those that it was unpacked from. `recipe` names what a provisioned one was made of (sources,
    lock, commands): built in two places, its file may differ for that alone.
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

    `version` is the runtime's (from its lock file), `language_version` the tool's. `env` is what
    its tools ask programs to be started with, `helpers` are the executables of the tools that are
    no language. `facts` are what the language's manifest asks to be recorded. `hashes` are over
    contents and the same on every box: `sources`, `lock`, and `programs`, which covers everything
    that decides what is started (commands, sources and lock, versions, built files).
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
    """Why a runtime can't be used here. `reason` starts with a one-line sentence; a log's tail may
    follow.

    `broken`: its tool is there, but its environment or build failed. That is a failure; a missing
    tool is a gap.
    """

    runtime: str
    reason: str
    help: str
    broken: bool = False


def places(runtime: Runtime, prepared: Prepared, cpus: int) -> dict[str, str]:
    """The placeholders of a runtime's programs, but for {workload} and {source}."""
    found = {
        **folders(runtime.toolchain.folder),
        "tool": str(prepared.tool),
        "runtime": str(runtime.folder),
        "cpus": str(cpus),
        **{name: str(path) for name, path in prepared.helpers.items()},
    }
    if prepared.environment is not None:
        found["env"] = str(prepared.environment)
    if prepared.build is not None:
        found["build"] = str(prepared.build)
    return found


def folders(language: Path, root: Path | None = None) -> dict[str, str]:
    """The placeholders that need no tool: {root}, {language}, {uv} and {multiarch}. A language's
    folder lies in the root.
    """
    root = root or language.parent
    return {
        "root": str(root),
        "language": str(language),
        "uv": str(uv(root)),
        "multiarch": multiarch(),
    }


def multiarch() -> str:
    """Debian's name of the folder that holds this architecture's libraries."""
    return f"{platform.machine()}-linux-gnu"


def homes(root: Path) -> list[Path]:
    """Where pinned tools may lie: .toolchain/ of the root, where new ones are put, or of the
    checkout whose .venv we run in.

    The second serves copies of a checkout, such as tests make: they needn't fetch and build
    everything again.
    """
    return list(dict.fromkeys([root / ".toolchain", Path(sys.prefix).parent / ".toolchain"]))


def uv(root: Path) -> Path:
    """The pinned uv that `make setup` puts in place, else one on PATH."""
    named = os.environ.get("COROBENCH_UV")
    own = [Path(named)] if named else [home / "uv/bin/uv" for home in homes(root)]
    on_path = [Path(folder) / "uv" for folder in os.get_exec_path()]
    for candidate in [*own, *on_path]:
        if os.access(candidate, os.X_OK):
            return candidate.absolute()
    raise RunFailed("uv is not in place; run `make setup`")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that is looked for.

    `name` is the language's (`go`), the pinned one's (`go-1.24`, `python-3.13-free-threaded`) or
    the helper's (`hyperfine`); `family` is the language or the helper. `file` says all this;
    `folder` is what its relative names start from. `builders` are the languages' tools by which the
    ways of `provision` build it. `env` is what the language asks its commands to be started with.
    """

    name: str
    family: str
    title: str
    version: str
    pinned: bool
    help: str
    find: Find
    provision: list[Provision]
    root: Path
    file: Path
    folder: Path
    builders: dict[str, Asked] = {}
    env: dict[str, str] = {}

    @property
    def variable(self) -> str:
        """The environment variable that names the tool."""
        return f"COROBENCH_TOOL_{re.sub('[^A-Z0-9]', '_', self.name.upper())}"

    @property
    def places(self) -> dict[str, str]:
        """The placeholders that need no tool."""
        return folders(self.folder, self.root)

    def fits(self, version: str) -> bool:
        """Whether a version is the pinned one (3.10 is any 3.10.x), or at least the minimum."""
        if self.pinned:
            return version == self.version or version.startswith(f"{self.version}.")
        return version_key(version) >= version_key(self.version)

    def unfit(self, version: str) -> str:
        """Why a version doesn't fit."""
        return f"{self.title} {version} is {'not' if self.pinned else 'older than'} {self.version}"


def of_language(suite: Suite, name: str) -> Asked:
    """A language's tool."""
    toolchain = suite.toolchains[name]
    return _asked(suite, toolchain, name, toolchain.folder / "toolchain.toml", toolchain.folder)


def of_runtime(suite: Suite, runtime: Runtime) -> Asked:
    """The tool that a runtime is made with: its language's, or the version or build that its
    manifest asks for.
    """
    toolchain, pin = runtime.toolchain, runtime.manifest.toolchain
    general = of_language(suite, toolchain.language)
    if pin is None:
        return general
    return msgspec.structs.replace(
        general,
        name="-".join(filter(None, [toolchain.language, pin.version, pin.build])),
        title=f"{pin.build} {general.title}".strip(),
        version=pin.version or general.version,
        pinned=bool(pin.version),
        help=advice(pin.install, pin.help),
        find=pin.find or general.find,
        provision=pin.provision,
        file=runtime.folder / "runtime.toml",
        builders=_builders(suite, pin.provision),
    )


def of_helper(suite: Suite, name: str) -> Asked:
    """A tool that is no language."""
    file = suite.root / f"runner/tools/{name}.toml"
    return _asked(suite, suite.helpers[name], name, file, file.parent)


def general(suite: Suite) -> list[Asked]:
    """The tools of all languages, and the helpers. What runtimes pin is looked for when they are
    made.
    """
    return [
        *(of_language(suite, name) for name in suite.toolchains),
        *(of_helper(suite, name) for name in suite.helpers),
    ]


def _asked(suite: Suite, spec: Helper | Toolchain, name: str, file: Path, folder: Path) -> Asked:
    return Asked(
        name=name,
        family=name,
        title=spec.title,
        version=spec.minimum,
        pinned=False,
        help=advice(spec.install, spec.help),
        find=spec.find,
        provision=spec.provision,
        root=suite.root,
        file=file,
        folder=folder,
        builders=_builders(suite, spec.provision),
        env=spec.env if isinstance(spec, Toolchain) else {},
    )


def _builders(suite: Suite, ways: list[Provision]) -> dict[str, Asked]:
    return {
        way.language: of_language(suite, way.language)
        for way in ways
        if way.language in suite.toolchains
    }
