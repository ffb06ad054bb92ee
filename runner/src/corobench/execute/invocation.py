"""Measures one invocation of a case, whatever its kind."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

import msgspec

from corobench.execute import process
from corobench.execute.load import cpus_left, with_latency_server
from corobench.execute.process import Outcome, Trouble, published, run
from corobench.execute.program import Program, check_threads
from corobench.execute.reader import Reading, converse
from corobench.execute.server import serve
from corobench.machine.proc import Host, throttled, usable
from corobench.results.log import Failure, Invocation, Iteration
from corobench.suite.workload import Kind, Point


class _Value(msgspec.Struct):
    value: float


class _Measurement(msgspec.Struct):
    """A process in an export of hyperfine 2."""

    time_wall_clock: _Value
    time_user: _Value
    time_system: _Value
    exit_code: int


class _Result(msgspec.Struct):
    """The part of hyperfine's export that we use: of each process since 2.0, user and system time
    as means before (s).

    Its memory column is ru_maxrss, inherited from hyperfine: never read.
    """

    measurements: list[_Measurement] = []
    times: list[float] = []
    user: float = 0.0
    system: float = 0.0
    exit_codes: list[int] = []

    def plain(self) -> _Result:
        """As hyperfine 1 writes it."""
        if not (each := self.measurements):
            return self
        return _Result(
            times=[one.time_wall_clock.value for one in each],
            user=fmean(one.time_user.value for one in each),
            system=fmean(one.time_system.value for one in each),
            exit_codes=[one.exit_code for one in each],
        )


class _Export(msgspec.Struct):
    results: list[_Result]


def take(program: Program, point: Point, cpus: frozenset[int]) -> Reading:
    """Starts the process `point.iterations` times. Raises Trouble for anything but success."""
    hyperfine = program.tool("hyperfine")
    target = program.launch(cpus, program.arguments(point.params))
    with tempfile.TemporaryDirectory(prefix="corobench-") as folder:
        export = Path(folder) / "hyperfine.json"
        options = [
            "--shell=none",
            "--style=none",
            "--warmup=0",
            f"--runs={point.iterations}",
            f"--export-json={export}",
        ]
        argv = [str(hyperfine), *options, "--", shlex.join(target.argv)]
        try:
            outcome = run(msgspec.structs.replace(target, argv=argv), lambda _line, _pid: None)
        except OSError as error:
            raise Trouble("not-started", f"hyperfine cannot be started: {error}") from error
        if wrong := process.failure_of(outcome):
            raise wrong
        try:
            result = msgspec.json.decode(export.read_bytes(), type=_Export).results[0].plain()
        except (OSError, msgspec.DecodeError, IndexError) as error:
            raise Trouble("wrong", f"hyperfine left no usable result: {error}", outcome) from error
    return _reading(result, outcome, point.iterations)


def _reading(result: _Result, outcome: Outcome, runs: int) -> Reading:
    if len(result.times) != runs or any(result.exit_codes):
        raise Trouble(
            "wrong",
            f"hyperfine saw {len(result.times)} processes, exit codes {result.exit_codes}",
            outcome,
        )
    cpu = round((result.user + result.system) * 1e9)
    return Reading(
        outcome=outcome,
        iterations=[Iteration(round(seconds * 1e9), cpu, 1) for seconds in result.times],
        evidence={"user_ns": round(result.user * 1e9), "system_ns": round(result.system * 1e9)},
    )


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where in a run an invocation stands."""

    case: str
    block: int
    position: int


def measure(
    program: Program, point: Point, cpus: frozenset[int], place: Place
) -> Invocation | Failure:
    """One process of a case. Never raises for what the program does."""
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    try:
        check_threads(program, point)
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
        nonce=reading.nonce,
    )


def failure(place: Place, started: str, wrong: Trouble, root: Path) -> Failure:
    """The record of an invocation that gave no number. It is published: paths in it begin at the
    repository's `root`.
    """
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
    warm_ms = program.runtime.manifest.warm_ms
    arguments, expected = program.ask(
        point.params, len(cpus), point.iterations, min_warm_ms=warm_ms
    )
    return converse(program.launch(cpus, arguments, point.timeout_s), expected)


def _once(program: Program, point: Point, cpus: frozenset[int]) -> Reading:
    """A measured program lasts as long as its parameters say: no warm time is asked for."""
    cpus = cpus_left(program.workload, cpus, usable())
    arguments, expected = program.ask(point.params, len(cpus), point.iterations)
    host = Host()
    before = throttled(host)
    reading = with_latency_server(program, cpus, arguments, expected)
    return msgspec.structs.replace(
        reading, observed=reading.observed | {"throttled": throttled(host) - before}
    )


_METHODS: dict[Kind, Callable[[Program, Point, frozenset[int]], Reading]] = {
    "timed": _talk,
    "memory": _talk,
    "measured": _once,
    "served": serve,
    "startup": take,
}
