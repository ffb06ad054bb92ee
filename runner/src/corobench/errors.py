"""Errors that a user can act on; the command line prints them as one line and exits with their
status. And what words from outside may hold before anybody sees them.
"""

from __future__ import annotations

import difflib
import re
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


# What terminals take for commands (ECMA-48): colours, titles, movements of the cursor.
_COMMANDS = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])?"
)
# Characters that can't be seen: controls but for tab and newline, marks of direction and width,
# separators that are no newline, tags (Unicode's Cc, Cf, Zl and Zp), letters that are blank, and
# halves of a pair, which no file can hold.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0"
    "\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001-\U000e007f]"
)


def plain(text: str) -> str:
    """A text from outside (a program's stderr, a manifest, a name) without what moves a cursor,
    turns the direction of writing or hides letters.
    """
    if text.isascii() and text.isprintable():
        return text
    lines = _COMMANDS.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _UNSEEN.sub("", lines)


def unseen(text: str) -> str | None:
    """The first character of a text that can't be seen; None where there is none."""
    found = None if text.isascii() and text.isprintable() else _UNSEEN.search(text)
    return found and found[0]
