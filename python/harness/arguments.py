"""The command line of a program: key=value, each known, given once and within its bounds; anything else is status 2."""

import sys
from collections.abc import Sequence
from typing import NoReturn


def usage(message: str) -> NoReturn:
    """Refuses the command line: status 2."""
    print(f"usage: {message}", file=sys.stderr)
    sys.exit(2)


def pairs(arguments: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Arguments of the form key=value as a dictionary, each known and given once."""
    given: dict[str, str] = {}
    for argument in arguments:
        key, sign, value = argument.partition("=")
        if not sign:
            usage(f"{argument!r} is not key=value")
        if key not in known:
            usage(f"unknown key {key}; known: {', '.join(known)}")
        if key in given:
            usage(f"{key} is given twice")
        given[key] = value
    return given


def integer(key: str, text: str, least: int, most: int | None = None) -> int:
    """A decimal integer within bounds, or a usage error."""
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1
    if value < least or (most is not None and value > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        usage(f"{key}={text} must be an integer {bounds}")
    return value


def choice(key: str, text: str, choices: Sequence[str]) -> str:
    """One of the words that a parameter can be, or a usage error."""
    if text not in choices:
        usage(f"{key}={text} must be one of {', '.join(choices)}")
    return text
