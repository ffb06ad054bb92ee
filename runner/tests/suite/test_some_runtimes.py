"""Points that are measured of some runtimes only, where all of them would take too long."""

from __future__ import annotations

from collections import defaultdict

import msgspec
import planted
import pytest

from corobench.plan import Selection, make_plan
from corobench.suite.load import load_suite
from corobench.suite.runtime import Suite
from corobench.suite.workload import Point, parse_case

SUITE = load_suite(planted.REPOSITORY)
WHOLE, CROSS = {"flask-gunicorn", "fastapi-granian"}, "falcon-gunicorn"


def measured(suite: Suite, workload: str, profile: str) -> dict[str, set[str]]:
    """The runtimes at each point of a plan."""
    found: dict[str, set[str]] = defaultdict(set)
    for key in make_plan(suite, Selection(profile=profile, workloads=[workload]), 1).cases:
        case = parse_case(key)
        found[case.point].add(case.runtime)
    return found


@pytest.mark.parametrize("workload", SUITE.workloads)
def test_every_runtime_that_a_point_names_can_be_measured_there(workload: str) -> None:
    spec = SUITE.workloads[workload]
    for point in spec.point:
        for name in point.runtimes or []:
            runtime = SUITE.runtimes.get(name)
            assert runtime is not None, (
                f"{workload}.toml: point {point.name}: unknown runtime {name!r}"
            )
            assert runtime.gap(spec) is None, (
                f"{workload}.toml: point {point.name}: {name} has no program for it"
            )
            assert runtime.offers(workload, point.params), (
                f"{workload}.toml: point {point.name}: {name} does not offer it"
            )


def test_a_setting_of_several_points_is_measured_of_the_runtimes_of_each() -> None:
    spec = SUITE.workloads["spawn"]

    def planned(*runtimes: list[str] | None) -> set[str]:
        points = [Point(params={"n": 10}, profiles=["smoke"], runtimes=some) for some in runtimes]
        workloads = {"spawn": msgspec.structs.replace(spec, point=points)}
        return measured(msgspec.structs.replace(SUITE, workloads=workloads), "spawn", "smoke")[
            "n=10"
        ]

    assert planned(["asyncio"], ["uvloop"]) == {"asyncio", "uvloop"}
    assert planned(["asyncio"]) == {"asyncio"}
    assert planned(["asyncio"], None) == planned(None) > {"asyncio", "uvloop", "node"}


def test_the_web_matrix_is_whole_for_two_and_a_cross_for_the_others() -> None:
    cells = {
        point: names
        for point, names in measured(SUITE, "webmatrix", "scenarios").items()
        if "wait_us=0,front=none" in point
    }
    assert len(cells) == 7 * 6
    assert all(names >= WHOLE for names in cells.values())
    of_one = [point.split(",")[:2] for point, names in cells.items() if CROSS in names]
    assert len(of_one) == 8
    assert all("workers=3" in place or "clients=10" in place for place in of_one)


def test_the_default_profile_has_a_small_web_matrix_and_quick_a_point_of_it() -> None:
    cells = {profile: measured(SUITE, "webmatrix", profile) for profile in ("quick", "default")}
    assert len([names for names in cells["default"].values() if names >= WHOLE]) == 2 * 2
    assert set(cells["quick"]) < set(cells["default"])


def test_the_default_profile_has_an_open_loop_of_every_server_scenario() -> None:
    for workload, word in (("http", "phase=open"), ("starvation-http", "loop=open")):
        assert any(word in point for point in measured(SUITE, workload, "default"))
