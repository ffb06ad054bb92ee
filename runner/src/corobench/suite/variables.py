"""The variables that an expression of a spec may use, and their values for one invocation. Pure.

Times are seconds, memory is bytes. Besides the parameters and the evidence: `ops`, `elapsed` and
`cpu` of the last iteration, `held_<point>` (private bytes at a hold) and `high_<point>` (the
resident high-water mark there), and what the runner observed from outside: `process_cpu`, say,
which a program that only claims to have worked cannot raise. What was not observed is no number
(NaN), and so is what is made of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from corobench.suite import expression
from corobench.suite.expression import Number
from corobench.suite.workload import Parameter, Workload

if TYPE_CHECKING:
    from corobench.results import log

_NS = 1e-9
SEEN_HIGH = "seen_high"
_PROCESS = ("process_cpu",)
OBSERVED: dict[str, tuple[str, ...]] = {
    "timed": (*_PROCESS, SEEN_HIGH),
    "memory": _PROCESS,
    "measured": (*_PROCESS, SEEN_HIGH, "throttled"),
    "served": (
        "requests",
        "errors",
        "over_limit",
        "background",
        "connections",
        "opened",
        "concurrency",
        "rate",
        "queued",
        "warm",
        "late",
        "generator_cpu",
        "server_cpu",
        "server_user",
        "server_system",
        "server_cpus",
        "overlap",
        "throttled",
        "memory",
        "memory_shared",
        "memory_high",
        "processes",
    ),
}
"""What the runner observes of a program, by the kind of its workload (docs/contract.md says what
each is).
"""
COMPANION = (
    "companion_answers",
    "companion_late",
    "companion_late_p99",
    "companion_cpu",
    "companion_overlap",
    "program_cpus",
)
"""What it observes of a companion, and of the program beside it."""
IN_TICKS = frozenset({"server_user", "server_system"})
"""What the kernel counts in ticks only (proc_pid_stat(5), utime and stime); all other times are
read from clocks.
"""
CPUS = ("server_cpus", "program_cpus")
"""The names under which it is told how many CPUs a program had, where something else had one
meanwhile.
"""


def known(workload: Workload) -> list[str]:
    """Every name that an expression of this spec may use, its series aside."""
    evidence = {
        name
        for checks in (workload.evidence, *(spot.evidence for spot in workload.spots))
        for name in checks
    }
    held = [
        name(point) for point in (*workload.holds, *workload.collected) for name in (_held, _high)
    ]
    streams = dict.fromkeys(elapsed(load.name) for load in workload.load)
    return [
        *workload.parameters,
        *sorted(evidence),
        "ops",
        "elapsed",
        "cpu",
        *held,
        *_observed(workload),
        *streams,
    ]


def _observed(workload: Workload) -> tuple[str, ...]:
    return (*OBSERVED.get(workload.kind, ()), *(COMPANION if workload.companion else ()))


def values(
    params: Mapping[str, Parameter],
    iteration: log.Iteration,
    evidence: Mapping[str, Parameter],
    holds: Mapping[str, log.Memory],
    observed: Mapping[str, float],
) -> dict[str, Number | str]:
    """The values of those names for one invocation."""
    return {
        **params,
        **evidence,
        "ops": iteration.ops,
        "elapsed": iteration.elapsed_ns * _NS,
        "cpu": iteration.cpu_ns * _NS,
        **{_held(point): memory.private_dirty + memory.swap for point, memory in holds.items()},
        **{_high(point): memory.rss_high for point, memory in holds.items()},
        **observed,
    }


def in_ticks(text: str) -> list[str]:
    """Those of the quantities of an expression that are counted in ticks."""
    return [name for name in expression.names_of(text) if name in IN_TICKS]


def of_invocation(
    params: Mapping[str, Parameter], invocation: log.Invocation
) -> dict[str, Number | str]:
    """The same from the log."""
    observed = of_process(invocation.witness) | invocation.observed
    return values(
        params, invocation.iterations[-1], invocation.evidence, invocation.holds, observed
    )


def of_process(witness: log.Witness) -> dict[str, float]:
    """What the kernel says of a program: CPU time of its process, from start to exit, and of the
    children that it collected.

    Its high-water mark is known only where somebody has looked at it meanwhile.
    """
    return {"process_cpu": (witness.user_ns + witness.system_ns) * _NS, SEEN_HIGH: math.nan}


def elapsed(stream: str) -> str:
    """The name under which it is told how long a stream of requests had answers (s)."""
    return f"elapsed_{stream.replace('-', '_')}"


def _held(point: str) -> str:
    return f"held_{point.replace('-', '_')}"


def _high(point: str) -> str:
    return f"high_{point.replace('-', '_')}"


def asks(workload: Workload, name: str) -> bool:
    """Whether an expression of a spec uses this name."""
    return any(name in expression.names_of(text) for _, text in expressions(workload))


def expressions(workload: Workload) -> Iterable[tuple[str, str]]:
    """Every expression of a spec that is evaluated with these names, with the key it stands
    under.
    """
    yield from ((f"metric.{m.name}.value", m.value) for m in workload.metric if m.value is not None)
    yield from (
        (f"difference.{d.name}.value", d.value) for d in workload.difference if d.value is not None
    )
    yield from ((f"ratio.{r.name}.value", r.value) for r in workload.ratio)
    yield from ((f"require.{r.name}.holds", r.holds) for r in workload.require)
    yield from ((f"caution.{d.name}.when", d.when) for d in workload.caution)
