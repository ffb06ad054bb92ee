"""Executes a plan block by block: measure, append, decide at the looks whether to go on. Interruptions lose nothing.

What it does not know: statistics. The decision to stop is a function that it is given, asked only between blocks.
"""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from types import FrameType
from typing import Any, Protocol

import msgspec

from corobench.execute import controls
from corobench.execute.measure import Place, measure
from corobench.execute.program import Program, track_cpus
from corobench.model import parse_case
from corobench.plan import Plan, Profile, block_order
from corobench.store import Control, Failure, Invocation, Line, Log, Mark

GIVE_UP_AFTER = 2  # failures of a case that never succeeded: a hanging program must not cost its time-out in every block


CROSSCHECK_BLOCK = 1  # once a run, when caches are warm


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


class Session(msgspec.Struct, kw_only=True):
    """A run in progress: what is measured, where it is written, who decides and who is told."""

    plan: Plan
    profile: Profile
    budget_s: float
    programs: Mapping[tuple[str, str], Program]
    log: Log
    lines: list[Line]
    decide: Decide
    progress: Progress

    def execute(self) -> str:
        """Runs until precise enough, out of budget or out of looks; returns the reason. An interrupt passes through, marked."""
        with _terminable():
            try:
                return self._blocks()
            except KeyboardInterrupt:
                self._mark("interrupted", reason="interrupted by the user")
                raise

    def _blocks(self) -> str:
        started, spent = time.monotonic(), _spent(self.lines)
        done = {(line.case, line.block) for line in self.lines if isinstance(line, Invocation | Failure)}
        looked = {line.block for line in self.lines if isinstance(line, Mark) and line.event == "block-complete"}
        for block in range(self.profile.looks[-1]):
            if block not in looked:
                self._block(block, done, lambda: self.budget_s - spent - (time.monotonic() - started))
                self._mark("block-complete", block=block)
            blocks = block + 1
            left = self.budget_s - spent - (time.monotonic() - started)
            if reason := self._look(blocks, left):
                self._mark("finished", block=block, reason=reason)
                return reason
        raise AssertionError("the last look always decides")

    def _look(self, blocks: int, left: float) -> str | None:
        """Why to stop after so many blocks, or None to go on."""
        average = (self.budget_s - left) / blocks
        if blocks in self.profile.looks:
            decision = self.decide(self.lines, blocks)
            self.progress.looked(decision, blocks)
            self._mark("look", block=blocks - 1, reason=decision.reason, values=decision.values)
            if decision.stop:
                return decision.reason
        if blocks == self.profile.looks[-1]:
            return f"all {blocks} blocks of the profile are done"
        if left < average:
            return f"the time budget of {self.budget_s:.0f} s ends before another block would"
        return None

    def _block(self, block: int, done: set[tuple[str, int]], left: Callable[[], float]) -> None:
        order = block_order(self.plan, block)
        given_up = self._given_up()
        self._controls(block)
        for position, key in enumerate(order):
            if (key, block) in done or key in given_up:
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
        for check in controls.due(block, self.programs, CROSSCHECK_BLOCK if self.profile.claims else None):
            if (check.name, check.runtime) not in taken:
                for values in check.take():
                    self.append(Control(name=check.name, block=block, values={"runtime": check.runtime, **values}))

    def _given_up(self) -> set[str]:
        failures = Counter(line.case for line in self.lines if isinstance(line, Failure))
        refused = {line.case for line in self.lines if isinstance(line, Failure) and line.kind == "verify"}
        succeeded = {line.case for line in self.lines if isinstance(line, Invocation)}
        return refused | {case for case, count in failures.items() if count >= GIVE_UP_AFTER and case not in succeeded}

    def append(self, line: Line) -> None:
        """Writes a line to the disk, then keeps it."""
        self.log.append(line)
        self.lines.append(line)

    def _mark(self, event: str, block: int | None = None, reason: str = "", values: dict[str, Any] | None = None) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.append(Mark(event=event, at=at, block=block, reason=reason, values=values or {}))


def _spent(lines: list[Line]) -> float:
    """Seconds that the invocations of an earlier part of this run took."""
    return sum(_wall(line) for line in lines) / 1e9


def _wall(line: Line) -> int:
    match line:
        case Invocation():
            return line.witness.wall_ns
        case Failure():
            return line.wall_ns
        case Control() | Mark():
            return 0


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM and SIGHUP end a run as an interrupt does."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
