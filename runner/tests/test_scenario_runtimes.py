"""Who takes part in the scenarios: in fizzbuzz all, with and without a collector, and whatever a
document is quoted beside.
"""

from __future__ import annotations

import planted
import pytest

from corobench.plan import Selection, make_plan
from corobench.suite.load import load_suite
from corobench.suite.workload import PROFILES, Case, Parameter, Point, parse_case

SUITE = load_suite(planted.REPOSITORY)
FULL = "scenarios"
OFF = "-gcoff"


def planned(workload: str, profile: str = FULL) -> list[tuple[Case, Point]]:
    """The cases of a plan, each with its point."""
    plan = make_plan(SUITE, Selection(profile=profile, workloads=[workload]), 1)
    cases = map(parse_case, plan.cases)
    return [(case, plan.points[f"{workload}/{case.point}"]) for case in cases]


SCENARIOS = {name for name, spec in SUITE.workloads.items() if spec.group == "scenario"}
OWED = {
    "mixed": (
        "gevent eventlet asyncio uvloop threads go-p1 go tokio-current-thread "
        "tokio-multi-thread node"
    ),
    "http": (
        "microhttpd-threads microhttpd-epoll go hyper-current-thread axum-current-thread node "
        "asyncio uvloop aiohttp uvicorn "
        "granian gunicorn-sync gunicorn-gevent gevent eventlet threads nginx"
    ),
    "webmatrix": (
        "flask-gunicorn falcon-gunicorn fastapi-def-gunicorn fastapi-gunicorn "
        "fastapi-granian aiohttp-gunicorn "
        "fastapi-uvicorn flask-gunicorn-gevent japronto"
    ),
}
REMEDIES = {
    "go": "gosched semaphore pool",
    "tokio-multi-thread": "yield-now consume-budget block-in-place spawn-blocking semaphore",
    "asyncio": "slices thread process",
    "uvloop": "slices thread process",
    "gevent": "slices threadpool process",
    "node": "slices microtasks worker",
}


@pytest.mark.parametrize("profile", ["quick", "default", FULL])
def test_every_scenario_is_in_a_profile_that_users_run(profile: str) -> None:
    assert {
        parse_case(case).workload for case in make_plan(SUITE, Selection(profile=profile), 1).cases
    } >= SCENARIOS


@pytest.mark.parametrize("workload", OWED)
def test_all_take_part_whom_a_scenario_is_about(workload: str) -> None:
    assert {case.runtime for case, _ in planned(workload)} >= set(OWED[workload].split())


@pytest.mark.parametrize("runtime", REMEDIES)
def test_a_runtime_shows_all_its_remedies_beside_idle_and_naive(runtime: str) -> None:
    modes = {
        point.params["mode"] for case, point in planned("starvation") if case.runtime == runtime
    }
    assert modes == {"idle", "naive", *REMEDIES[runtime].split()}


@pytest.mark.parametrize("name", [name for name in SUITE.runtimes if name.endswith(OFF)])
def test_what_is_measured_without_its_collector_is_measured_with_it_too(name: str) -> None:
    with_it = SUITE.runtimes[name.removesuffix(OFF)]
    assert set(SUITE.runtimes[name].profiles or PROFILES) <= set(with_it.profiles or PROFILES)


def test_fizzbuzz_is_measured_of_all_that_have_it() -> None:
    spec = SUITE.workloads["fizzbuzz"]
    having = {
        name
        for name, runtime in SUITE.runtimes.items()
        if runtime.concerns(spec) and runtime.gap(spec) is None
    }
    alone = {name for name in having if "one-cpu" in SUITE.runtimes[name].variant.tracks}
    assert {case.runtime for case, _ in planned("fizzbuzz")} == alone


@pytest.mark.parametrize(
    "workload",
    [name for name, spec in SUITE.workloads.items() if spec.group == "scenario" and spec.citation],
)
def test_what_a_document_is_quoted_beside_is_measured(workload: str) -> None:
    cases = planned(workload)
    for quoted in SUITE.workloads[workload].citation:
        at: dict[str, Parameter] = {**quoted.at}
        there = [
            (case.runtime, case.track)
            for case, point in cases
            if at.items() <= point.params.items()
        ]
        assert (quoted.runtime, quoted.track) in there, f"{quoted.runtime} at {at}: {quoted.claim}"


def test_a_document_is_linked_where_its_address_is_known() -> None:
    """Of the one about worker connections none was found that holds its figures."""
    quoted = [quoted for spec in SUITE.workloads.values() for quoted in spec.citation]
    assert {one.mark for one in quoted if one.source is None} == {"connections a worker"}
    assert all(one.source.url.startswith("https://") for one in quoted if one.source)


def test_starvation_is_seen_in_a_quick_run_and_a_remedy_in_a_default_one() -> None:
    modes = {
        profile: {point.params["mode"] for _, point in planned("starvation", profile)}
        for profile in ("quick", "default")
    }
    assert {"idle", "naive"} == modes["quick"] < modes["default"]
