"""Measures one invocation of a case: a program that does what it owes becomes an Invocation, anything else a Failure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from corobench.cores import usable
from corobench.execute import threads
from corobench.execute.companion import accompanied, left_by
from corobench.execute.converse import converse
from corobench.execute.program import Program
from corobench.execute.reading import Reading
from corobench.execute.served import serve
from corobench.execute.startup import take
from corobench.execute.trouble import Trouble, published
from corobench.host import Host, throttled
from corobench.model import Kind, Point
from corobench.store import Failure, Invocation


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where in a run an invocation stands."""

    case: str
    block: int
    position: int


def measure(program: Program, point: Point, cpus: frozenset[int], place: Place) -> Invocation | Failure:
    """One process of a case. Never raises for what the program does."""
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    try:
        threads.check(program, point)
        reading = _METHODS[program.workload.kind](program, point, cpus)
    except Trouble as wrong:
        return failure(place, started, wrong, program.root)
    return Invocation(
        case=place.case,
        block=place.block,
        position=place.position,
        started=started,
        witness=reading.outcome.witness,
        iterations=reading.iterations,
        evidence=reading.evidence,
        settings=reading.settings,
        version=reading.version,
        language_version=reading.language_version,
        holds=reading.holds,
        series=reading.series,
        raw=reading.raw,
        observed=reading.observed,
    )


def failure(place: Place, started: str, wrong: Trouble, root: Path) -> Failure:
    """The record of an invocation that gave no number. It is published: paths in it begin at the repository's `root`."""
    outcome = wrong.outcome
    return Failure(
        case=place.case,
        block=place.block,
        position=place.position,
        started=started,
        kind=wrong.kind,
        reason=published(wrong.reason, root),
        exit_status=outcome.exit_status if outcome else None,
        stderr=published(outcome.stderr, root) if outcome else "",
        wall_ns=outcome.witness.wall_ns if outcome else 0,
    )


def _talk(program: Program, point: Point, cpus: frozenset[int]) -> Reading:
    arguments = program.arguments(
        point.params, iterations=point.iterations, min_warm_ms=program.runtime.manifest.warm_ms, trace=0
    )
    launch = program.launch(cpus, arguments, point.timeout_s)
    return converse(launch, program.expectation(point.params, len(cpus), point.iterations))


def _once(program: Program, point: Point, cpus: frozenset[int]) -> Reading:
    """A measured program lasts as long as its parameters say: no warm time is asked for."""
    arguments = program.arguments(point.params, iterations=point.iterations, min_warm_ms=0, trace=0)
    cpus = left_by(program.workload, cpus, usable())
    host = Host()
    before = throttled(host)
    reading = accompanied(program, cpus, arguments, program.expectation(point.params, len(cpus), point.iterations))
    return msgspec.structs.replace(reading, observed=reading.observed | {"throttled": throttled(host) - before})


_METHODS: dict[Kind, Callable[[Program, Point, frozenset[int]], Reading]] = {
    "timed": _talk,
    "memory": _talk,
    "measured": _once,
    "served": serve,
    "startup": take,
}
