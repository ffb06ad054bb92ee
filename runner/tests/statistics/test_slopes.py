"""Slopes in the profiles as they are: points that are for some runtimes only take no slope from the
others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest
from synthetic import make_run

from corobench.plan import PROFILE, Selection, block_order, make_plan
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, RunSummary
from corobench.suite.load import load_suite
from corobench.suite.runtime import Suite
from corobench.suite.workload import Parameter, parse_case

REPOSITORY = Path(__file__).resolve().parents[3]
# threads that take any n here, and some that are too dear for more than a few
FREE, SMALL = "pthread", "java-platform"
OFFERED: dict[str, dict[str, dict[str, list[Parameter]]]] = {
    FREE: {},
    SMALL: {
        "memory": {"n": [20, 50, 100, 150, 200]},
        "memory-state": {"n": [20, 50]},
        "spawn": {"n": [100, 1_000]},
    },
}
RUNTIMES = ["asyncio", "go-p1", "go", FREE, SMALL]
WORKLOADS = ["memory", "memory-state", "spawn"]
BYTES = 2_000
SECONDS = 5e-6
BLOCKS = 9


@cache
def suite() -> Suite:
    """The suite with its own points, and with threads that offer what is said above."""
    found = load_suite(REPOSITORY)
    runtimes = {name: found.runtimes[name] for name in RUNTIMES}
    for name, values in OFFERED.items():
        manifest = msgspec.structs.replace(runtimes[name].manifest, values={})
        variant = msgspec.structs.replace(runtimes[name].variant, values=values)
        runtimes[name] = msgspec.structs.replace(runtimes[name], manifest=manifest, variant=variant)
    return msgspec.structs.replace(found, runtimes=runtimes)


def rungs(profile: str, workload: str, unit: str | None = None) -> list[int]:
    """The points of a profile for everybody, or those for one unit."""
    among = [unit] if unit else None
    return sorted(
        int(p.params["n"])
        for p in suite().workloads[workload].points(profile)
        if p.only_units == among
    )


def ladder(profile: str, workload: str, unit: str | None = None) -> str:
    found = rungs(profile, workload, unit)
    return f"n={found[0]}..{found[-1]}"


@cache
def measured(profile: str) -> RunSummary:
    """A run of a profile as it is planned, in which every task costs the same."""
    made = suite()
    plan = make_plan(
        made, Selection(profile=profile, workloads=WORKLOADS, runtimes=RUNTIMES), seed=1
    )
    like = make_run(blocks=1, workloads=["memory"], runtimes=["asyncio"])
    names = {parse_case(key).runtime for key in plan.cases}
    header = msgspec.structs.replace(
        like.header,
        plan=plan,
        runtimes={
            name: {"title": name, "tracks": list(made.runtimes[name].variant.tracks)}
            for name in names
        },
        workloads={name: msgspec.to_builtins(made.workloads[name]) for name in WORKLOADS},
        claims=PROFILE[profile].claims,
    )
    return summarise(
        msgspec.structs.replace(
            like, header=header, lines=list(_lines(header, like.invocations[0]))
        )
    )


def _lines(header: log.RunHeader, like: log.Invocation) -> Iterator[log.Line]:
    for block in range(BLOCKS):
        for position, key in enumerate(block_order(header.plan, block)):
            case = parse_case(key)
            n = int(header.plan.points[f"{case.workload}/{case.point}"].params["n"])
            holds = {
                name: _memory(like, 10_000_000 + (n * BYTES if name == "live" else 0))
                for name in ("base", "live", "released")
            }
            elapsed = [int(1e9 * SECONDS * n * (1 + 0.001 * (block % 3)))] * 8
            yield msgspec.structs.replace(
                like,
                case=key,
                block=block,
                position=position,
                iterations=[log.Iteration(value, value, n) for value in elapsed],
                holds=holds if header.workloads[case.workload]["kind"] == "memory" else {},
            )
        yield log.Mark(event="block-complete", at="", block=block)


def _memory(like: log.Invocation, private: int) -> log.Memory:
    return msgspec.structs.replace(like.holds["live"], private_dirty=private)


def slopes(profile: str, workload: str, runtime: str) -> dict[str, Cell]:
    """The slopes of a runtime by ladder."""
    cells = measured(profile).cells
    metric = "slope" if workload == "spawn" else "bytes"
    return {
        c.point: c
        for c in cells
        if (c.workload, c.runtime, c.metric) == (workload, runtime, metric)
    }


@pytest.mark.parametrize("runtime", ["asyncio", "go-p1", "go", FREE])
@pytest.mark.parametrize(
    ("profile", "workload"), [("breadth", "memory"), ("publish", "memory"), ("publish", "spawn")]
)
def test_points_for_threads_take_no_slope_from_anybody(
    profile: str, workload: str, runtime: str
) -> None:
    assert rungs(profile, workload, "thread"), "else this shows nothing"
    found = slopes(profile, workload, runtime)[ladder(profile, workload)]
    assert found.median, found.gap
    assert found.median.center == pytest.approx(SECONDS if workload == "spawn" else BYTES, rel=0.01)
    assert found.median.n == BLOCKS
    assert [n for n, _ in found.curve] == rungs(profile, workload)
    assert "no control" not in {flag.name for flag in found.flags}


@pytest.mark.parametrize("profile", ["breadth", "publish"])
def test_nobody_is_said_to_have_been_interrupted(profile: str) -> None:
    assert not [cell.key for cell in measured(profile).cells if "ended before" in (cell.gap or "")]


@pytest.mark.parametrize("profile", ["breadth", "publish"])
@pytest.mark.parametrize("runtime", [FREE, SMALL])
def test_threads_have_a_ladder_of_their_own_with_its_control(profile: str, runtime: str) -> None:
    """Those that are too dear for more stand beside those that are not, at the same N."""
    found = slopes(profile, "memory", runtime)[ladder(profile, "memory", "thread")]
    assert found.median, found.gap
    assert found.median.center == pytest.approx(BYTES, rel=0.01)
    assert [n for n, _ in found.curve] == rungs(profile, "memory", "thread")
    assert "no control" not in {flag.name for flag in found.flags}


def test_a_runtime_with_few_points_of_several_ladders_has_one_of_all_of_them() -> None:
    found = slopes("publish", "spawn", SMALL)["n=100..1000"]
    assert found.median
    assert found.median.center == pytest.approx(SECONDS, rel=0.01)
    assert "no control" in {flag.name for flag in found.flags if flag.level == "red"}, (
        "nobody's twin is measured there"
    )


def test_where_a_runtime_has_no_slope_its_reason_stands() -> None:
    """The ladder for everybody reaches further than its threads do."""
    found = slopes("publish", "memory", SMALL)[ladder("publish", "memory")]
    assert found.median is None
    assert "up to 200" in (found.gap or "")


def without(run: log.Run, case: str) -> RunSummary:
    plan = msgspec.structs.replace(
        run.header.plan, cases=[key for key in run.header.plan.cases if key != case]
    )
    return summarise(
        msgspec.structs.replace(run, header=msgspec.structs.replace(run.header, plan=plan))
    )


@pytest.fixture(scope="module")
def run() -> log.Run:
    return make_run(blocks=9, workloads=["memory"])


def test_a_ladder_without_a_rung_inside_is_no_slope(run: log.Run) -> None:
    found = without(run, "memory/n=10000/one-cpu/node").cells
    (cell,) = (cell for cell in found if cell.runtime == "node")
    assert cell.median is None
    assert cell.gap == "no slope: it is not measured at n = 10000, as the others are"


def test_a_ladder_that_ends_before_stands_alone(run: log.Run) -> None:
    """Its slope is from other N: nobody is compared with it, and nothing is claimed of it."""
    found = without(run, "memory/n=100000/one-cpu/node").cells
    (cell,) = (cell for cell in found if cell.runtime == "node")
    assert cell.point == "n=1000..50000"
    assert cell.median
    assert cell.median.center == pytest.approx(420, rel=0.02)
    assert cell.comparison is None
    assert cell.group is None
