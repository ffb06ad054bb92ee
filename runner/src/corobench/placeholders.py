"""The placeholders of manifests ({tool}, {env} ...): one way to replace them everywhere, and to check them beforehand."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from corobench.errors import UserError

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_-]*)\}")


def fill(text: str, values: Mapping[str, str], where: str) -> str:
    """The text with its placeholders replaced; UserError, naming the place, for one that has no value there."""
    check(text, values, where)
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def check(text: str, known: Collection[str], where: str) -> None:
    """UserError, naming the place and what would be right, for a placeholder that has no value there."""
    for match in _PLACEHOLDER.finditer(text):
        if match[1] not in known:
            raise UserError(f"{where}: {match[0]} has no value here; known: {', '.join(sorted(known))}")
