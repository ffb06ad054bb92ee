"""Rust's crates are compiled once for all runtimes: the same versions, in the same target folder."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUST = ROOT / "rust"


def _series(version: str) -> str:
    """Versions of one series replace each other: 1.x, and 0.3.x."""
    major, minor, _ = version.split(".", 2)
    return major if major != "0" else f"0.{minor}"


def test_the_locks_agree_on_the_version_of_a_crate():
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for lock in sorted(RUST.glob("*/Cargo.lock")):
        for package in tomllib.loads(lock.read_text())["package"]:
            if "source" in package:  # else it is one of ours
                name, version = package["name"], package["version"]
                versions = found.setdefault((name, _series(version)), {})
                versions.setdefault(version, []).append(lock.parent.name)
    assert ("tokio", "1") in found
    assert {name: versions for name, versions in found.items() if len(versions) > 1} == {}


def test_the_load_generator_is_built_beside_the_programs():
    config = tomllib.loads((RUST / ".cargo/config.toml").read_text())
    ways = tomllib.loads((ROOT / "runner/tools/load.toml").read_text())["provision"]
    [command] = ways[0]["commands"]
    named = command[command.index("--target-dir") + 1].format(root=ROOT)
    assert (RUST / config["build"]["target-dir"]).resolve() == (ROOT / ".build/cargo").resolve()
    assert Path(named) == ROOT / ".build/cargo"
