"""The helper process that a spec may ask for beside its programs: the latency server, on a CPU of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from corobench.checks import Expectation
from corobench.cores import usable
from corobench.distribution import weighted
from corobench.execute import trouble
from corobench.execute.converse import converse
from corobench.execute.process import Outcome, run
from corobench.execute.program import Program
from corobench.execute.protocol import Hold, decode
from corobench.execute.reading import Reading
from corobench.execute.trouble import Trouble
from corobench.model import Workload

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


def left_by(workload: Workload, track: frozenset[int], allowed: Collection[int]) -> frozenset[int]:
    """The CPUs of a program: those of its track, less one for its companion where that takes none from outside the track.

    Of two CPUs a program keeps both (one of them would be the track one-cpu again); `companion_overlap` then says so.
    """
    shares = workload.companion is not None and set(allowed) <= track
    return track - {min(track)} if shares and len(track) > 2 else track


def accompanied(program: Program, cpus: frozenset[int], arguments: list[str], expected: Expectation) -> Reading:
    """Converses with a program, its companion beside it where the spec asks for one. Raises Trouble as `converse` does.

    `cpus`: what `left_by` leaves to the program.
    """
    if program.workload.companion is None:
        return converse(program.launch(cpus, arguments), expected)
    host = _Host(lambda port: converse(program.launch(cpus, [*arguments, f"peer={port}"]), expected))
    cpu = min(usable() - cpus, default=min(cpus))
    launch = program.helper([program.workload.companion], frozenset([cpu]), program.workload.timeout_s + _SLACK_S)
    try:
        outcome = run(launch, host.listen)
    except (OSError, ValueError) as error:
        raise Trouble("companion", f"the companion failed: {error}") from error
    if wrong := trouble.of(outcome):
        raise Trouble("companion", f"the companion failed: {wrong.reason}", outcome)
    if host.reading is None or host.report is None:
        raise Trouble("companion", "the companion ended without a report", outcome)
    return _merged(host.reading, host.report, outcome, overlap=cpu in cpus, cpus=len(cpus))


def _merged(reading: Reading, report: _Report, companion: Outcome, *, overlap: bool, cpus: int) -> Reading:
    """The program's reading with what was observed of the companion, whose CPU time is nobody's contamination."""
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
