"""Runs mypy over every folder of programs by itself, since programs have the same names in each. No list: the folders say it.

Not over what runs on a Python older than the one that types are checked for: its language is another.
"""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

LANGUAGE = Path(__file__).resolve().parents[1]
SETTINGS = LANGUAGE / "pyproject.toml"
SHARED = ("harness", "tests")


def main() -> int:
    """The exit status: 1 where something is wrong in any of them."""
    ended = [mypy([str(LANGUAGE / name) for name in SHARED]), mypy([str(LANGUAGE / "probe.py")])]
    ended += [mypy([*version, str(folder)], adapter(folder)) for folder, version in folders()]
    return 1 if any(ended) else 0


def mypy(words: Sequence[str], path: Path | None = None) -> int:
    """Its exit status; modules are looked for in `path` before those of the settings."""
    command = [sys.executable, "-m", "mypy", "--config-file", str(SETTINGS), *words]
    # Not from the language's folder: there, gevent would be the folder of that name and not the library.
    env = os.environ | {"MYPYPATH": str(path or "")}
    return subprocess.run(command, cwd=LANGUAGE / "harness", env=env, check=False).returncode


def adapter(folder: Path) -> Path:
    """Where a runtime's programs find words of its own, if it has some; other runtimes' may have the same names."""
    return folder if folder.name == "adapter" else folder / "adapter"


def folders() -> Iterator[tuple[Path, list[str]]]:
    """Every folder with modules of its own (of runtimes, their adapters, what several share), and the options for its Python."""
    usual = tomllib.loads(SETTINGS.read_text())["tool"]["mypy"]["python_version"]
    for folder in sorted({file.parent for pattern in ("*/*.py", "*/adapter/*.py") for file in LANGUAGE.glob(pattern)}):
        runtime = folder.parent if folder.name == "adapter" else folder
        version = pinned(runtime / "runtime.toml") or usual
        if runtime.name not in SHARED and key(version) >= key(usual):
            yield folder, ["--python-version", version]


def pinned(manifest: Path) -> str | None:
    """The version of Python that a runtime asks for, and no other."""
    found = tomllib.loads(manifest.read_text()) if manifest.is_file() else {}
    version = found.get("toolchain", {}).get("version")
    return None if version is None else str(version)


def key(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


if __name__ == "__main__":
    sys.exit(main())
