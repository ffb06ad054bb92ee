"""The placeholders of manifests ({tool}, {env} ...): one way to replace them everywhere, and to check them beforehand."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from corobench.errors import UserError

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_-]*)\}")
_WORDS = {
    "tool": "the language's tool",
    "root": "checkout",
    "language": "the language's folder",
    "runtime": "the runtime's folder",
    "env": "its environment",
    "build": "its build folder",
    "source": "the program's source",
    "cpus": "number of CPUs of the track",
    "multiarch": "architecture",
}


def fill(text: str, values: Mapping[str, str], where: str) -> str:
    """The text with its placeholders replaced; UserError, naming the place, for one that has no value there."""
    check(text, values, where)
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def in_words(text: str) -> str:
    """The text for readers: `<its build folder>/<workload>`. One that has no other words, as a tool, is told by its name."""
    return _PLACEHOLDER.sub(lambda match: f"<{_WORDS.get(match[1], match[1])}>", text)


def check(text: str, known: Collection[str], where: str) -> None:
    """UserError, naming the place and what would be right, for a placeholder that has no value there."""
    for match in _PLACEHOLDER.finditer(text):
        if match[1] not in known:
            raise UserError(f"{where}: {match[0]} has no value here; known: {', '.join(sorted(known))}")
