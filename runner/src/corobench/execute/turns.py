"""Executes a plan block by block: controls, then family after family, and at the looks whether to go on.

Several runs take turns within each block, a family each, so that their numbers can be compared block by block: what is paired
lies seconds apart, and which of them goes first is drawn, so that what a turn leaves behind (a warm cache, a busy minute) hits
all alike. Interruptions lose nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, zip_longest

from corobench.case import parse_case
from corobench.execute.session import Session
from corobench.plan import first_to_go


def execute(sessions: Sequence[Session]) -> str:
    """Measures until precise enough, out of budget or out of looks; returns the reason. Several sessions stop together.

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
        _measure([session for session in sessions if session.complete <= block], block)
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


def _measure(sessions: Sequence[Session], block: int) -> None:
    """A block of each: all controls, then the families in the order of the plan, which one seed makes the same for all."""
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
