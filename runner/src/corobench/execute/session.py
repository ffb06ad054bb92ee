"""A run in progress: blocks, families, looks, and the account of its time.

It knows no statistics: the decision to stop is a function that it is given, asked only between
blocks.

Several runs take turns within each block, a family each, so that their numbers can be compared
block by block: what is paired lies seconds apart, and which of them goes first is drawn, so that
what a turn leaves behind (a warm cache, a busy minute) hits all alike. Interruptions lose nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count, zip_longest
from typing import Any, Protocol

import msgspec

from corobench.execute import controls, forecast
from corobench.execute.forecast import Forecast
from corobench.execute.invocation import Place, measure
from corobench.execute.program import Program, track_cpus
from corobench.plan import CROSS_ROUNDS, CROSS_SHARE, Plan, Profile, block_families, first_to_go
from corobench.results.log import (
    CROSSCHECK,
    Control,
    Failure,
    Invocation,
    Line,
    Log,
    Mark,
    complete,
    given_up,
)
from corobench.suite.workload import parse_case


class Decision(Protocol):
    """Whether a run goes on after a look, and why; `values` is stored with it."""

    @property
    def stop(self) -> bool: ...
    @property
    def reason(self) -> str: ...
    @property
    def values(self) -> dict[str, Any]: ...


Decide = Callable[[list[Line], int], Decision]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What is started next, and how far the run has come.

    `what`: a case's key, or the name of a control. `blocks`: how many are expected, which may
    become more in a run with claims. `share`: of the time that the run should take in all.
    `left_s`: what is left of that.
    """

    what: str
    block: int
    blocks: int
    share: float
    left_s: float


class Progress(Protocol):
    """Told between programs, never while one is measured."""

    def step(self, step: Step) -> None: ...
    def failed(self, failure: Failure) -> None: ...
    def looked(self, decision: Decision, blocks: int) -> None: ...
    def too_short(self, fitting: int, needed: int, needed_s: float) -> None: ...


class Session(msgspec.Struct, kw_only=True):
    """What is measured, where it is written, who decides and who is told.

    `spent_s`: what an earlier part of the run has used of the budget. `sides`: how many runs take
    turns with this one, itself included: what is left is told of all of them.
    """

    plan: Plan
    profile: Profile
    budget_s: float
    programs: Mapping[tuple[str, str], Program]
    log: Log
    lines: list[Line]
    decide: Decide
    progress: Progress
    forecast: Forecast
    sides: int = 1
    spent_s: float = 0.0
    _used_s: float = 0.0

    @property
    def complete(self) -> int:
        """The blocks that are done."""
        return complete(self.lines)

    @property
    def used_s(self) -> float:
        """What the run has used of its budget, earlier parts included."""
        return self.spent_s + self._used_s

    @contextmanager
    def counted(self) -> Iterator[None]:
        """What happens meanwhile counts against the budget."""
        started = time.monotonic()
        try:
            yield
        finally:
            self._used_s += time.monotonic() - started

    def families(self, block: int) -> list[list[tuple[int, str]]]:
        """The cases of a block by family, each with its position in the block."""
        position = count()
        return [
            [(next(position), key) for key in family] for family in block_families(self.plan, block)
        ]

    def measure(self, cases: list[tuple[int, str]], block: int) -> None:
        """Measures what is left of these cases of a block."""
        rest = self._rest(block)
        for position, key in cases:
            if key in rest:
                self._step(key, block, rest)
                before_s = self.used_s
                with self.counted():
                    self._case(Place(case=key, block=block, position=position))
                self.forecast.took(key, self.used_s - before_s)
                del rest[key]

    def _rest(self, block: int) -> dict[str, None]:
        """What is still to be measured of a block."""
        done = {
            line.case
            for line in self.lines
            if isinstance(line, Invocation | Failure) and line.block == block
        }
        without = given_up(self.lines)
        self.forecast.gave_up(without)
        return dict.fromkeys(key for key in self.plan.cases if key not in without | done)

    def _step(self, what: str, block: int, rest: Iterable[str]) -> None:
        blocks, left_s = self.forecast.left(block, rest, self._left())
        share = self.used_s / (self.used_s + left_s) if left_s else 1.0
        self.progress.step(
            Step(what=what, block=block, blocks=blocks, share=share, left_s=self.sides * left_s)
        )

    def _case(self, place: Place) -> None:
        case = parse_case(place.case)
        point = self.plan.points[f"{case.workload}/{case.point}"]
        line = measure(
            self.programs[case.runtime, case.workload], point, track_cpus(case.track), place
        )
        self.append(line)
        if isinstance(line, Failure):
            self.progress.failed(line)

    def check(self, block: int) -> None:
        """Takes the controls of a block that are due and not taken yet."""
        of_block = [
            line for line in self.lines if isinstance(line, Control) and line.block == block
        ]
        taken = {(line.name, line.values.get("runtime", "")) for line in of_block}
        rest = self._rest(block)
        for check in controls.due(block, self.programs, cross=self._is_cross_due(block)):
            if (check.name, check.runtime) not in taken:
                self._step(forecast.control_key(check.name, check.runtime), block, rest)
                with self.counted():
                    self._take(check, block)

    def _is_cross_due(self, block: int) -> bool:
        """Where the run makes claims, and what a round took fits into what is left beside the
        blocks until the first look, which claims need more than a second round; nobody knows what
        the first takes.
        """
        rounds = self._rounds(block)
        if not self.profile.claims or not rounds:
            return self.profile.claims
        crossed_s = sum(rounds.values())
        ahead = max(1, self.profile.looks[0] - block)
        if self._left() < ahead * self.block_s(block) + crossed_s / len(rounds):
            return False
        return len(rounds) < CROSS_ROUNDS or crossed_s <= CROSS_SHARE * self.used_s

    def _rounds(self, before: int) -> dict[int, float]:
        """Seconds that each round of cross-checks took, by block."""
        rounds: dict[int, float] = {}
        for line in self.lines:
            if (
                isinstance(line, Control)
                and line.name == CROSSCHECK
                and line.block is not None
                and line.block < before
            ):
                rounds[line.block] = rounds.get(line.block, 0.0) + line.wall_ns / 1e9
        return rounds

    def _take(self, check: controls.Check, block: int) -> None:
        started = time.monotonic()
        found = list(check.take())
        wall_ns = round(1e9 * (time.monotonic() - started))
        for place, values in enumerate(found):
            told = {"runtime": check.runtime, **values}
            self.append(
                Control(name=check.name, block=block, values=told, wall_ns=0 if place else wall_ns)
            )

    def precise(self, blocks: int) -> str | None:
        """Why to stop after so many blocks, if it is a look and the numbers are precise enough."""
        if blocks not in self.profile.looks:
            return None
        decision = self.look(blocks)
        return decision.reason if decision.stop else None

    def look(self, blocks: int) -> Decision:
        """How precise the numbers are, and what the others are predicted to need: written down,
        whatever it leads to.
        """
        with self.counted():
            decision = self.decide(self.lines, blocks)
        self.forecast.looked(decision.values, blocks)
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
        """Seconds that a block has taken so far, without the cross-checks, which wait where there
        is no room for them.
        """
        return (self.used_s - sum(self._rounds(blocks).values())) / blocks

    def _left(self) -> float:
        return self.budget_s - self.used_s

    def append(self, line: Line) -> None:
        """Writes a line to the disk, then keeps it."""
        self.log.append(line)
        self.lines.append(line)

    def mark(
        self,
        event: str,
        block: int | None = None,
        reason: str = "",
        values: dict[str, Any] | None = None,
    ) -> None:
        """Writes down that something happened to the run itself, and what it has used by then."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        told = {"used_s": round(self.used_s, 3), **(values or {})}
        self.append(Mark(event=event, at=at, block=block, reason=reason, values=told))


def execute(sessions: Sequence[Session]) -> str:
    """Measures until precise enough, out of budget or out of looks; returns the reason. Several
    sessions stop together.

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
    # a run that goes on may have had enough when it was interrupted
    for block in count(max(0, begun - 1)):
        _measure([session for session in sessions if session.complete <= block], block)
        if block == begun:
            _foresee(sessions, block + 1)
        precise = [session.precise(block + 1) for session in sessions]
        exhausted = [reason for session in sessions if (reason := session.exhausted(block + 1))]
        reason = precise[0] if all(precise) else next(iter(exhausted), None)
        if reason:
            for session in sessions:
                if session.profile.claims and block + 1 not in session.profile.looks:
                    # no decision any more, but what would have been needed stands in the run
                    session.look(block + 1)
                session.mark(
                    "finished", block=block, reason=reason, values={"precise": all(precise)}
                )
            return reason
    raise AssertionError("the last look always decides")


def _measure(sessions: Sequence[Session], block: int) -> None:
    """A block of each: all controls, then the families in the order of the plan, which one seed
    makes the same for all.
    """
    for session in sessions:
        session.check(block)
    for together in zip_longest(*(session.families(block) for session in sessions), fillvalue=[]):
        family = next(parse_case(key).workload for cases in together for _, key in cases)
        turns = list(zip(sessions, together, strict=True))
        for session, cases in first_to_go(turns, family, block, sessions[0].plan.seed):
            session.measure(cases, block)
    for session in sessions:
        session.mark("block-complete", block=block)


def _foresee(sessions: Sequence[Session], blocks: int) -> None:
    """Says so early where the budget will end before the first look at precision."""
    needed = sessions[0].profile.looks[0]
    block_s = sum(session.block_s(blocks) for session in sessions)
    budget_s = sum(session.budget_s for session in sessions)
    if needed * block_s > budget_s:
        sessions[0].progress.too_short(int(budget_s / block_s), needed, needed * block_s)
