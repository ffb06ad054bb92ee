"""Which cases of a run are measured no more: those that were refused, and those that never gave a number.

A program that hangs must not cost its time-out in every block. Who checks a run must know it too: such a case has no line in
the blocks that came after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from corobench.store import Failure, Invocation, Line

GIVE_UP_AFTER = 2  # failures of a case that never succeeded


def given_up(lines: Iterable[Line]) -> set[str]:
    """The keys of the cases that are not measured again after these lines."""
    measured = [line for line in lines if isinstance(line, Invocation | Failure)]
    failed = [line for line in measured if isinstance(line, Failure)]
    succeeded = {line.case for line in measured if isinstance(line, Invocation)}
    often = {case for case, count in Counter(line.case for line in failed).items() if count >= GIVE_UP_AFTER}
    return {line.case for line in failed if line.kind == "verify"} | (often - succeeded)
