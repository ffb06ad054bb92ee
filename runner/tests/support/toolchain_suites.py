"""Tiny made-up languages for the tests of toolchains: shell scripts that answer as tools do."""

from __future__ import annotations

import shutil
from pathlib import Path

from corobench.suite.load import load_suite
from corobench.suite.runtime import Suite

RUNNER = Path(__file__).resolve().parents[2]

TOOLCHAIN = """
title = "Fake"
minimum = "2.0"
help = "get a fake one"
[find]
candidates = ["{name}tool"]
probe = ["{{candidate}}", "version"]
pattern = 'version (?P<version>[0-9.]+)( rank (?P<rank>[0-9]+))?'
"""

RUNTIME = """
title = "{name}"
unit = "stackless task"
site = "https://example.org/"
[program]
source = "{{runtime}}/{{workload}}.fake"
command = ["{{build}}/program", "{{source}}"]
[build]
inputs = ["{{runtime}}/*.fake"]
commands = [["{{tool}}", "build", "{{runtime}}", "{{build}}"]]
[[variant]]
name = "{name}"
title = "{name}"
tracks = ["one-cpu"]
"""

# Counts its builds in the language's folder, and fails where a source says so.
TOOL = """#!/bin/sh
case $1 in
version) echo "fake version {version} rank {rank}" ;;
build)
    echo built >> "$2/../builds"
    cat "$2"/*.fake > "$3/program"
    if grep -q broken "$3/program"; then echo "$2/x.fake:1: it is broken" >&2; exit 4; fi ;;
esac
"""


def make_root(root: Path) -> Path:
    """A root with one real spec."""
    specs = root / "runner/workloads"
    specs.mkdir(parents=True)
    shutil.copy(RUNNER / "workloads/baseline.toml", specs)
    return root


def add_language(root: Path, name: str, more: str = "") -> Path:
    folder = root / name
    folder.mkdir()
    (folder / "toolchain.toml").write_text(TOOLCHAIN.format(name=name) + more)
    return folder


def add_runtime(language: Path, name: str, more: str = "", text: str | None = None) -> Path:
    folder = language / name
    folder.mkdir()
    (folder / "runtime.toml").write_text((text or RUNTIME).format(name=name) + more)
    (folder / "baseline.fake").write_text(f"program of {name}\n")
    return folder


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def add_tool(
    folder: Path, name: str, version: str = "2.5", rank: int = 0, text: str = TOOL
) -> Path:
    return script(
        folder / f"{name}tool", text.replace("{version}", version).replace("{rank}", str(rank))
    )


def suite(root: Path) -> Suite:
    return load_suite(root)
