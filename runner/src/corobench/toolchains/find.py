"""Finds a language's tool on this box: every candidate is asked for its version, the best that satisfies the minimum wins."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import msgspec

from corobench.errors import UserError, unknown
from corobench.execute.tool import in_parallel, run_tool
from corobench.model import Suite, Toolchain
from corobench.toolchains import provision
from corobench.toolchains.places import fill, folders
from corobench.toolchains.steps import StepFailed, command_env
from corobench.toolchains.values import MissingTool, Tool
from corobench.toolchains.versions import Key, version_key

PROBE_LIMIT_S = 5.0
HIDDEN = "COROBENCH_NO_SYSTEM"

Say = Callable[[str], None]


class _Found(msgspec.Struct, frozen=True):
    """An executable that answered its probe."""

    path: Path
    version: str
    rank: Key


def setup(
    root: Path, suite: Suite, say: Say, *, only: Collection[str] | None = None, fetch: bool = True
) -> dict[str, Tool | MissingTool]:
    """Each language's tool, found or provisioned under .toolchain/; languages in parallel, none stops the others.

    Without `fetch` nothing is provisioned, only what already was is found.

    UserError only for what the user said wrongly: a COROBENCH_TOOL_ variable that names no fit tool, an unknown hidden language.
    """
    hidden = _hidden(suite)

    def one(toolchain: Toolchain) -> Callable[[], Tool | MissingTool]:
        return lambda: _tool(root, toolchain, toolchain.language in hidden, fetch, say)

    wanted = {name: toolchain for name, toolchain in suite.toolchains.items() if only is None or name in only}
    return in_parallel({language: one(toolchain) for language, toolchain in wanted.items()})


def _tool(root: Path, toolchain: Toolchain, hidden: bool, fetch: bool, say: Say) -> Tool | MissingTool:
    if named := os.environ.get(variable(toolchain.language)):
        return _named(named, toolchain)
    try:
        found = [] if hidden else list(_answers(_candidates(toolchain), toolchain))
        if fit := [one for one in found if _fits(one, toolchain)]:
            best = max(fit, key=lambda one: (one.rank, version_key(one.version)))
            return Tool(language=toolchain.language, path=best.path, version=best.version, origin="system")
        reason = _why(found, toolchain, hidden)
        if toolchain.provision is None:
            return MissingTool(language=toolchain.language, reason=reason, help=toolchain.help)
        if not fetch and not provision.is_provisioned(root, toolchain):
            return MissingTool(language=toolchain.language, reason=reason, help="make setup")
        return _provisioned(root, toolchain, reason, say)
    except (UserError, OSError) as error:
        return MissingTool(language=toolchain.language, reason=str(error), help=toolchain.help)


def variable(language: str) -> str:
    """The environment variable that names a language's tool."""
    return f"COROBENCH_TOOL_{re.sub('[^A-Z0-9]', '_', language.upper())}"


def _named(named: str, toolchain: Toolchain) -> Tool:
    """The tool that the user named: it is used or refused, never silently replaced."""
    where = f"{variable(toolchain.language)}={named}"
    path = shutil.which(Path(named).expanduser())
    if path is None:
        raise UserError(f"{where}: no such executable")
    found = next(_answers([Path(path)], toolchain), None)
    if found is None:
        raise UserError(f"{where}: does not answer as {toolchain.title} does")
    if not _fits(found, toolchain):
        raise UserError(f"{where}: version {found.version} is older than {toolchain.minimum}")
    return Tool(language=toolchain.language, path=found.path, version=found.version, origin="named")


def _provisioned(root: Path, toolchain: Toolchain, reason: str, say: Say) -> Tool | MissingTool:
    try:
        path = provision.provision(root, toolchain, reason, say)
    except StepFailed as error:
        return MissingTool(language=toolchain.language, reason=f"{reason}; provisioning: {error}", help=toolchain.help)
    found = next(_answers([path], toolchain), None)
    if found is None or not _fits(found, toolchain):
        what = "does not answer its probe" if found is None else f"is {found.version}, older than {toolchain.minimum}"
        return MissingTool(language=toolchain.language, reason=f"{reason}, and the provisioned one {what}", help=toolchain.help)
    return Tool(language=toolchain.language, path=found.path, version=found.version, origin="provisioned")


def _candidates(toolchain: Toolchain) -> Iterator[Path]:
    """Every executable that the manifest names, on all of PATH and by glob, each once."""
    seen: set[tuple[Path, str]] = set()
    for candidate in toolchain.find.candidates:
        pattern = Path(candidate).expanduser()
        if pattern.is_absolute():
            paths = sorted(Path("/").glob(str(pattern.relative_to("/"))))
        else:
            paths = [Path(folder) / candidate for folder in os.get_exec_path()]
        for path in paths:
            # By its name too: one executable may act as several tools (rustup as cargo).
            if (key := (path.resolve(), path.name)) not in seen and path.is_file() and os.access(path, os.X_OK):
                seen.add(key)
                yield path


def _answers(paths: Iterator[Path] | list[Path], toolchain: Toolchain) -> Iterator[_Found]:
    """Those that answer the probe. Asked in the root folder, where no go.mod or rust-toolchain file picks another version."""
    where = f"{toolchain.folder}/toolchain.toml: find.probe"
    for path in paths:
        values = {**folders(toolchain.folder), "candidate": str(path)}
        command = [fill(word, values, where) for word in toolchain.find.probe]
        completed = run_tool(command, Path("/"), command_env(path, {}), timeout_s=PROBE_LIMIT_S)
        match = re.search(toolchain.find.pattern, completed.output) if completed.ok else None
        if match is None:
            continue
        groups = match.groupdict()
        rank = version_key(groups["rank"]) if groups.get("rank") else version_key("0")
        yield _Found(Path(groups.get("path") or path), groups["version"].rstrip("."), rank)


def _fits(found: _Found, toolchain: Toolchain) -> bool:
    return version_key(found.version) >= version_key(toolchain.minimum)


def _why(found: list[_Found], toolchain: Toolchain, hidden: bool) -> str:
    if hidden:
        return f"the system's {toolchain.title} is hidden by {HIDDEN}"
    if not found:
        return f"{toolchain.title} is not installed"
    newest = max(found, key=lambda one: version_key(one.version))
    return f"{toolchain.title} {newest.version} is older than {toolchain.minimum}"


def _hidden(suite: Suite) -> set[str]:
    names = {name for name in os.environ.get(HIDDEN, "").split(",") if name}
    for name in sorted(names - set(suite.toolchains)):
        raise unknown(f"language in {HIDDEN}", name, suite.toolchains)
    return names
