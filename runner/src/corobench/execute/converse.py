"""Runs a program of the contract and checks all it says: a Reading, or Trouble with the first thing that is wrong."""

from __future__ import annotations

from corobench import checks, quantities
from corobench.checks import Expectation
from corobench.execute import trouble
from corobench.execute.process import Launch, NotStarted, run
from corobench.execute.reading import Reading
from corobench.execute.talk import Talk
from corobench.execute.trouble import Trouble


def converse(launch: Launch, expected: Expectation) -> Reading:
    """Raises Trouble for a process that can't be started, fails, or does not do what it owes."""
    talk = Talk(expected)
    try:
        outcome = run(launch, talk.listen)
    except NotStarted as error:
        raise Trouble("not-started", f"cannot be started: {error}") from error
    if wrong := trouble.of(outcome):
        raise wrong
    if reason := talk.problem():
        raise Trouble("wrong", reason, outcome)
    assert talk.hello is not None
    reading = Reading(
        outcome=outcome,
        iterations=talk.iterations,
        evidence=dict(talk.iterated[-1].evidence),
        settings=dict(talk.hello.settings),
        version=talk.hello.version,
        language_version=talk.hello.language_version,
        holds=talk.holds,
        series=talk.distributions,
        raw=talk.raw,
        observed={} if outcome.high is None else {quantities.SEEN_HIGH: outcome.high},
        events=talk.trace.events if talk.trace else [],
    )
    _require(reading, expected)
    return reading


def _require(reading: Reading, expected: Expectation) -> None:
    """Trouble where what the spec requires isn't so, in a small traced run as in a measured one."""
    observed = quantities.of_process(reading.outcome.witness) | reading.observed
    names = quantities.values(expected.params, reading.iterations[-1], reading.evidence, reading.holds, observed)
    if found := checks.unmet(expected.workload, names, reading.series):
        kind = trouble.TIMING if found.timing else "wrong"
        raise Trouble(kind, checks.told(found, names), reading.outcome)
