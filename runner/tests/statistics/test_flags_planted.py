"""Every flag that a number may carry, raised by a planted run: a red one keeps it out of groups and
verdicts, and says why.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
import pytest
from synthetic import Build, Noise, make_run

from corobench.report.exports import caveat, status
from corobench.results import log
from corobench.statistics.flags import WORDS
from corobench.statistics.summary import summarise
from corobench.suite import variables

REFERENCE = "hand-off/m=500/one-cpu/asyncio"
TWIN = f"{REFERENCE}~twin"
USUAL = Noise()
NODE = "hand-off/m=500/one-cpu/node"
TOP = "memory/n=100000/one-cpu/node"
Change = Callable[[log.Invocation], log.Invocation]


def measured(
    noise: Noise = USUAL, workload: str = "hand-off", blocks: int = 12, **failures: list[int]
) -> log.Run:
    """`failures`: the blocks in which the twin of the reference, a case or the top of a ladder
    fails.
    """
    keys = {"twin": TWIN, "node": NODE, "top": TOP}
    build = Build(failures={keys[name]: failing for name, failing in failures.items()})
    return make_run(blocks=blocks, workloads=[workload], noise=noise, build=build)


def changed(run: log.Run, change: Change) -> log.Run:
    lines = [change(line) if isinstance(line, log.Invocation) else line for line in run.lines]
    return msgspec.structs.replace(run, lines=lines)


def with_more(run: log.Run, *lines: log.Line) -> log.Run:
    return msgspec.structs.replace(run, lines=[*lines, *run.lines])


def slow_twin(line: log.Invocation) -> log.Invocation:
    if line.case != TWIN:
        return line
    slower = [log.Iteration(int(1.1 * i.elapsed_ns), i.cpu_ns, i.ops) for i in line.iterations]
    return msgspec.structs.replace(line, iterations=slower)


def few_long_iterations(line: log.Invocation) -> log.Invocation:
    long = [
        log.Iteration(100 * i.elapsed_ns, 100 * i.cpu_ns, 100 * i.ops) for i in line.iterations[:6]
    ]
    return msgspec.structs.replace(line, iterations=long)


def brief(line: log.Invocation) -> log.Invocation:
    return (
        msgspec.structs.replace(line, iterations=line.iterations[:2]) if line.case == NODE else line
    )


def held(line: log.Invocation, live: Callable[[log.Memory], int]) -> log.Invocation:
    memory = msgspec.structs.replace(line.holds["live"], private_dirty=live(line.holds["live"]))
    return msgspec.structs.replace(line, holds={**line.holds, "live": memory})


def bent(line: log.Invocation) -> log.Invocation:
    return (
        held(line, lambda memory: int(1.5 * memory.private_dirty))
        if "n=100000" in line.case
        else line
    )


def shrinking(line: log.Invocation) -> log.Invocation:
    """In a third of the blocks node holds less with each task more."""
    if not line.case.endswith("/one-cpu/node") or line.block % 3:
        return line
    return held(line, lambda memory: 2 * 10**8 - 400 * memory.units)


def dear_calls() -> log.Run:
    """A plain call of Node's takes longer than its hand-off."""
    build = Build(slow={("baseline", "node"): 1e4})
    return make_run(blocks=12, workloads=["baseline", "hand-off"], build=build)


def dawdling(line: log.Invocation) -> log.Invocation:
    """Half of what node's hand-off does is outside of its iterations."""
    if line.case != NODE:
        return line
    timed = sum(i.elapsed_ns for i in line.iterations)
    witness = msgspec.structs.replace(line.witness, wall_ns=line.witness.wall_ns + timed)
    return msgspec.structs.replace(line, witness=witness)


def never_grown(line: log.Invocation) -> log.Invocation:
    """asyncio's spawn of 10,000 tasks is no larger than its program before the first."""
    if line.case != "spawn/n=10000/one-cpu/asyncio":
        return line
    return msgspec.structs.replace(line, observed={variables.SEEN_HIGH: 20e6})


def cross_checks() -> list[log.Control]:
    """The language's own harness reads half as much again of uvloop, and nobody says why."""
    said = {
        "runtime": "uvloop",
        "workload": "spawn",
        "params": {"n": 1000},
        "harness": "native",
        "per_op_ns": [12_000],
    }
    return [log.Control(name="crosscheck", block=block, values=said) for block in (1, 3, 5)]


def counted() -> log.Count:
    """A hand-off of node's takes a million instructions."""
    tallies = [log.Tally(10_000, 10**10), log.Tally(20_000, 2 * 10**10)]
    return log.Count(
        case=NODE,
        at="2026-01-02T00:00:00.000+00:00",
        tools={"valgrind": "3.19.0"},
        tallies={"instructions": [tallies] * log.COUNTED_PROCESSES},
    )


def repeated() -> log.Run:
    run = measured()
    return with_more(run, next(line for line in run.invocations if line.case == NODE))


def a_failed_control_elsewhere() -> log.Run:
    return changed(make_run(blocks=12, workloads=["hand-off", "spawn"]), slow_twin)


def inside_a_quota() -> log.Run:
    run = make_run(blocks=12, workloads=["hand-off"])
    box = run.header.box | {"cgroup": {"cpus": 1.5, "memory": None, "tasks": None}}
    return msgspec.structs.replace(run, header=msgspec.structs.replace(run.header, box=box))


GRADED = "graded"
PLANTED: dict[str, tuple[str, Callable[[], log.Run]]] = {
    "few": ("red", partial(measured, blocks=8)),
    "wide": (GRADED, partial(measured, Noise(invocation=0.6))),
    "other-cpu": ("red", partial(measured, Noise(other=1.0))),
    "steal": ("red", partial(measured, Noise(steal=0.05))),
    "drift": (GRADED, partial(measured, Noise(drift=0.4), blocks=17)),
    "modes": (GRADED, partial(measured, Noise(modes=0.4), blocks=17)),
    "not steady": (GRADED, partial(measured, Noise(settling=0.8))),
    "steadiness": ("amber", lambda: changed(measured(), few_long_iterations)),
    "short": ("red", lambda: changed(measured(), brief)),
    "not linear": (GRADED, lambda: changed(measured(workload="memory"), bent)),
    "unfinished": ("red", partial(measured, workload="memory", top=list(range(12)))),
    "failed": ("red", partial(measured, node=[2])),
    "retried": ("red", repeated),
    "control": ("red", a_failed_control_elsewhere),
    "run control": ("amber", a_failed_control_elsewhere),
    "no control": ("red", partial(measured, twin=list(range(12)))),
    "control flagged": ("amber", partial(measured, twin=[3])),
    "no ratio": ("amber", lambda: changed(measured(workload="memory"), shrinking)),
    "quota": ("red", inside_a_quota),
    "plain call": ("red", dear_calls),
    "untimed": (
        "red",
        lambda: changed(make_run(blocks=12, workloads=["baseline", "hand-off"]), dawdling),
    ),
    "alive": (
        "red",
        lambda: changed(make_run(blocks=12, workloads=["memory", "spawn"]), never_grown),
    ),
    "cross-check": ("amber", lambda: with_more(measured(workload="spawn"), *cross_checks())),
    "too fast": ("red", lambda: with_more(measured(), counted())),
}


def test_every_flag_has_a_planted_run() -> None:
    assert set(PLANTED) == set(WORDS)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_flag_is_raised_and_a_red_one_keeps_the_number_out_with_its_reason(
    name: str,
) -> None:
    level, plant = PLANTED[name]
    summary = summarise(plant())
    flagged = [
        (cell, flag)
        for cell in summary.cells
        for flag in cell.flags
        if flag.name == name and (flag.margin if level == GRADED else flag.level == level)
    ]
    assert flagged
    for cell, flag in flagged:
        assert flag.text
        if flag.level == "red":
            assert cell.group is None
            assert cell.comparison is None or cell.comparison.verdict == "not comparable"
            assert status(cell) == "not ranked"
            assert f"not ranked: {name}" in caveat(summary, cell)
        if level == GRADED:  # a caution where the number has a place all the same
            assert (flag.level == "red") == (cell.group is None)


def names_of_flags(run: log.Run, **header: object) -> set[str]:
    told = msgspec.structs.replace(run.header, **header)
    summary = summarise(msgspec.structs.replace(run, header=told))
    return {flag.name for cell in summary.cells for flag in cell.flags}


def test_threads_may_end_while_others_are_started() -> None:
    run = PLANTED["alive"][1]()
    threads = {name: facts | {"unit": "thread"} for name, facts in run.header.runtimes.items()}
    assert "alive" in names_of_flags(run)
    assert "alive" not in names_of_flags(run, runtimes=threads)


@pytest.mark.parametrize("name", ["untimed", "too fast"])
def test_what_is_prepared_takes_time_that_is_not_timed_and_is_counted(name: str) -> None:
    run = PLANTED[name][1]()
    specs = run.header.workloads
    prepared = {key: spec | {"prepared": "the tasks"} for key, spec in specs.items()}
    older = {
        key: {told: value for told, value in spec.items() if told != "prepared"}
        for key, spec in specs.items()
    }
    assert name in names_of_flags(run)
    assert name not in names_of_flags(run, workloads=prepared)
    assert name not in names_of_flags(run, workloads=older), "its spec doesn't tell"


def test_an_undisturbed_run_carries_none() -> None:
    """With few outliers: about one sound case in a hundred is flagged by chance."""
    for workload in ("hand-off", "memory"):
        cells = summarise(measured(Noise(outliers=0.0), workload)).cells
        assert [(cell.key, flag.name) for cell in cells for flag in cell.flags] == []


def test_nothing_is_said_against_a_reference_that_is_not_trusted() -> None:
    """Groups need no reference; a verdict does."""
    run = make_run(blocks=12, workloads=["hand-off"], build=Build(failures={REFERENCE: [2]}))
    column = [cell for cell in summarise(run).cells if cell.track == "one-cpu"]
    assert {cell.comparison.verdict for cell in column if cell.comparison} == {"not comparable"}
    assert any(cell.group for cell in column)
