"""What the placeholders of manifests ({tool}, {env} ...) stand for on this box."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from corobench.errors import RunFailed
from corobench.model import Runtime
from corobench.toolchains.values import Prepared


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
    """The placeholders that need no tool: {root}, {language}, {uv} and {multiarch}. A language's folder lies in the root."""
    root = root or language.parent
    return {"root": str(root), "language": str(language), "uv": str(uv(root)), "multiarch": multiarch()}


def multiarch() -> str:
    """Debian's name of the folder that holds this architecture's libraries."""
    return f"{platform.machine()}-linux-gnu"


def homes(root: Path) -> list[Path]:
    """Where pinned tools may lie: .toolchain/ of the root, where new ones are put, or of the checkout whose .venv we run in.

    The second serves copies of a checkout, such as tests make: they needn't fetch and build everything again.
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
