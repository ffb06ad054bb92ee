"""What a process did wrong, as a value that becomes a Failure."""

from __future__ import annotations

import re

from corobench.execute.process import Outcome

TIMING = "timing"  # the kind of what a busy box can spoil, though the program did all that it should

_OUT_OF_MEMORY = re.compile(
    r"out of memory|MemoryError|cannot allocate|ENOMEM|memory allocation of|bad_alloc|can't start new thread", re.IGNORECASE
)


class Trouble(Exception):
    """A process that gave no number: a fixed word for the kind, a sentence for the page."""

    def __init__(self, kind: str, reason: str, outcome: Outcome | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.outcome = outcome


def of(outcome: Outcome) -> Trouble | None:
    """What an ended process did wrong, seen from outside; None where nothing."""
    last = (outcome.stderr.strip().splitlines()[-1:] or ["nothing on stderr"])[0][:200]
    told = next((line.strip()[:200] for line in outcome.stderr.splitlines() if _OUT_OF_MEMORY.search(line)), None)
    # Go writes the stacks of all its goroutines when it is out of memory: gigabytes, which end it first.
    flooded = outcome.stopped is not None and outcome.stopped.kind == "too-much-output"
    if outcome.stopped and not (flooded and told):
        return Trouble(outcome.stopped.kind, outcome.stopped.reason, outcome)
    if outcome.exit_status and told:
        return Trouble("memory-cap", f"did not finish: out of memory under the cap ({told})", outcome)
    if outcome.exit_status:
        how = f"signal {-outcome.exit_status}" if outcome.exit_status < 0 else f"exit status {outcome.exit_status}"
        return Trouble("failed", f"{how}: {last}", outcome)
    if outcome.survivors:
        return Trouble("left-processes", "it ended, but left processes behind (they were ended)", outcome)
    return None
