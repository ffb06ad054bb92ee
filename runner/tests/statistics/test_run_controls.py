"""What is derived beside the numbers: carry-over from one case to the next, and agreement with the
languages' own harnesses.
"""

from __future__ import annotations

import math
import random
from itertools import combinations
from typing import Any

import msgspec
import pytest
from synthetic import Noise, make_run

from corobench.results import log
from corobench.statistics import controls
from corobench.statistics import controls as crosschecks
from corobench.statistics.summary import summarise
from corobench.statistics.types import RunSummary


@pytest.mark.parametrize("drift", [0.0, 1.5])
def test_carry_over_is_found_where_it_is(drift: float) -> None:
    run = make_run(blocks=30, workloads=["spawn"], noise=Noise(drift=drift))
    previous, lines = "", []
    for line in run.lines:
        found = line
        if isinstance(line, log.Invocation):
            if "/gevent" in previous:
                slower = [
                    log.Iteration(int(1.15 * i.elapsed_ns), i.cpu_ns, i.ops)
                    for i in line.iterations
                ]
                found = msgspec.structs.replace(line, iterations=slower)
            previous = line.case
        lines.append(found)
    planted = summarise(msgspec.structs.replace(run, lines=lines)).controls["carry_over"]
    assert [effect["after"] for effect in planted if effect["found"]] == ["spawn/gevent"]
    assert next(effect for effect in planted if effect["found"])["ratio"][
        "center"
    ] == pytest.approx(1.15, abs=0.03)
    assert not any(effect["found"] for effect in summarise(run).controls["carry_over"])


@pytest.mark.parametrize("workload", ["hand-off", "memory"])
def test_what_runs_after_a_hungry_program_is_seen(workload: str) -> None:
    """Every kind of number is looked at, and what held much memory is told as such, whichever
    program it was.
    """
    run = make_run(blocks=30, workloads=["memory", workload])
    hungry, lines = False, []
    for line in run.lines:
        found = line
        if isinstance(line, log.Invocation):
            found = dearer(line) if hungry else line
            hungry = any(memory.rss_high > controls.HUNGRY_BYTES for memory in line.holds.values())
        lines.append(found)
    planted = summarise(msgspec.structs.replace(run, lines=lines))
    effect = next(
        effect for effect in planted.controls["carry_over"] if effect["after"] == controls.HUNGRY
    )
    assert effect["found"]
    assert effect["ratio"]["center"] == pytest.approx(1.3, abs=0.1)
    assert effect["memory"] > 600e6
    told = [warning for warning in planted.warnings if warning.startswith("carry-over: ")]
    assert any(controls.HUNGRY in warning and "more than otherwise" in warning for warning in told)
    assert not [
        warning for warning in summarise(run).warnings if warning.startswith("carry-over: ")
    ]


def dearer(line: log.Invocation) -> log.Invocation:
    holds = {
        name: msgspec.structs.replace(m, private_dirty=int(1.3 * m.private_dirty))
        for name, m in line.holds.items()
    }
    iterations = [log.Iteration(int(1.3 * i.elapsed_ns), i.cpu_ns, i.ops) for i in line.iterations]
    return msgspec.structs.replace(line, iterations=iterations, holds=holds)


def test_what_follows_an_interruption_follows_nothing() -> None:
    run = make_run(blocks=30, workloads=["spawn"])
    lines: list[log.Line] = []
    for line in run.lines:
        lines += [line, log.Mark(event="resumed", at="")]
    assert summarise(msgspec.structs.replace(run, lines=lines)).controls["carry_over"] == []


def crosscheck(
    runtime: str, workload: str, params: dict[str, int], per_op_ns: float, block: int | None
) -> log.Control:
    samples = [per_op_ns + i for i in range(-4, 5)]
    values = {
        "runtime": runtime,
        "workload": workload,
        "params": params,
        "harness": "native",
        "per_op_ns": samples,
    }
    return log.Control(name="crosscheck", block=block, values=values)


def checked(
    blocks: list[int], spread: float = 0.02
) -> tuple[dict[tuple[str, str], dict[str, Any]], RunSummary]:
    """A run whose cross-checks ran in these blocks: asyncio's agrees, node's reads 1.58 times as
    much.
    """
    quiet = Noise(invocation=spread / 2, outliers=0.0)
    run = make_run(blocks=12, workloads=["spawn", "switch"], noise=quiet)
    rng = random.Random(5)
    for block in blocks:
        for runtime, per_op in {"asyncio": 7_050, "node": 285}.items():
            run.lines.append(
                crosscheck(
                    runtime, "spawn", {"n": 1000}, per_op * math.exp(rng.gauss(0, spread)), block
                )
            )
        run.lines.append(crosscheck("tokio-multi-thread", "switch", {"k": 2, "m": 500}, 30, block))
        run.header.runtimes["node"]["explained"] = {"spawn": "their loop starts tasks in batches"}
    summary = summarise(run)
    return {
        (row["runtime"], row["workload"]): row for row in summary.controls["agreement"]
    }, summary


@pytest.mark.parametrize(
    ("blocks", "method"), [([1, 3, 5, 7], "ranks"), (list(range(12)), "paired")]
)
def test_cross_check(blocks: list[int], method: str) -> None:
    """Few lines are judged by ranks, many are paired by block: each of them one process of the
    harness.
    """
    rows, _ = checked(blocks)
    assert {row["method"] for row in rows.values()} == {method}
    assert rows["asyncio", "spawn"]["state"] == "agrees"
    assert rows["asyncio", "spawn"]["agrees"]
    assert rows["asyncio", "spawn"]["explanation"] == "", "what agrees needs none"
    assert rows["node", "spawn"]["state"] == "disagrees"
    assert not rows["node", "spawn"]["agrees"]
    assert rows["node", "spawn"]["explanation"] == "their loop starts tasks in batches"
    assert rows["node", "spawn"]["ratio"] == pytest.approx(285 / 180, rel=0.05)
    interval = rows["node", "spawn"]["interval"]
    assert interval["low"] < 285 / 180 < interval["high"]
    assert interval["confidence"] >= 0.95
    assert rows["node", "spawn"]["theirs"]["n"] == len(blocks)
    assert rows["tokio-multi-thread", "switch"]["ratio"] == pytest.approx(1, rel=0.05), (
        "per resume on both sides"
    )


@pytest.mark.parametrize(("n", "m"), [(9, 2), (9, 3), (8, 4)])
def test_ranks_hold_what_they_say_over_all_orders(n: int, m: int) -> None:
    held = []
    for places in combinations(range(1, n + m + 1), m):
        ours = [float(place) for place in range(1, n + m + 1) if place not in places]
        found = crosschecks.by_ranks([float(place) for place in places], ours)
        assert found.confidence >= 0.95
        held.append(found.low <= 1 <= found.high)
    assert sum(held) / len(held) == pytest.approx(found.confidence)


def test_ranks_by_hand() -> None:
    """Of four and nine the third from either end: the fourth would hold in 90 % of cases."""
    found = crosschecks.by_ranks([10, 20, 30, 40], range(1, 10))
    assert (found.low, found.high) == (10 / 7, 40 / 3)
    assert found.confidence == pytest.approx(1 - 30 / 715)
    assert crosschecks.by_ranks([10], range(1, 39)).confidence == 0
    assert crosschecks.by_ranks([10], range(1, 40)).confidence == pytest.approx(0.95)


def test_intervals_that_merely_overlap_are_no_agreement() -> None:
    rows, _ = checked([1, 3, 5, 7], spread=0.3)
    assert {row["state"] for key, row in rows.items() if key[1] == "spawn"} == {"can't tell"}


def test_a_single_cross_check_tells_nothing() -> None:
    """A process of the harness is one observation, however many samples it took."""
    rows, summary = checked([1])
    assert {row["state"] for row in rows.values()} == {"can't tell"}
    assert {row["interval"]["confidence"] for row in rows.values()} == {0.0}
    assert rows["node", "spawn"]["ratio"] == pytest.approx(285 / 180, rel=0.1)
    assert not [warning for warning in summary.warnings if warning.startswith("cross-check")]


def test_a_disagreement_stands_at_its_number_and_at_the_head_of_the_run() -> None:
    _, summary = checked([1, 3, 5, 7])
    flagged = [
        cell for cell in summary.cells if "cross-check" in {flag.name for flag in cell.flags}
    ]
    assert [cell.key for cell in flagged] == ["spawn/n=1000/one-cpu/node/time"]
    assert flagged[0].trusted, "amber: the number is what it is"
    (told,) = [warning for warning in summary.warnings if warning.startswith("cross-check")]
    assert told.startswith("cross-check of node, spawn n=1000: native reads 1.")
    assert told.endswith("times as much: their loop starts tasks in batches")


def test_a_disagreement_that_nobody_explains_says_so_and_a_failure_is_told() -> None:
    run = make_run(blocks=12, workloads=["spawn"])
    run.lines.extend(
        crosscheck("uvloop", "spawn", {"n": 1000}, 12_000, block) for block in (1, 3, 5)
    )
    failed = {"runtime": "gevent", "failed": "ended with exit status 1"}
    run.lines.extend(log.Control(name="crosscheck", block=block, values=failed) for block in (1, 3))
    warnings = summarise(run).warnings
    assert any(warning.endswith("times as much: not explained") for warning in warnings)
    assert warnings.count("cross-check of gevent failed: ended with exit status 1") == 1


@pytest.mark.parametrize(("drift", "told"), [(0.0, []), (0.4, ["+"]), (-0.4, ["-"])])
def test_a_canary_that_drifts_is_told_at_the_head_of_the_run(drift: float, told: list[str]) -> None:
    found = summarise(
        make_run(blocks=12, workloads=["hand-off"], noise=Noise(drift=drift))
    ).warnings
    said = [
        warning.removeprefix("the canary drifted by ")[0]
        for warning in found
        if warning.startswith("the canary drifted by ")
    ]
    assert said == told


@pytest.mark.parametrize("is_told", [True, False])
def test_a_box_that_tells_nothing_of_its_neighbours_says_so(is_told: bool) -> None:
    """Without it a number without a flag would seem undisturbed."""
    made = make_run(blocks=9, workloads=["hand-off"])
    blind = [
        msgspec.structs.replace(
            line, witness=msgspec.structs.replace(line.witness, busy_ns=None, steal_ns=None)
        )
        if isinstance(line, log.Invocation) and not is_told
        else line
        for line in made.lines
    ]
    found = summarise(msgspec.structs.replace(made, lines=blind))
    assert (
        any("does not tell what its CPUs did" in warning for warning in found.warnings) != is_told
    )
