"""What differs between the facts of two boxes, or of one box at two times. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

# Readings of a moment: each run carries its own contamination flags for them.
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


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[object, object]]:
    """Every fact that differs, under its dotted name, before and after (None: absent); readings of a moment aside."""
    first, second = dict(_flat(before)), dict(_flat(after))
    return {
        key: (first.get(key), second.get(key))
        for key in sorted(first.keys() | second.keys())
        if first.get(key) != second.get(key) and not any(_momentary(part) for part in key.split("."))
    }


def _momentary(part: str) -> bool:
    return not MOMENTARY.isdisjoint(part.lower().replace("-", "_").split("_"))


def _flat(facts: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in facts.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
