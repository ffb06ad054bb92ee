"""The helper process that a spec may ask for beside its programs: the latency server, on a CPU of its own."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

from corobench.checks import Expectation
from corobench.distribution import weighted
from corobench.execute import trouble
from corobench.execute.converse import converse
from corobench.execute.process import Outcome, run
from corobench.execute.program import Program
from corobench.execute.protocol import Hold, decode
from corobench.execute.reading import Reading
from corobench.execute.trouble import Trouble

_SLACK_S = 10.0  # what it gets beyond the time of the program that it serves

Inner = Callable[[int], Reading]
"""Runs the program that uses the companion's port."""


class _Report(msgspec.Struct, frozen=True):
    """How a latency server ended: nanoseconds, [ns, count]."""

    elapsed_ns: int
    cpu_ns: int
    lateness: list[tuple[int, int]]


class _Host:
    """The listener of the companion: runs the program while the companion serves, then lets it end."""

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


def accompanied(program: Program, track: frozenset[int], arguments: list[str], expected: Expectation) -> Reading:
    """Converses with a program, its companion beside it where the spec asks for one. Raises Trouble as `converse` does."""
    if program.workload.companion is None:
        return converse(program.launch(track, arguments), expected)
    host = _Host(lambda port: converse(program.launch(track, [*arguments, f"peer={port}"]), expected))
    cpu = min(set(os.sched_getaffinity(0)) - track, default=min(track))
    launch = program.helper([program.workload.companion], frozenset([cpu]), program.workload.timeout_s + _SLACK_S)
    try:
        outcome = run(launch, host.listen)
    except (OSError, ValueError) as error:
        raise Trouble("companion", f"the companion failed: {error}") from error
    if wrong := trouble.of(outcome):
        raise Trouble("companion", f"the companion failed: {wrong.reason}", outcome)
    if host.reading is None or host.report is None:
        raise Trouble("companion", "the companion ended without a report", outcome)
    return _merged(host.reading, host.report, outcome, overlap=cpu in track)


def _merged(reading: Reading, report: _Report, companion: Outcome, *, overlap: bool) -> Reading:
    """The program's reading with what was observed of the companion, whose CPU time is nobody's contamination."""
    lateness = weighted(report.lateness)
    observed = {
        "companion_answers": lateness.count,
        "companion_late": lateness.quantile(0.5) if lateness.count else 0.0,
        "companion_late_p99": lateness.quantile(0.99) if lateness.count else 0.0,
        "companion_cpu": report.cpu_ns / report.elapsed_ns,
        "companion_overlap": int(overlap),
    }
    return msgspec.structs.replace(
        reading,
        outcome=reading.outcome.beside(companion),
        observed=reading.observed | observed,
    )
