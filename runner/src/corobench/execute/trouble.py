"""What a process did wrong, as a value that becomes a Failure."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from pathlib import Path

from corobench.execute.process import Outcome
from corobench.execute.room import gib
from corobench.toolspec import Exhausted

TIMING = "timing"  # the kind of what a busy box can spoil, though the program did all that it should

# The words of errno, in the C libraries of Linux. What a runtime says in its own words is known to its language (toolchain.toml).
_ERRNO = Exhausted(
    memory=["cannot allocate memory", "out of memory", "ENOMEM"],
    limit=["resource temporarily unavailable", "EAGAIN"],
)


class Trouble(Exception):
    """A process that gave no number: a fixed word for the kind, a sentence for the page."""

    def __init__(self, kind: str, reason: str, outcome: Outcome | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.outcome = outcome


def published(text: str, root: Path) -> str:
    """A text as a run may hold it: paths in it begin at the repository's `root`, so that none tells whose home it lies in."""
    return text.replace(f"{root}/", "")


def of(outcome: Outcome) -> Trouble | None:
    """What an ended process did wrong, seen from outside; None where nothing."""
    last = (outcome.stderr.strip().splitlines()[-1:] or ["nothing on stderr"])[0][:200]
    short = _short(outcome)
    # Go writes the stacks of all its goroutines when it is out of memory: gigabytes, which end it first.
    flooded = outcome.stopped is not None and outcome.stopped.kind == "too-much-output"
    if outcome.stopped and not (flooded and short):
        return Trouble(outcome.stopped.kind, outcome.stopped.reason, outcome)
    if outcome.exit_status and short:
        return short
    if outcome.exit_status:
        if outcome.oom_killed and outcome.exit_status == -signal.SIGKILL:
            return Trouble("memory-cap", "did not finish: the kernel ended it, as memory ran out", outcome)
        how = f"signal {-outcome.exit_status}" if outcome.exit_status < 0 else f"exit status {outcome.exit_status}"
        return Trouble("failed", f"{how}: {last}", outcome)
    return _left(outcome)


def _left(outcome: Outcome) -> Trouble | None:
    """What a program that has ended well has not ended, in its process group or in its session."""
    if outcome.survivors:
        return Trouble("left-processes", "it exited but left child processes running (now killed)", outcome)
    if outcome.left:
        left = f"it ended, but {outcome.left} processes of its session did not (they were ended)"
        return Trouble("left-processes", left, outcome)
    return None


def _short(outcome: Outcome) -> Trouble | None:
    """What a program says that it ran out of. A runtime may have a limit of its own below the cap, which its words then tell."""
    own = outcome.exhausted
    if told := _line_with([*own.limit, *_ERRNO.limit], outcome):
        return Trouble("limit", f"did not finish: a limit of the system or of the runtime ({told})", outcome)
    if told := _line_with([*own.memory, *_ERRNO.memory], outcome):
        mapped = f", of which it could map {gib(outcome.cap)}" if outcome.cap else ""
        return Trouble("memory-cap", f"did not finish: out of memory{mapped} ({told})", outcome)
    return None


def _line_with(texts: Iterable[str], outcome: Outcome) -> str | None:
    """The first line on stderr that holds one of these texts, in capitals or not."""
    wanted = [text.casefold() for text in texts]
    lines = (line.strip()[:200] for line in outcome.stderr.splitlines())
    return next((line for line in lines if any(text in line.casefold() for text in wanted)), None)
