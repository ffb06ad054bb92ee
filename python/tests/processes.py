"""Starts the programs of every runtime as the runner does: source, flags and environment come from the manifests."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

LANGUAGE = Path(__file__).parents[1]
WORKLOADS = LANGUAGE.parent / "runner/workloads"
PATIENCE = 300.0  # seconds: a limit for failures, never a measure
Done = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Variant:
    """One entry of a manifest. `pinned`: to another interpreter, or to tools that only the runner knows; that is for verify."""

    name: str
    folder: Path
    sources: tuple[str, ...]
    env: Mapping[str, str]
    settings: Mapping[str, object]
    gaps: frozenset[str]
    workloads: frozenset[str]
    order: str
    library: str
    pinned: bool

    def program(self, workload: str) -> Path:
        """The first place that has it, as the runner looks for it; the last one where none has."""
        places = {"language": LANGUAGE, "runtime": self.folder, "workload": workload}
        *own, shared = (Path(source.format(**places)) for source in self.sources)
        return next((path for path in own if path.is_file()), shared)

    def concerns(self, workload: str) -> bool:
        """Not where the manifest says that the operation does not exist, or is another variant's."""
        return workload not in self.gaps and (not self.workloads or workload in self.workloads)

    def has(self, workload: str) -> bool:
        return self.concerns(workload) and self.program(workload).is_file()

    def skip_without(self, workload: str) -> None:
        if not self.concerns(workload):
            pytest.skip(f"{self.name} has a gap at {workload}")
        if group(workload) == "primitive" and not self.has(workload):
            pytest.skip(f"{self.name} takes no part in {workload}")

    @property
    def environment(self) -> dict[str, str]:
        places = {"language": str(LANGUAGE), "runtime": str(self.folder)}
        return {key: text.format(**places) for key, text in self.env.items()} | {"COROBENCH_RUNTIME": self.name}

    def python(self, arguments: Sequence[str], stdin: str = "") -> Done:
        return python(arguments, self.environment, stdin)

    def run(self, workload: str, *arguments: str, stdin: str = "") -> Done:
        self.skip_without(workload)
        return self.python([str(self.program(workload)), *arguments], stdin)

    @property
    def missing(self) -> bool:
        """Whether the library that the manifest takes its version from is not installed beside the tests."""
        if not self.library:
            return False
        found = find_spec(self.library)
        return found is None or found.origin is None  # a folder of ours that has the library's name is found, but is no module


def python(arguments: Sequence[str], env: Mapping[str, str], stdin: str = "") -> Done:
    return subprocess.run(
        [sys.executable, "-s", "-P", *arguments],
        env=env,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def lines(done: Done) -> list[dict[str, Any]]:
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


@cache
def group(workload: str) -> str:
    """Every runtime owes a program for those that are not told to be a primitive or a scenario."""
    return str(tomllib.loads((WORKLOADS / f"{workload}.toml").read_text()).get("group", "core"))


def variants() -> dict[str, Variant]:
    """All that the manifests of this language have, by name."""
    return {variant.name: variant for file in sorted(LANGUAGE.glob("*/runtime.toml")) for variant in _of(file)}


def with_program(workload: str) -> list[str]:
    """The variants that have a program for a workload; not those that run another's with another interpreter."""
    return [variant.name for variant in variants().values() if variant.has(workload) and not variant.pinned]


def one_of_each(workload: str) -> list[str]:
    """The first variant of each program."""
    found = variants()
    return list({found[name].program(workload): name for name in reversed(with_program(workload))}.values())


def _sources(source: str | list[str]) -> tuple[str, ...]:
    return (source,) if isinstance(source, str) else tuple(source)


def _of(file: Path) -> list[Variant]:
    manifest = tomllib.loads(file.read_text())
    return [
        Variant(
            name=one["name"],
            folder=file.parent,
            sources=_sources(manifest["program"]["source"]),
            env=one.get("env", {}),
            settings=one.get("settings", {}),
            gaps=frozenset(manifest.get("gaps", {})),
            workloads=frozenset(one.get("workloads", ())),
            order=one.get("order", "any"),
            pinned="toolchain" in manifest or "tools" in one,
            library=manifest.get("version_from", {}).get("pattern", "").partition("==")[0],
        )
        for one in manifest["variant"]
    ]
