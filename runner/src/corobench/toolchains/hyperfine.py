"""Finds hyperfine, which measures start-up, or builds the pinned version from its crate."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from corobench.errors import RunFailed, UserError
from corobench.execute.tool import run_tool
from corobench.toolchains.find import PROBE_LIMIT_S, Say
from corobench.toolchains.lock import locked
from corobench.toolchains.places import homes
from corobench.toolchains.steps import Step, StepFailed, command_env, is_finished, kept, make
from corobench.toolchains.values import Missing
from corobench.toolchains.versions import version_key

MINIMUM = "1.18"
VERSION = "1.20.0"
NAMED = "COROBENCH_TOOL_HYPERFINE"
_NAME = f"hyperfine-{VERSION}"
_HELP = f"cargo install hyperfine --version {VERSION} --locked, or a system package of at least {MINIMUM}"


def hyperfine(root: Path, say: Say, cargo: Path | None = None, *, fetch: bool = True) -> Path | Missing:
    """hyperfine's path. `cargo` builds it where the system has none; None: the one on PATH. Without `fetch` it isn't built."""
    if named := os.environ.get(NAMED):
        return _named(named)
    system = shutil.which("hyperfine")
    if system is not None and _fits(Path(system)):
        return Path(system)
    if pinned := kept(homes(root), _NAME):
        return pinned / "bin/hyperfine"
    if not fetch:
        return Missing(runtime="hyperfine", reason=f"no hyperfine of at least {MINIMUM}", help="make setup")
    try:
        return _built(root, say, cargo)
    except (StepFailed, RunFailed, OSError) as error:
        return Missing(runtime="hyperfine", reason=str(error), help=_HELP)


def _named(named: str) -> Path:
    path = shutil.which(Path(named).expanduser())
    if path is None or not _fits(Path(path)):
        raise UserError(f"{NAMED}={named}: no hyperfine of at least {MINIMUM}")
    return Path(path)


def _fits(path: Path) -> bool:
    completed = run_tool([path, "--version"], Path("/"), command_env(None, {}), timeout_s=PROBE_LIMIT_S)
    match = re.search(r"hyperfine (\d[\d.]*)", completed.output) if completed.ok else None
    return match is not None and version_key(match[1]) >= version_key(MINIMUM)


def _built(root: Path, say: Say, cargo: Path | None) -> Path:
    folder = root / ".toolchain" / _NAME
    with locked(root / ".toolchain/hyperfine.lock", lambda who: say(f"hyperfine: waiting for {who}")):
        if not is_finished(folder):  # another process may have made it meanwhile
            tool = cargo or (Path(found) if (found := shutil.which("cargo")) else None)
            if tool is None:
                raise StepFailed(f"no hyperfine of at least {MINIMUM}, and no cargo to build it with")
            say(f"hyperfine: building {VERSION} from its crate (a minute or two, once)")
            make(_step(root, folder, tool))
            shutil.rmtree(_target(root), ignore_errors=True)
    return folder / "bin/hyperfine"


def _step(root: Path, folder: Path, cargo: Path) -> Step:
    install = [str(cargo), "install", "hyperfine", "--version", VERSION, "--locked", "--no-track"]
    return Step(
        folder=folder,
        commands=[[*install, "--root", str(folder), "--target-dir", str(_target(root))]],
        cwd=root,
        env=command_env(cargo, {}),
        log=root / ".toolchain/hyperfine.log",
    )


def _target(root: Path) -> Path:
    return root / ".toolchain/hyperfine-target"
