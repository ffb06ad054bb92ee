"""Drives a server with the load generator (rust/load): from the spec's streams to a plan, and its report as values.

The generator runs on a CPU of its own where the box has two. It checks every status and every body.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from string import Template
from typing import Any

import msgspec

from corobench import expression
from corobench.execute import trouble
from corobench.execute.process import Conversation, Outcome, run
from corobench.execute.program import Program
from corobench.execute.trouble import Trouble
from corobench.expression import Number
from corobench.loadspec import Load
from corobench.model import Parameter

_SLACK_S = 10.0  # what the generator gets beyond the cap that it keeps by itself
Buckets = list[tuple[int, int]]


class StreamReport(msgspec.Struct, frozen=True):
    """What came of one stream; times in nanoseconds, samples as [ns, count]. `opened`: connections made before the clock.

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
    """What came of a plan: the time that it took, the generator's own CPU time within, and its streams in order.

    `lateness`: by how much the generator itself was late, asked every millisecond of a plan with an open loop.
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


def stream(load: Load, params: Mapping[str, Parameter], warm: float | None) -> dict[str, Any]:
    """A stream of a plan. `warm`: None for the requests beforehand, else how many of them were answered in a second."""
    names: dict[str, Number | str] = {**params, "warm": warm or 0.0}
    requests, least_ms, rate = (load.warm, load.warm_ms, None) if warm is None else (load.requests, load.least_ms, load.rate)
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


def drive(program: Program, cpu: int, port: int, streams: list[dict[str, Any]], server: Conversation) -> Driven:
    """Carries out a plan against a port of this machine, attending to the server. Raises Trouble where the generator fails or is
    missing.
    """
    cap_s = program.workload.cap_s
    plan = {"port": port, "cap_ms": round(cap_s * 1000), "streams": streams}
    said: list[bytes] = []
    launch = program.helper([json.dumps(plan)], frozenset([cpu]), cap_s + _SLACK_S)
    try:
        outcome = run(launch, lambda line, _pid: said.append(line), beside=server)
    except OSError as error:
        raise Trouble("not-started", f"the load generator cannot be started: {error}") from error
    if wrong := trouble.of(outcome):
        raise Trouble("load-generator", f"the load generator failed: {wrong.reason}", outcome)
    try:
        return Driven(streams, msgspec.json.decode(b"".join(said), type=Report), outcome)
    except msgspec.DecodeError as error:
        raise Trouble("load-generator", f"the load generator left no report: {error}", outcome) from error
