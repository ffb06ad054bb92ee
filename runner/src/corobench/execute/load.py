"""The load generator and the latency server: helper processes beside a measured program.

The generator runs on a CPU of its own where the box has two. It checks every status and every body.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from string import Template
from typing import Any

import msgspec

from corobench.contract.checks import Expectation
from corobench.contract.protocol import Hold, decode
from corobench.execute import process
from corobench.execute.monitor import Conversation
from corobench.execute.process import Outcome, Trouble, run
from corobench.execute.program import Program
from corobench.execute.reader import Reading, converse
from corobench.machine.proc import usable
from corobench.results.histogram import weighted
from corobench.suite import expression
from corobench.suite.expression import Number
from corobench.suite.workload import Load, Parameter, Workload

_GENERATOR_SLACK_S = 10.0  # what the generator gets beyond the cap that it keeps by itself
Buckets = list[tuple[int, int]]


class StreamReport(msgspec.Struct, frozen=True):
    """What came of one stream; times in nanoseconds, samples as [ns, count]. `opened`: connections
    made before the clock.

    `elapsed_ns`: up to the last answer.
    """

    name: str
    requests: int
    errors: dict[str, int]
    over_limit: int
    connections: int
    opened: int
    elapsed_ns: int
    latency: Buckets
    queued: int


class Report(msgspec.Struct, frozen=True):
    """What came of a plan: the time that it took, the generator's own CPU time within, and its
    streams in order.

    `lateness`: by how much the generator itself was late, asked every millisecond of a plan with an
    open loop.
    """

    elapsed_ns: int
    cpu_ns: int
    lateness: Buckets
    streams: list[StreamReport]

    @property
    def requests(self) -> int:
        """Right answers."""
        return sum(stream.requests for stream in self.streams)

    @property
    def rate(self) -> float:
        """Right answers a second."""
        return self.requests / (self.elapsed_ns / 1e9)

    @property
    def errors(self) -> Counter[str]:
        """Requests without a right answer, by kind."""
        return sum((Counter(stream.errors) for stream in self.streams), Counter())


class Driven(msgspec.Struct, frozen=True):
    """A plan that was carried out: its streams, what came of them, and the process that did it."""

    streams: list[dict[str, Any]]
    report: Report
    outcome: Outcome


def stream_plan(load: Load, params: Mapping[str, Parameter], warm: float | None) -> dict[str, Any]:
    """A stream of a plan. `warm`: None for the requests beforehand, else how many of them were
    answered in a second.
    """
    names: dict[str, Number | str] = {**params, "warm": warm or 0.0}
    requests, least_ms, rate = (
        (load.warm, load.warm_ms, None)
        if warm is None
        else (load.requests, load.least_ms, load.rate)
    )
    text = Template(load.expect).substitute(params)
    return {
        "name": load.name,
        "method": load.method,
        "path": Template(load.path).substitute(params),
        "body": Template(load.body).substitute(params),
        "status": load.status,
        "expect": {"json": json.loads(text)} if load.json else {"text": text},
        "clients": expression.evaluate(load.clients, names),
        "keepalive": bool(expression.evaluate(load.keepalive, names)),
        "requests": None if requests is None else expression.evaluate(requests, names),
        "least_ms": expression.evaluate(least_ms, names),
        "rate": None if rate is None else expression.evaluate(rate, names),
    }


def drive(
    program: Program, cpu: int, port: int, streams: list[dict[str, Any]], server: Conversation
) -> Driven:
    """Carries out a plan against a port of this machine, attending to the server. Raises Trouble
    where the generator fails or is missing.
    """
    cap_s = program.workload.request_timeout_s
    plan = {"port": port, "cap_ms": round(cap_s * 1000), "streams": streams}
    said: list[bytes] = []
    launch = program.helper([json.dumps(plan)], frozenset([cpu]), cap_s + _GENERATOR_SLACK_S)
    try:
        outcome = run(launch, lambda line, _pid: said.append(line), beside=server)
    except OSError as error:
        raise Trouble("not-started", f"the load generator cannot be started: {error}") from error
    if wrong := process.failure_of(outcome):
        raise Trouble("load-generator", f"the load generator failed: {wrong.reason}", outcome)
    try:
        return Driven(streams, msgspec.json.decode(b"".join(said), type=Report), outcome)
    except msgspec.DecodeError as error:
        raise Trouble(
            "load-generator", f"the load generator left no report: {error}", outcome
        ) from error


_LATENCY_SLACK_S = 10.0  # what it gets beyond the time of the program that it serves

Inner = Callable[[int], Reading]
"""Runs the program that uses the companion's port."""


class _Report(msgspec.Struct, frozen=True):
    """How a latency server ended: nanoseconds, [ns, count]."""

    elapsed_ns: int
    cpu_ns: int
    lateness: list[tuple[int, int]]


class _Host:
    """The listener of the companion: runs the program while the companion serves, then lets
    it end.
    """

    def __init__(self, inner: Inner) -> None:
        self._inner = inner
        self.reading: Reading | None = None
        self.report: _Report | None = None

    def listen(self, line: bytes, _pid: int) -> bytes | None:
        if self.reading is not None:
            self.report = msgspec.json.decode(line, type=_Report)
            return None
        match decode(line):
            case Hold(port=int() as port):
                self.reading = self._inner(port)
                return b"\n"
            case other:
                raise ValueError(f"the companion said {other}, not its port")


def cpus_left(
    workload: Workload, track: frozenset[int], allowed: Collection[int]
) -> frozenset[int]:
    """The CPUs of a program: those of its track, less one for its companion where that takes none
    from outside the track.

    Of two CPUs a program keeps both (one of them would be the track one-cpu again);
    `companion_overlap` then says so.
    """
    shares = workload.companion is not None and set(allowed) <= track
    return track - {min(track)} if shares and len(track) > 2 else track


def with_latency_server(
    program: Program, cpus: frozenset[int], arguments: list[str], expected: Expectation
) -> Reading:
    """Converses with a program, its companion beside it where the spec asks for one. Raises Trouble
    as `converse` does.

    `cpus`: what `left_by` leaves to the program.
    """
    if program.workload.companion is None:
        return converse(program.launch(cpus, arguments), expected)
    host = _Host(
        lambda port: converse(program.launch(cpus, [*arguments, f"peer={port}"]), expected)
    )
    cpu = min(usable() - cpus, default=min(cpus))
    launch = program.helper(
        [program.workload.companion],
        frozenset([cpu]),
        program.workload.timeout_s + _LATENCY_SLACK_S,
    )
    try:
        outcome = run(launch, host.listen)
    except (OSError, ValueError) as error:
        raise Trouble("companion", f"the companion failed: {error}") from error
    if wrong := process.failure_of(outcome):
        raise Trouble("companion", f"the companion failed: {wrong.reason}", outcome)
    if host.reading is None or host.report is None:
        raise Trouble("companion", "the companion ended without a report", outcome)
    return _merged(host.reading, host.report, outcome, overlap=cpu in cpus, cpus=len(cpus))


def _merged(
    reading: Reading, report: _Report, companion: Outcome, *, overlap: bool, cpus: int
) -> Reading:
    """The program's reading with what was observed of the companion, whose CPU time is nobody's
    contamination.
    """
    lateness = weighted(report.lateness)
    observed = {
        "companion_answers": lateness.count,
        "companion_late": lateness.quantile(0.5) if lateness.count else 0.0,
        "companion_late_p99": lateness.quantile(0.99) if lateness.count else 0.0,
        "companion_cpu": report.cpu_ns / report.elapsed_ns,
        "companion_overlap": int(overlap),
        "program_cpus": cpus,
    }
    return msgspec.structs.replace(
        reading,
        outcome=reading.outcome.beside(companion),
        observed=reading.observed | observed,
    )
