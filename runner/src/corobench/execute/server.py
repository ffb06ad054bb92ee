"""Measures a server: starts it, puts the spec's load on it from another CPU, and reads from outside
what that cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from corobench.contract import checks
from corobench.contract.checks import Expectation
from corobench.contract.protocol import End, Hello, Hold, Line
from corobench.execute import load, memory, process
from corobench.execute.load import Driven, Report, stream_plan
from corobench.execute.monitor import Answer, Conversation, Stop
from corobench.execute.process import Launch, Outcome, Trouble, run
from corobench.execute.program import Program, track_cpus
from corobench.execute.reader import Reading, Talk
from corobench.execute.watchdog import scratch
from corobench.machine.proc import Host, throttled, usable
from corobench.results import histogram
from corobench.results.log import Iteration, Memory
from corobench.suite import variables
from corobench.suite.expression import evaluate
from corobench.suite.workload import Load, Parameter, Spot

SERVING = "serving"


class Cpus(msgspec.Struct, frozen=True):
    """Who runs where. They overlap on a box, or in a container, with one CPU."""

    server: frozenset[int]
    generator: int

    @property
    def overlap(self) -> bool:
        return self.generator in self.server


def apart(track: frozenset[int], allowed: Sequence[int]) -> Cpus:
    """The generator has a CPU that the server does not use: the first of those left, else the
    server's first.
    """
    left = sorted(set(allowed) - track)
    if left:
        return Cpus(track, left[0])
    first = min(track)
    return Cpus(track - {first} or track, first)


def server_cpus() -> int:
    """How many CPUs a server has on the track all-cpus."""
    return len(apart(track_cpus("all-cpus"), sorted(usable())).server)


class _Loaded(msgspec.Struct, frozen=True):
    """What the load yielded and cost; CPU and memory are those of the server's whole session, what
    launched it aside.
    """

    warmed: Driven | None
    driven: Driven
    cpu: memory.SessionCpu
    before: Memory
    after: Memory
    processes: int
    throttled: int

    @property
    def runs(self) -> list[Driven]:
        return [self.warmed, self.driven] if self.warmed else [self.driven]

    @property
    def errors(self) -> Counter[str]:
        """Wrong answers by kind, those beforehand too."""
        return sum((run.report.errors for run in self.runs), Counter())


class _Service(Talk):
    """The conversation with a server: hello, `serving` with its port, end."""

    def __init__(
        self, expected: Expectation, program: Program, params: dict[str, Parameter], cpus: Cpus
    ) -> None:
        super().__init__(expected)
        self._program = program
        self._params = params
        self._cpus = cpus
        self.loaded: _Loaded | None = None

    def _take(self, message: Line, pid: int) -> Answer:
        match message:
            case Hello() | End():
                return super()._take(message, pid)
            case Hold(point=point, port=int() as port, launcher=launcher) if (
                point == SERVING and self.loaded is None
            ):
                return lambda server: self._serve(port, pid, launcher, server)
            case _:
                raise Stop(
                    "wrong",
                    f"a server says hello, announces {SERVING!r} with its port once, and ends",
                )

    def _serve(self, port: int, pid: int, launcher: bool, server: Conversation) -> bytes:
        try:
            self.loaded = self._load(port, pid, launcher, server)
        except Trouble as wrong:
            raise Stop(wrong.kind, wrong.reason) from wrong
        except OSError as error:
            raise Stop("failed", f"it ended under load: {error}") from error
        return b"\n"

    def problem(self) -> str | None:
        if self.hello is None:
            return "it ended without a 'hello' line"
        if self.loaded is None:
            return f"it ended without announcing {SERVING!r} and a port"
        return None if self._ended else "it ended without an 'end' line"

    def _load(self, port: int, pid: int, launcher: bool, server: Conversation) -> _Loaded:
        """What is asked beforehand, then the load between two readings."""
        if not memory.serves(pid, port):
            raise Trouble("wrong", f"no process of its session listens at the port {port}")
        params, streams = self._params, self._program.workload.loads(self._params)
        warming = [load for load in streams if evaluate(load.warm, params)]
        warmed = (
            self._drive(port, [stream_plan(load, params, None) for load in warming], server)
            if warming
            else None
        )
        warm = warmed.report.rate if warmed else 0.0
        host, starter = Host(), pid if launcher else None
        before, cpu, slowed = (
            memory.session_memory(pid, starter),
            memory.session_cpu(pid),
            throttled(host),
        )
        driven = self._drive(port, [stream_plan(load, params, warm) for load in streams], server)
        spent = memory.session_cpu(pid).since(cpu)
        if not spent.total_ns:
            raise Trouble("wrong", "its processes used no CPU under the load: others answered it")
        return _Loaded(
            warmed=warmed,
            driven=driven,
            cpu=spent,
            before=before,
            after=memory.session_memory(pid, starter),
            processes=len(memory.session_members(pid)) - launcher,
            throttled=throttled(host) - slowed,
        )

    def _drive(self, port: int, streams: list[dict[str, Any]], server: Conversation) -> Driven:
        driven = load.drive(self._program, self._cpus.generator, port, streams, server)
        if not driven.report.requests:
            raise Trouble("wrong", f"no right answer: {_kinds(driven.report.errors)}")
        return driven


def serve(program: Program, spot: Spot, track: frozenset[int]) -> Reading:
    """One server under the load of a point. Raises Trouble for wrong answers, and where the server
    does not do what it owes.
    """
    cpus = apart(track, sorted(usable()))
    seen = {
        name: value
        for name, value in spot.params.items()
        if name not in program.workload.generator_only
    }
    service = _Service(_owed(program, seen, len(cpus.server)), program, spot.params, cpus)
    with scratch(program.token) as folder:
        try:
            outcome = run(
                _in(folder, program.launch(cpus.server, program.arguments(seen))), service.listen
            )
        except OSError as error:
            raise Trouble("not-started", f"cannot be started: {error}") from error
    if wrong := process.failure_of(outcome):
        raise wrong
    if reason := service.problem() or outcome.moved:
        raise Trouble("wrong", reason, outcome)
    assert service.hello is not None
    assert service.loaded is not None
    return _reading(program, spot.params, service.loaded, service.hello, outcome, cpus)


def _in(folder: str, launch: Launch) -> Launch:
    """The same for a server: with a place of its own for temporary files, as one that is killed
    leaves what it has written, and with an end for workers that are in process groups of their own.
    """
    return msgspec.structs.replace(launch, env={**launch.env, "TMPDIR": folder}, whole_session=True)


def _owed(program: Program, seen: dict[str, Parameter], cpus: int) -> Expectation:
    """What the server must say of itself: it knows nothing of the parameters that are the
    generator's.
    """
    spec = program.workload
    known = {name: title for name, title in spec.parameters.items() if name in seen}
    expected = program.expectation(seen, cpus, 0)
    return msgspec.structs.replace(
        expected, workload=msgspec.structs.replace(spec, parameters=known)
    )


def _reading(
    program: Program,
    params: dict[str, Parameter],
    loaded: _Loaded,
    hello: Hello,
    outcome: Outcome,
    cpus: Cpus,
) -> Reading:
    report = loaded.driven.report
    spec = program.workload
    latencies = {each.name: each.latency for each in report.streams}
    series = {name: histogram.weighted(latencies.get(name, [])) for name in spec.series}
    iteration = Iteration(report.elapsed_ns, loaded.cpu.total_ns, report.requests)
    observed = _observed(loaded, cpus) | _elapsed(report, spec.load)
    holds = {SERVING: loaded.before}
    names = variables.values(params, iteration, {}, holds, observed)
    if asked := checks.unmet(spec, names, series):
        problem = checks.told(asked, names)
        kind = process.TIMING if asked.timing else "wrong"
        raise Trouble(
            kind, f"{problem}; {_kinds(loaded.errors)}" if loaded.errors else problem, outcome
        )
    return Reading(
        outcome=outcome.beside(*(run.outcome for run in loaded.runs)),
        iterations=[iteration],
        evidence={},
        settings=dict(hello.settings),
        version=hello.version,
        language_version=hello.language_version,
        holds=holds,
        series=series,
        observed=observed,
    )


def _observed(loaded: _Loaded, cpus: Cpus) -> dict[str, float]:
    """The names of quantities.OBSERVED for served programs: seconds, bytes, counts, shares."""
    report, after = loaded.driven.report, loaded.after
    asked = zip(loaded.driven.streams, report.streams, strict=True)
    counted = [each for stream, each in asked if stream["requests"] is not None]
    lateness = histogram.weighted(report.lateness)
    return {
        "requests": sum(each.requests for each in counted),
        "errors": loaded.errors.total(),
        "over_limit": sum(each.over_limit for each in counted),
        "background": report.requests - sum(each.requests for each in counted),
        "connections": sum(each.connections for each in report.streams),
        "opened": sum(each.opened for each in report.streams),
        "concurrency": sum(
            stream["clients"] for stream in loaded.driven.streams if stream["requests"] is not None
        ),
        "rate": sum(stream["rate"] or 0.0 for stream in loaded.driven.streams),
        "queued": sum(each.queued for each in counted),
        "warm": loaded.warmed.report.rate if loaded.warmed else 0.0,
        "late": lateness.quantile(0.99) if lateness.count else 0.0,
        "generator_cpu": report.cpu_ns / report.elapsed_ns,
        "server_cpu": loaded.cpu.total_ns / 1e9,
        "server_user": loaded.cpu.user_ns / 1e9,
        "server_system": loaded.cpu.system_ns / 1e9,
        "server_cpus": len(cpus.server),
        "overlap": int(cpus.overlap),
        "throttled": loaded.throttled,
        "memory": after.private_dirty + after.swap,
        "memory_shared": after.pss + after.swap,
        "memory_high": after.rss_high,
        "processes": loaded.processes,
    }


def _elapsed(report: Report, loads: Sequence[Load]) -> dict[str, float]:
    """Seconds up to the last answer of each stream of the spec, so that what ended within can be
    divided by them.

    A stream that is not sent, or not answered, has had all the time.
    """
    ended = {each.name: each.elapsed_ns for each in report.streams if each.requests}
    return {
        variables.elapsed(load.name): ended.get(load.name, report.elapsed_ns) / 1e9
        for load in loads
    }


def _kinds(errors: Mapping[str, int]) -> str:
    wrong = ", ".join(f"{count} {kind}" for kind, count in sorted(errors.items()))
    return f"wrong answers by kind: {wrong or 'none'}"
