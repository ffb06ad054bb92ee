"""Errors that a user can act on; the command line prints them as one line and exits with their
status.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """Bad input: the message names the file, the key or the case and what would be right."""

    exit_status = 2


class NothingSelected(UserError):
    """The filters are valid, but no case satisfies all of them."""

    exit_status = 4


class RunFailed(UserError):
    """Something that was asked for could not be done."""

    exit_status = 1


def unknown(kind: str, name: str, known: Iterable[str]) -> UserError:
    """The error for a name that doesn't exist, with the nearest one that does."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names) or 'none'}"
    return UserError(f"unknown {kind} {name!r}; {hint}")
