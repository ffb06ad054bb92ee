"""Executes a plan block by block: measure, append, decide at the looks whether to go on. Interruptions lose nothing.

What it does not know: statistics. The decision to stop is a function that it is given, asked only between blocks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from typing import Any, Protocol

import msgspec

from corobench.case import parse_case
from corobench.execute import controls
from corobench.execute.measure import Place, measure
from corobench.execute.program import Program, track_cpus
from corobench.givenup import given_up
from corobench.plan import Plan, Profile, block_order
from corobench.store import Control, Failure, Invocation, Line, Log, Mark

CROSS_SHARE = 0.05  # of a run's time: what native cross-checks may take, after the first of each


class Decision(Protocol):
    """Whether a run goes on after a look, and why; `values` is stored with it."""

    @property
    def stop(self) -> bool: ...
    @property
    def reason(self) -> str: ...
    @property
    def values(self) -> dict[str, Any]: ...


Decide = Callable[[list[Line], int], Decision]


class Progress(Protocol):
    """Told between programs, never while one is measured."""

    def case(self, key: str, block: int, done: int, total: int, seconds_left: float) -> None: ...
    def failed(self, failure: Failure) -> None: ...
    def looked(self, decision: Decision, blocks: int) -> None: ...
    def too_short(self, fitting: int, needed: int, needed_s: float) -> None: ...


class Session(msgspec.Struct, kw_only=True):
    """A run in progress: what is measured, where it is written, who decides and who is told.

    `spent_s`: what an earlier part of the run has used of the budget.
    """

    plan: Plan
    profile: Profile
    budget_s: float
    programs: Mapping[tuple[str, str], Program]
    log: Log
    lines: list[Line]
    decide: Decide
    progress: Progress
    spent_s: float = 0.0
    _used_s: float = 0.0
    _crossed_s: float = 0.0

    @property
    def complete(self) -> int:
        """The blocks that are done."""
        return sum(line.event == "block-complete" for line in self.lines if isinstance(line, Mark))

    def block(self, block: int) -> None:
        """Measures what is left of a block; what it takes counts against the budget."""
        started = time.monotonic()
        try:
            self._block(block, lambda: self._left() - (time.monotonic() - started))
        finally:
            self._used_s += time.monotonic() - started
        self.mark("block-complete", block=block)

    def precise(self, blocks: int) -> str | None:
        """Why to stop after so many blocks, if it is a look and the numbers are precise enough."""
        if blocks not in self.profile.looks:
            return None
        decision = self.look(blocks)
        return decision.reason if decision.stop else None

    def look(self, blocks: int) -> Decision:
        """How precise the numbers are, and what the others are predicted to need: written down, whatever it leads to."""
        decision = self.decide(self.lines, blocks)
        self.progress.looked(decision, blocks)
        self.mark("look", block=blocks - 1, reason=decision.reason, values=decision.values)
        return decision

    def exhausted(self, blocks: int) -> str | None:
        """Why no further block can be measured, if that is so."""
        if blocks == self.profile.looks[-1]:
            return f"all {blocks} blocks of the profile are done"
        if self._left() < self.block_s(blocks):
            return f"another block would exceed the time budget of {self.budget_s:.0f} s"
        return None

    def block_s(self, blocks: int) -> float:
        """Seconds that a block has taken so far."""
        return (self.budget_s - self._left()) / blocks

    def _left(self) -> float:
        return self.budget_s - self.spent_s - self._used_s

    def _block(self, block: int, left: Callable[[], float]) -> None:
        order = block_order(self.plan, block)
        done = {line.case for line in self.lines if isinstance(line, Invocation | Failure) and line.block == block}
        left_out = given_up(self.lines)
        self._controls(block)
        for position, key in enumerate(order):
            if key in done or key in left_out:
                continue
            self.progress.case(key, block, position, len(order), left())
            case = parse_case(key)
            point = self.plan.points[f"{case.workload}/{case.point}"]
            program = self.programs[case.runtime, case.workload]
            line = measure(program, point, track_cpus(case.track), Place(case=key, block=block, position=position))
            self.append(line)
            if isinstance(line, Failure):
                self.progress.failed(line)

    def _controls(self, block: int) -> None:
        taken = {
            (line.name, line.values.get("runtime", ""))
            for line in self.lines
            if isinstance(line, Control) and line.block == block
        }
        cross = self.profile.claims and self._crossed_s <= CROSS_SHARE * self._used_s
        for check in controls.due(block, self.programs, cross=cross):
            if (check.name, check.runtime) not in taken:
                self._take(check, block)

    def _take(self, check: controls.Check, block: int) -> None:
        started = time.monotonic()
        for values in check.take():
            self.append(Control(name=check.name, block=block, values={"runtime": check.runtime, **values}))
        if check.name == controls.CROSSCHECK:
            self._crossed_s += time.monotonic() - started

    def append(self, line: Line) -> None:
        """Writes a line to the disk, then keeps it."""
        self.log.append(line)
        self.lines.append(line)

    def mark(self, event: str, block: int | None = None, reason: str = "", values: dict[str, Any] | None = None) -> None:
        """Writes down that something happened to the run itself."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.append(Mark(event=event, at=at, block=block, reason=reason, values=values or {}))


def execute(sessions: Sequence[Session]) -> str:
    """Measures block by block until precise enough, out of budget or out of looks; returns the reason.

    Several sessions take turns, a block each, so that their runs can be compared block by block: they stop together.
    An interrupt passes through, marked in each.
    """
    try:
        return _in_turns(sessions)
    except KeyboardInterrupt:
        for session in sessions:
            session.mark("interrupted", reason="interrupted by the user")
        raise


def _in_turns(sessions: Sequence[Session]) -> str:
    begun = min(session.complete for session in sessions)
    for block in count(max(0, begun - 1)):  # a run that goes on may have had enough when it was interrupted
        for session in sessions:
            if session.complete <= block:
                session.block(block)
        if block == begun:
            _foresee(sessions, block + 1)
        precise = [session.precise(block + 1) for session in sessions]
        exhausted = [reason for session in sessions if (reason := session.exhausted(block + 1))]
        reason = precise[0] if all(precise) else next(iter(exhausted), None)
        if reason:
            for session in sessions:
                if session.profile.claims and block + 1 not in session.profile.looks:
                    session.look(block + 1)  # no decision any more, but what would have been needed stands in the run
                session.mark("finished", block=block, reason=reason, values={"precise": all(precise)})
            return reason
    raise AssertionError("the last look always decides")


def _foresee(sessions: Sequence[Session], blocks: int) -> None:
    """Says so early where the budget will end before the first look at precision."""
    needed = sessions[0].profile.looks[0]
    block_s = sum(session.block_s(blocks) for session in sessions)
    budget_s = sum(session.budget_s for session in sessions)
    if needed * block_s > budget_s:
        sessions[0].progress.too_short(int(budget_s / block_s), needed, needed * block_s)


def spent(lines: list[Line]) -> float:
    """Seconds that the invocations of an earlier part of a run took."""
    return sum(_wall(line) for line in lines) / 1e9


def _wall(line: Line) -> int:
    match line:
        case Invocation():
            return line.witness.wall_ns
        case Failure():
            return line.wall_ns
        case Control() | Mark():
            return 0
