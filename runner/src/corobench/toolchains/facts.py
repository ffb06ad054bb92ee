"""What a language wants recorded of itself, asked once for each recipe: some of these commands take a second."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from corobench.execute.tool import run_tool
from corobench.model import Runtime
from corobench.placeholders import fill
from corobench.toolchains.contents import hash_of
from corobench.toolchains.places import places
from corobench.toolchains.steps import command_env
from corobench.toolchains.values import Prepared, Tool
from corobench.tuning import tuning

LIMIT_S = 20.0


class _Kept(msgspec.Struct, frozen=True):
    key: str
    facts: dict[str, str]


def facts(runtime: Runtime, prepared: Prepared, tool: Tool, recipe: str) -> dict[str, str]:
    """The first line that each command of [facts] prints, and where the tool came from."""
    commands = _commands(runtime, prepared)
    words = [word for name, command in commands.items() for word in (name, *command)]
    key = hash_of(recipe, tool.version, *words, *(f"{name}={value}" for name, value in tuning(os.environ).items()))
    root = runtime.toolchain.folder.parent
    file = root / ".build" / runtime.toolchain.language / runtime.folder.name / "facts.json"
    kept = _read(file)
    if kept is None or kept.key != key:
        kept = _Kept(key, {name: _ask(command, runtime, prepared, tool) for name, command in commands.items()})
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(kept))
    unpacked = {"packages": ", ".join(tool.packages)} if tool.packages else {}
    return {"toolchain": tool.origin, **unpacked, **kept.facts}


def _commands(runtime: Runtime, prepared: Prepared) -> dict[str, list[str]]:
    where = f"{runtime.toolchain.folder}/toolchain.toml: facts"
    values = places(runtime, prepared, 1)
    return {name: [fill(word, values, f"{where}.{name}") for word in words] for name, words in runtime.toolchain.facts.items()}


def _ask(command: list[str], runtime: Runtime, prepared: Prepared, tool: Tool) -> str:
    completed = run_tool(command, runtime.folder, command_env(prepared.tool, tool.env | prepared.env), timeout_s=LIMIT_S)
    return completed.output.partition("\n")[0] if completed.ok else f"unknown: {completed.reason}"


def _read(file: Path) -> _Kept | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError):
        return None  # asked again
