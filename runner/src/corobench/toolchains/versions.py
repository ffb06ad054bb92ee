"""Compares version numbers numerically: 1.9 < 1.10, 3.14.0rc1 < 3.14 = 3.14.0."""

from __future__ import annotations

import re

Key = tuple[tuple[int, ...], bool, str]

_SHAPE = re.compile(r"\D*(?P<numbers>\d+(\.\d+)*)(?P<rest>.*)", re.DOTALL)
_EARLY = re.compile(r"[-._]?(a|b|c|rc|alpha|beta|dev|pre|nightly)", re.IGNORECASE)


def version_key(text: str) -> Key:
    """What versions are ordered by: the numbers without trailing zeros, then whether it is final. ValueError without a number."""
    match = _SHAPE.match(text)
    if match is None:
        raise ValueError(f"{text!r} is no version")
    numbers = [int(part) for part in match["numbers"].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    early = _EARLY.match(match["rest"]) is not None
    return tuple(numbers), not early, match["rest"] if early else ""
