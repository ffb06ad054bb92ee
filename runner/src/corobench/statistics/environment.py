"""What differs between two runs, told apart: what one compares, and what spoils the comparison.

Versions, commits, programs and their build flags are intended. Everything else about the box is confounding, also a fact
that this version does not know: to call it harmless would need an argument. Readings of a moment (load, free memory, clock
rates) are neither; each run carries its own contamination flags for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from corobench import store
from corobench.statistics.values import Difference

MOMENTARY = frozenset(
    {
        "load",
        "loadavg",
        "pressure",
        "mhz",
        "uptime",
        "boot",
        "available",
        "free",
        "used",
        "warnings",
        "time",
        "created",
        "temperature",
    }
)
PROGRAM = ("version", "language_version", "settings", "env", "arguments", "command", "facts", "hashes", "threads", "order")
INTENDED_BOX = frozenset({"toolchains", "toolchain", "tools", "versions", "commit"})


def differences(before: store.RunHeader, after: store.RunHeader) -> list[Difference]:
    """Every fact that differs, the confounding ones first."""
    found = [*_box(before, after), *_runner(before, after), *_programs(before, after)]
    return sorted(found, key=lambda one: (one.kind != "confounding", one.key))


def same_box(before: store.RunHeader, after: store.RunHeader) -> bool:
    """Whether both runs name the same box, and name one at all."""
    name = before.box.get("name")
    return bool(name) and name == after.box.get("name")


def program_changed(before: store.RunHeader, after: store.RunHeader, runtime: str) -> bool:
    """Whether a runtime's programs, versions or settings are others in the second run."""
    first, second = before.runtimes.get(runtime, {}), after.runtimes.get(runtime, {})
    return any(first.get(key) != second.get(key) for key in PROGRAM)


def _box(before: store.RunHeader, after: store.RunHeader) -> Iterator[Difference]:
    first, second = dict(_flat(before.box)), dict(_flat(after.box))
    for key in first.keys() | second.keys():
        parts = key.split(".")
        if first.get(key) != second.get(key) and not any(_momentary(part) for part in parts):
            intended = parts[0] in INTENDED_BOX
            yield _difference(f"box.{key}", first.get(key), second.get(key), intended)


def _momentary(part: str) -> bool:
    return not MOMENTARY.isdisjoint(part.lower().replace("-", "_").split("_"))


def _runner(before: store.RunHeader, after: store.RunHeader) -> Iterator[Difference]:
    for key in ("commit", "dirty", "corobench"):
        first, second = getattr(before, key), getattr(after, key)
        if first != second:
            yield _difference(key, first, second, intended=True)
    if before.plan.profile != after.plan.profile:
        yield _difference("profile", before.plan.profile, after.plan.profile, intended=True)


def _programs(before: store.RunHeader, after: store.RunHeader) -> Iterator[Difference]:
    for name in before.runtimes.keys() & after.runtimes.keys():
        for key in PROGRAM:
            first, second = before.runtimes[name].get(key), after.runtimes[name].get(key)
            if first != second:
                yield _difference(f"{name}.{key}", first, second, intended=True)


def _difference(key: str, before: object, after: object, intended: bool) -> Difference:
    return Difference(key=key, before=_text(before), after=_text(after), kind="intended" if intended else "confounding")


def _text(value: object) -> str:
    return "(absent)" if value is None else value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _flat(facts: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in facts.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
