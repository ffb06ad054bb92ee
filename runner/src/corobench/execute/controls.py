"""Measures the box beside the programs: a canary in every block, and what it costs to wake a
process here.

A page without these can't tell a slow runtime from a box that was busy, or asleep: on a virtual
machine a wake-up across idle cores costs up to 25 times one on the same core (Method, How a run
checks itself).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from corobench.execute.monitor import Limits
from corobench.execute.process import Launch, Trouble, published, run
from corobench.execute.process import failure_of as trouble_of
from corobench.execute.program import TOKEN, Program, track_cpus
from corobench.execute.reader import converse
from corobench.machine.proc import usable
from corobench.results.log import CROSSCHECK, NULL_CONTROL, Control
from corobench.suite.runtime import Suite

# about 10 ms of interpreted arithmetic: fixed work, so that its time tells the speed of the box
_SPIN = 200_000
# the workload whose program is the null one, of every runtime that takes part, measured or not
NULL = "baseline"
CROSSCHECKED = ("spawn", "switch")  # what every language's cross-check measures (docs/manifests.md)
# when caches are warm; in all blocks from there on, so that no disturbed moment decides
FIRST_CROSSED = 1


class Check(NamedTuple):
    """A control that is due: its name, the runtime it concerns ("" for the box), and how it is
    taken.
    """

    name: str
    runtime: str
    take: Callable[[], Iterable[dict[str, Any]]]


def null_programs(suite: Suite, runtimes: Iterable[str]) -> list[tuple[str, str]]:
    """The (runtime, workload) pairs of the null programs of these runtimes, whether the plan
    measures them or not.
    """
    spec = suite.workloads.get(NULL)
    able = (
        name for name in runtimes if spec is not None and suite.runtimes[name].gap(spec) is None
    )
    return [(name, NULL) for name in able]


def due(block: int, programs: Mapping[tuple[str, str], Program], *, cross: bool) -> Iterator[Check]:
    """The controls at the start of a block: the canary, each runtime's null program, and where
    `cross` the native cross-checks.

    A cross-check needs one of its workloads in the plan: else its figures would have nothing to
    stand beside.
    """
    cpus = track_cpus("one-cpu")
    yield Check("canary", "", lambda: [canary(cpus)])
    for (runtime, workload), program in programs.items():
        if workload == NULL:
            yield Check(NULL_CONTROL, runtime, partial(_null, program))
    if cross and block >= FIRST_CROSSED:
        for runtime, program in _crosschecked(programs).items():
            yield Check(CROSSCHECK, runtime, partial(_crosscheck, program))


def _crosschecked(programs: Mapping[tuple[str, str], Program]) -> dict[str, Program]:
    return {
        runtime: program
        for (runtime, workload), program in programs.items()
        if workload in CROSSCHECKED and program.runtime.crosscheck
    }


def canary(cpus: frozenset[int]) -> dict[str, Any]:
    """A fixed spin on the CPU that programs are pinned to: wall and CPU nanoseconds."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        wall, cpu = time.monotonic_ns(), time.thread_time_ns()
        value = 0
        for turn in range(_SPIN):
            value ^= turn
        cpu, wall = time.thread_time_ns() - cpu, time.monotonic_ns() - wall
    finally:
        os.sched_setaffinity(0, own)
    return {"wall_ns": wall, "cpu_ns": cpu}


def _null(program: Program) -> Iterator[dict[str, Any]]:
    """The harness around no task at all: one plain call an iteration. Shown, never subtracted."""
    cpus = track_cpus(program.runtime.variant.tracks[0])
    try:
        arguments, expected = program.ask({"n": 1}, len(cpus), 100)
        reading = converse(program.launch(cpus, arguments), expected)
    except Trouble as wrong:
        yield {"failed": published(wrong.reason, program.root)}
        return
    yield {
        "elapsed_ns": [iteration.elapsed_ns for iteration in reading.iterations],
        "wall_ns": reading.outcome.witness.wall_ns,
        "cpu_ns": reading.outcome.witness.user_ns + reading.outcome.witness.system_ns,
    }


class _Crosschecked(msgspec.Struct):
    """One line of a cross-check: nanoseconds an operation, one value a sample of the language's own
    harness.
    """

    workload: str
    params: dict[str, int | str]
    harness: str
    per_op_ns: list[float]


def _crosscheck(program: Program) -> Iterator[dict[str, Any]]:
    """The same operations under the language's own benchmark harness, on the same CPUs; no line at
    all is a failure too.
    """
    track = program.runtime.variant.tracks[0]
    cpus = track_cpus(track)
    said: list[bytes] = []
    try:
        outcome = run(program.crosscheck(cpus), lambda line, _pid: said.append(line))
        if wrong := trouble_of(outcome):
            raise wrong
        if not said:
            raise Trouble("protocol", "the cross-check printed no line")
        lines = [msgspec.json.decode(line, type=_Crosschecked) for line in said]
    except (OSError, Trouble, msgspec.DecodeError) as error:
        yield {"failed": published(str(error), program.root)}
        return
    yield from ({"track": track, **msgspec.to_builtins(line)} for line in lines)


class _RoundTrips(msgspec.Struct):
    """Nanoseconds a round trip, one value a batch."""

    round_trip_ns: list[int]


def wake_ups(token: str, root: Path) -> list[Control]:
    """A one-byte socket-pair round trip: on one core, across two idle cores, across two cores kept
    awake.

    Where the box has one CPU, only the first. A setting that fails is a control with its reason;
    `root` is the repository's.
    """
    allowed = sorted(usable())
    one, two = allowed[-1], allowed[0]
    settings = [("same core", one, one, 0)]
    if len(allowed) > 1:
        settings += [("two idle cores", two, one, 0), ("two cores kept awake", two, one, 1)]
    return [
        _wake_up(name, [str(first), str(second), str(awake)], token, root)
        for name, first, second, awake in settings
    ]


def _wake_up(name: str, arguments: list[str], token: str, root: Path) -> Control:
    script = Path(__file__).with_name("wakeup.py")
    said: list[bytes] = []
    launch = Launch(
        argv=[sys.executable, "-I", "-S", str(script), *arguments],
        env={TOKEN: token},
        cwd=script.parent,
        cpus=usable(),
        limits=Limits(timeout_s=30),
    )
    try:
        outcome = run(launch, lambda line, _pid: said.append(line))
        if wrong := trouble_of(outcome):
            raise wrong
        values = msgspec.to_builtins(msgspec.json.decode(said[0], type=_RoundTrips))
    except (OSError, Trouble, msgspec.DecodeError, IndexError) as error:
        values = {"failed": published(str(error), root)}
    return Control(name="wake-up", block=None, values={"setting": name, **values})
