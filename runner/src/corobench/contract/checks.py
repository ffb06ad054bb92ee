"""Checks what a program said against its spec and manifest: each check returns what is wrong, or
None. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from corobench.contract.traces import RULES, Event, Trace
from corobench.suite import expression
from corobench.suite.runtime import Runtime
from corobench.suite.workload import Parameter, Require, Setting, Workload

PROTOCOL = 1


class HelloLine(Protocol):
    """What a hello line holds (execute.protocol.Hello)."""

    @property
    def protocol(self) -> int: ...
    @property
    def runtime(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def language_version(self) -> str: ...
    @property
    def workload(self) -> str: ...
    @property
    def params(self) -> Mapping[str, Parameter]: ...
    @property
    def settings(self) -> Mapping[str, Setting]: ...


class IterationLine(Protocol):
    """What an iteration line holds (execute.protocol.Iterated)."""

    @property
    def index(self) -> int: ...
    @property
    def elapsed_ns(self) -> int: ...
    @property
    def cpu_ns(self) -> int: ...
    @property
    def ops(self) -> int: ...
    @property
    def evidence(self) -> Mapping[str, Parameter]: ...


class Expectation(msgspec.Struct, frozen=True, kw_only=True):
    """What one process of a case owes: its spec, its runtime, its parameters, the CPUs that it was
    given.
    """

    workload: Workload
    runtime: Runtime
    params: dict[str, Parameter]
    cpus: int
    iterations: int
    version: str
    language_version: str
    traced: bool = False
    counted: bool = False
    nonce: int = 0

    @property
    def threads(self) -> int:
        threads = self.runtime.variant.threads
        return self.cpus if isinstance(threads, str) else threads

    def at_once(self, tasks: int) -> int:
        """How many of so many chained tasks may run at once.

        A thread that has started its successor may wait long for the CPU before it can say that it
        has ended; on a busy box half of a chain did. Where each task awaits its successor, all of
        it runs.
        """
        return (
            max(self.threads, 2, tasks * 9 // 10)
            if self.runtime.manifest.unit == "thread"
            else self.threads
        )


def evidence_names(
    workload: Workload, params: Mapping[str, Parameter], nonce: int, index: int
) -> dict[str, Parameter]:
    """What the evidence of an iteration may be calculated with: the parameters, and where the spec
    has a nonce that of this iteration.
    """
    return {**params, **({"nonce": nonce + index} if workload.nonce else {})}


def hello(line: HelloLine, expected: Expectation) -> str | None:
    """Effective settings against the manifest: a setting that did not take is a failure."""
    for what, actual, wanted in (
        ("protocol", line.protocol, PROTOCOL),
        ("runtime", line.runtime, expected.runtime.name),
        ("workload", line.workload, expected.workload.name),
        (
            "params",
            {name: line.params.get(name) for name in expected.workload.parameters},
            expected.params,
        ),
        ("version", line.version, expected.version),
        ("language version", line.language_version, expected.language_version),
    ):
        if actual != wanted:
            return f"hello says {what} {actual!r}, expected {wanted!r}"
    of_language = expected.runtime.toolchain.settings
    if expected.workload.kind == "startup":
        # Asking may cost a process more than all the rest (Go's build settings need fmt): who does
        # not ask is built with the others.
        of_language = {name: asked for name, asked in of_language.items() if name in line.settings}
    for name, setting in (of_language | expected.runtime.variant.settings).items():
        wanted_setting = _filled(setting, expected.cpus)
        if name not in line.settings:
            return (
                f"hello does not say the setting {name!r}, which the manifest expects to be "
                f"{wanted_setting!r}"
            )
        if line.settings[name] != wanted_setting:
            return (
                f"the setting {name!r} did not take: hello says {line.settings[name]!r}, the "
                f"manifest {wanted_setting!r}"
            )
    return None


def _filled(setting: Setting, cpus: int) -> Setting:
    return cpus if setting == "{cpus}" else setting


def iterations(lines: Sequence[IterationLine], expected: Expectation) -> str | None:
    """Number, order, times and evidence of the iterations."""
    least = 1 if expected.traced or expected.counted else expected.iterations
    if len(lines) < least:
        return f"{len(lines)} iterations, at least {least} were asked for"
    for place, line in enumerate(lines):
        if line.index != place:
            return f"iteration {place} says index {line.index}"
        if line.elapsed_ns <= 0 or line.cpu_ns < 0:
            return f"iteration {place} says elapsed {line.elapsed_ns} ns and CPU {line.cpu_ns} ns"
        if problem := _evidence(line, expected):
            return f"iteration {place}: {problem}"
    return None


def _evidence(line: IterationLine, expected: Expectation) -> str | None:
    said: dict[str, Parameter] = {"ops": line.ops, **line.evidence}
    asked = expected.workload.checks(expected.params)
    names = evidence_names(expected.workload, expected.params, expected.nonce, line.index)
    for name, check in asked.items():
        if name == "true_switches" and not expected.counted:
            continue
        if name not in said:
            return f"evidence {name!r} is missing"
        if not expression.holds(check, said[name], names):
            return (
                f"{name} is {said[name]!r}, the spec asks for {check} "
                f"({expression.expected(check, names)})"
            )
    if unknown := sorted(set(said) - set(asked)):
        return f"evidence {unknown[0]!r} is not in the spec"
    return None


TICK_NS = 10_000_000  # of the kernel's clock: what its sums of CPU time may be off by
_CPU_OVER = (
    1.25  # threads that end just outside of the timed region; the most that was seen is 1.20
)
# Between its readings of the two clocks a thread may lose its CPU, while others of its process (a
# JIT's) go on with every CPU; 34 ms were seen on a busy box.
_BETWEEN_CLOCKS_NS = 100_000_000
_EQUAL = 5
_BUSY_OVER = 2.0  # the kernel counts busy CPUs by sampling at ticks


def times(
    lasted: Sequence[int],
    cpu_times: Sequence[int],
    *,
    wall_ns: int,
    cpu_ns: int,
    cpus: int,
    busy_ns: int | None,
) -> str | None:
    """What no honest clock can say: how long the iterations lasted and their CPU times, in
    nanoseconds, against what the kernel tells of the whole process.

    `busy_ns`: how long the CPUs that it was given were busy, whoever used them; None where the box
    does not tell.
    """
    elapsed, used = sum(lasted), sum(cpu_times)
    for is_wrong, text in (
        (
            elapsed > wall_ns,
            f"its iterations lasted {elapsed:,} ns, and the whole process {wall_ns:,}",
        ),
        (
            used > cpu_ns + TICK_NS,
            f"its iterations used {used:,} ns of CPU, and the whole process {cpu_ns:,}",
        ),
        (
            used > (_CPU_OVER * elapsed + _BETWEEN_CLOCKS_NS) * cpus,
            f"its iterations used {used:,} ns of CPU in {elapsed:,} ns on {cpus} CPU",
        ),
        (
            cpu_ns > wall_ns * cpus + TICK_NS,
            f"it used {cpu_ns:,} ns of CPU in {wall_ns:,} ns on {cpus} CPU",
        ),
        (
            busy_ns is not None and cpu_ns > _BUSY_OVER * busy_ns + 10 * TICK_NS,
            f"it used {cpu_ns:,} ns of CPU, and the CPUs that it was given were busy for "
            f"{busy_ns or 0:,} ns: it ran elsewhere",
        ),
        (
            len(lasted) >= _EQUAL and min(lasted) == max(lasted),
            f"its {len(lasted)} iterations lasted exactly {lasted[0]:,} ns each",
        ),
    ):
        if is_wrong:
            return f"impossible times: {text}"
    return None


def units_at(workload: Workload, params: Mapping[str, Parameter]) -> dict[str, str]:
    """How many units must be alive at each hold of a setting, in the order of the holds."""
    return workload.units | next(
        (point.units for point in workload.verify if point.params == params), {}
    )


def holds(units: Mapping[str, int], expected: Expectation) -> str | None:
    """Every hold point that the spec asks for was announced, in its order, with the units that it
    must have.
    """
    workload = expected.workload
    wanted = set(workload.holds) | (
        set(workload.collected) if expected.runtime.variant.collector else set()
    )
    if missing := sorted(wanted - set(units)):
        return f"hold {missing[0]!r} was not announced"
    if unknown := sorted(set(units) - wanted):
        return f"hold {unknown[0]!r} is not in the spec for this runtime"
    alive = units_at(workload, expected.params)
    order = [point for point in alive if point in wanted]
    if list(units) != order:
        return f"holds came in the order {', '.join(units)}, not {', '.join(order)}"
    for point, count in units.items():
        check = alive[point]
        if not expression.holds(check, count, expected.params):
            return (
                f"{count} units at hold {point!r}, the spec asks for {check} "
                f"({expression.expected(check, expected.params)})"
            )
    return None


def series(
    counts: Mapping[str, int], workload: Workload, params: Mapping[str, Parameter]
) -> str | None:
    """Every series that the spec names, and no other, with as many samples (`counts`) as it asks
    for.
    """
    for name, asked in workload.series.items():
        if name not in counts:
            return f"the series {name!r} is missing"
        if asked.count and not expression.holds(asked.count, counts[name], params):
            wanted = expression.expected(asked.count, params)
            return (
                f"the series {name!r} has {counts[name]} samples, the spec asks for "
                f"{asked.count} ({wanted})"
            )
    if unknown := sorted(set(counts) - set(workload.series)):
        return f"the series {unknown[0]!r} is not in the spec"
    return None


class Unmet(msgspec.Struct, frozen=True):
    """A requirement that does not hold. `how`: it is false, or has no value."""

    asked: Require
    how: str

    @property
    def timing(self) -> bool:
        return self.asked.timing


def required(
    workload: Workload, names: expression.Names, samples: Mapping[str, expression.Samples]
) -> str | None:
    """What the spec requires of the quantities of an invocation; the first requirement that does
    not hold, with its values.
    """
    found = unmet(workload, names, samples)
    return told(found, names) if found else None


def unmet(
    workload: Workload, names: expression.Names, samples: Mapping[str, expression.Samples]
) -> Unmet | None:
    """The first requirement that does not hold."""
    for asked in workload.require:
        try:
            if not expression.evaluate(asked.holds, names, samples):
                return Unmet(asked, "does not hold")
        except ZeroDivisionError:
            return Unmet(asked, "divides by zero")
    return None


def told(unmet: Unmet, names: expression.Names) -> str:
    """A requirement that does not hold, in words and with its values."""
    asked = unmet.asked
    used = {name: names[name] for name in expression.names_of(asked.holds) if name in names}
    values = ", ".join(
        f"{name} = {value:.6g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in used.items()
    )
    return f"{asked.text} ({asked.name}: {asked.holds} {unmet.how} for {values})"


def trace(events: Sequence[tuple[str, int, str | int]] | None, expected: Expectation) -> str | None:
    """The rules that the spec names, over the traced events."""
    rules = expected.workload.rules(expected.params)
    if not expected.traced or not rules:
        return None
    if events is None:
        return "no trace, though trace=1"
    names = expected.params
    tasks = int(expression.evaluate(expected.workload.tasks, names))
    first = expected.nonce if expected.workload.nonce == "first-task" else 0
    seen = Trace(
        # a hold has no task: -1
        events=[Event(kind, i - first if i >= 0 else i, unit) for kind, i, unit in events],
        tasks=tasks,
        resumes=int(expression.evaluate(expected.workload.resumes, names)),
        order=expected.runtime.variant.order,
        at_once=expected.at_once(tasks),
        permits=int(expression.evaluate(expected.workload.permits, names)),
        params=names,
        deviates=expected.workload.name in expected.runtime.manifest.deviates,
    )
    for rule in rules:
        if problem := RULES[rule](seen):
            return f"trace breaks the rule {rule!r}: {problem}"
    return None
