"""Reads what one program says, answers its holds, and returns a Reading.

Everything that the contract asks of a single process is checked here, so that no number exists
without a right answer.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from corobench.contract import checks
from corobench.contract.checks import Expectation
from corobench.contract.protocol import End, Hello, Hold, Iterated, Line, Sampled, Traced, decode
from corobench.execute import memory, process
from corobench.execute.monitor import Answer, Stop
from corobench.execute.process import Launch, Outcome, Trouble
from corobench.results import histogram
from corobench.results.histogram import Distribution
from corobench.results.log import Iteration, Memory
from corobench.suite import variables
from corobench.suite.workload import Parameter, Setting

_MS = 1e-3


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """The right answer of a process: how it ended, its iterations, its evidence, its settings, its
    memory, its samples.
    """

    outcome: Outcome
    iterations: list[Iteration]
    evidence: dict[str, Parameter]
    settings: dict[str, Setting] = {}
    version: str = ""
    language_version: str = ""
    holds: dict[str, Memory] = {}
    series: dict[str, Distribution] = {}
    raw: dict[str, list[int]] = {}
    observed: dict[str, float] = {}
    events: list[tuple[str, int, str | int]] = []
    nonce: int = 0


class Talk:
    """The listener of one process. After it ended, `problem()` is None or what was wrong."""

    def __init__(self, expected: Expectation, preloaded: str = "") -> None:
        """`preloaded`: the libraries that it must have been started with, as LD_PRELOAD names
        them.
        """
        self._expected = expected
        self._preloaded = preloaded
        self.hello: Hello | None = None
        self.iterated: list[Iterated] = []
        self.holds: dict[str, Memory] = {}
        self.samples: dict[str, list[int]] = {}
        self.trace: Traced | None = None
        self._ended = False

    def listen(self, line: bytes, pid: int) -> Answer:
        """Takes one line of stdout; raises Stop at the first one that breaks the contract."""
        try:
            message = decode(line)
        except ValueError as error:
            raise Stop("wrong", str(error)) from error
        if self._ended:
            raise Stop("wrong", "a line after 'end'")
        if (self.hello is None) != isinstance(message, Hello):
            raise Stop("wrong", "the first line must be 'hello', and no other")
        return self._take(message, pid)

    def _take(self, message: Line, pid: int) -> Answer:
        match message:
            case Hello():
                self.hello = message
                problem = checks.hello(message, self._expected) or _absent(pid, self._preloaded)
                if problem:
                    raise Stop("wrong", problem)
            case Iterated():
                self.iterated.append(message)
            case Hold():
                if message.point in self.holds:
                    raise Stop("wrong", f"hold {message.point!r} was announced twice")
                self.holds[message.point] = _memory(pid, message, self._quiet_s(message.point))
                return b"\n"
            case Sampled():
                if message.name in self.samples:
                    raise Stop("wrong", f"the series {message.name!r} was written twice")
                self.samples[message.name] = message.values
            case Traced():
                self.trace = message
            case End():
                self._ended = True
        return None

    def _quiet_s(self, point: str) -> float:
        """How long memory must not have fallen before it is read; nobody keeps that of a traced
        process.
        """
        if self._expected.traced or point not in self._expected.workload.collected:
            return 0
        return self._expected.runtime.toolchain.returns_memory_ms * _MS

    def problem(self) -> str | None:
        """What breaks the contract in a conversation that is over."""
        if self.hello is None:
            return "it ended without a 'hello' line"
        if not self._ended:
            return "it ended without an 'end' line"
        return (
            checks.iterations(self.iterated, self._expected)
            or checks.holds(
                {point: read.units for point, read in self.holds.items()}, self._expected
            )
            or self._unlike()
            or checks.trace(self.trace.events if self.trace else None, self._expected)
        )

    def _unlike(self) -> str | None:
        counts = {name: len(values) for name, values in self.samples.items()}
        return checks.series(counts, self._expected.workload, self._expected.params)

    @property
    def distributions(self) -> dict[str, Distribution]:
        """The series that are kept as distributions."""
        return {
            name: histogram.histogram_of(values)
            for name, values in self.samples.items()
            if not self._is_raw(name)
        }

    @property
    def raw(self) -> dict[str, list[int]]:
        """The series that are kept as they are."""
        return {name: values for name, values in self.samples.items() if self._is_raw(name)}

    def _is_raw(self, name: str) -> bool:
        return self._expected.workload.series[name].keep == "raw"

    @property
    def iterations(self) -> list[Iteration]:
        return [Iteration(i.elapsed_ns, i.cpu_ns, i.ops) for i in self.iterated]


def _absent(pid: int, preloaded: str) -> str | None:
    """The first library of LD_PRELOAD that a process has not loaded. The loader goes on without one
    that it can't use, and a program that was linked statically without any; so would the number.
    """
    if not preloaded:
        return None
    try:
        mapped = memory.mapped_files(pid)
    except OSError:
        return None  # it has ended, and said all that it owes: what the loader said is read then
    if not mapped:
        return None
    return next(
        (
            _not_loaded(name)
            for name in preloaded.split(":")
            if str(Path(name).resolve()) not in mapped
        ),
        None,
    )


def _refused(stderr: str, preloaded: str) -> str | None:
    """The first library of LD_PRELOAD of which the loader says that it can't use it."""
    if "LD_PRELOAD" not in stderr:
        return None
    return next((_not_loaded(name) for name in preloaded.split(":") if name in stderr), None)


def _not_loaded(library: str) -> str:
    return f"it was to be started with {Path(library).name} and has not loaded it"


def _memory(pid: int, hold: Hold, quiet_s: float) -> Memory:
    try:
        if quiet_s:
            memory.wait_until_returned(pid, quiet_s)
        return memory.read_memory(pid, hold.units)
    except (ProcessLookupError, FileNotFoundError) as error:
        raise Stop("failed", f"it ended at the hold {hold.point!r}") from error
    except OSError as error:
        raise Stop(
            "failed", f"its memory cannot be read at the hold {hold.point!r}: {error}"
        ) from error


def converse(launch: Launch, expected: Expectation, *, timed: bool = True) -> Reading:
    """Raises Trouble for a process that can't be started, fails, or does not do what it owes.

    `timed`: whether its times are looked at. Those of a process under a tool say nothing.
    """
    preloaded = launch.env.get("LD_PRELOAD", "")
    talk = Talk(expected, preloaded)
    outcome = process.run_well(launch, talk.listen)
    if reason := (
        talk.problem()
        or _refused(outcome.stderr, preloaded)
        or outcome.moved
        or (_impossible(talk.iterations, outcome) if timed else None)
    ):
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
        observed={} if outcome.high is None else {variables.SEEN_HIGH: outcome.high},
        events=talk.trace.events if talk.trace else [],
        nonce=expected.nonce,
    )
    _require(reading, expected)
    return reading


def _impossible(iterations: list[Iteration], outcome: Outcome) -> str | None:
    """What can't be true of the times that a program told."""
    witness = outcome.witness
    busy = witness.here_busy_ns
    return checks.times(
        [one.elapsed_ns for one in iterations],
        [one.cpu_ns for one in iterations],
        wall_ns=witness.wall_ns,
        cpu_ns=outcome.cpu_ns,
        cpus=len(outcome.cpus),
        busy_ns=None if busy is None else busy + (witness.here_steal_ns or 0),
    )


def _require(reading: Reading, expected: Expectation) -> None:
    """Trouble where what the spec requires isn't so, in a small traced run as in a measured one."""
    observed = variables.of_process(reading.outcome.witness) | reading.observed
    names = variables.values(
        expected.params, reading.iterations[-1], reading.evidence, reading.holds, observed
    )
    if found := checks.unmet(expected.workload, names, reading.series):
        kind = process.TIMING if found.timing else "wrong"
        raise Trouble(kind, checks.told(found, names), reading.outcome)
