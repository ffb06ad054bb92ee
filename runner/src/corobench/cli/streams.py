"""The three standard streams, whatever the caller made of them: closed, a pipe that nobody reads,
an encoding without µ.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import select
import sys

CLOSED_PIPE = 141  # what a shell says of a program that SIGPIPE has ended
_PLAINLY = "corobench-plainly"
_ASCII = {
    "\N{MICRO SIGN}": "u",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{MIDDLE DOT}": "|",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{PLUS-MINUS SIGN}": "+-",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
}


def _plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    """What a terminal can't show, in other letters; bytes of a file's name that are no text stay as
    they are.
    """
    assert isinstance(error, UnicodeEncodeError)
    letter = error.object[error.start]
    if "\udc80" <= letter <= "\udcff":
        return bytes([ord(letter) - 0xDC00]), error.start + 1
    return _ASCII.get(letter, "?"), error.start + 1


def prepare() -> None:
    """Makes them safe to use. A closed one leads nowhere, so that no file that is opened later
    takes its number.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  for the life of the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    codecs.register_error(_PLAINLY, _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_PLAINLY)


def is_unread() -> bool:
    """Whether stdout is a pipe whose reader has gone."""
    poll = select.poll()
    poll.register(1, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def leave() -> None:
    """What can't be written any more goes nowhere: the interpreter would tell of it when it
    ends.
    """
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), number)
