"""Mixed: what the spec makes of a program that serves its requests first in, first out, whose numbers arithmetic tells."""

from __future__ import annotations

import heapq

import pytest
import scenario_runs

from corobench import store
from corobench.case import Case
from corobench.checks import required
from corobench.distribution import of
from corobench.manifest import load_workload
from corobench.model import Parameter, Point
from corobench.quantities import values
from corobench.report import advice, sweep
from corobench.report.charts import multiples
from corobench.statistics.summary import summarise
from corobench.statistics.values import Cell, RunSummary

SPEC = load_workload(scenario_runs.ROOT / "workloads" / "mixed.toml")
OVERHEAD = 1.02  # of a request's CPU time, for its task and its messages
LIMITS = {track: multiples.Limit(cores=cores, cpu=0.005, wait=0.055) for track, cores in (("one-cpu", 1), ("all-cpus", 2))}
Life = tuple[int, int]
"""When a request arrived and ended, ns."""


def served(params: dict[str, Parameter], cores: int) -> list[Life]:
    """The requests, by their ends: whoever is ready first gets the next free core, and keeps it for a piece."""
    c, requests, splits = (int(params[key]) for key in ("c", "requests", "splits"))
    piece = int(int(params["cpu_us"]) * 1000 * OVERHEAD / (splits + 1))
    wait = int(params["wait_us"]) * 1000 // splits
    ready = [(0, turn, 0, splits) for turn in range(min(c, requests))]  # since when, turn, arrival, waits left
    free, ended, turn, given = [0] * cores, [], len(ready), len(ready)
    while ready:
        since, _, arrival, left = heapq.heappop(ready)
        now = max(since, heapq.heappop(free)) + piece
        heapq.heappush(free, now)
        if left:
            heapq.heappush(ready, (now + wait, turn, arrival, left - 1))
        else:
            ended.append((arrival, now))
            if given < requests:
                heapq.heappush(ready, (now, turn, now, splits))
                given += 1
        turn += 1
    return ended


def simulated(case: Case, params: dict[str, Parameter], _: object) -> scenario_runs.Said:
    """What such a program says, its steady window by the words of the contract."""
    c, n = int(params["c"]), int(params["requests"])
    cores = 2 if case.track == "all-cpus" else 1
    lives = served(params, cores)
    last = n - c - 1
    steady = max(last - c, 0) // c * c
    response = [end - arrival for arrival, end in lives[last - steady + 1 : last + 1]]
    worked = n * int(params["cpu_us"]) * 1000
    opens, closes = lives[last - steady][1], lives[last][1]
    alive = sum(max(0, min(end, closes) - max(arrival, opens)) for arrival, end in lives)
    evidence: dict[str, Parameter] = {
        "finished": len(lives), "pieces": n * (int(params["splits"]) + 1), "asked_ns": worked, "worked_ns": worked,
        "most_alive": min(c, n), "steady_ops": steady, "steady_ns": closes - opens, "steady_alive_ns": alive,
    }  # fmt: skip
    series = {"response": response, "service": response, "queueing": [0] * steady}
    iteration = store.Iteration(lives[-1][1], int(worked * OVERHEAD), n)
    return iteration, evidence, series, {"timeline": []}, scenario_runs._companion(n, cores)


@pytest.fixture(scope="module", params=["default", "scenarios"])
def profile(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def summary(profile: str, tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scenario_runs, "SCENARIOS", ("mixed",))
        patch.setattr(scenario_runs, "_mixed", simulated)
        folder = tmp_path_factory.mktemp("results") / "testbox" / profile
        return summarise(store.read(scenario_runs.write(folder, blocks=1, profile=profile)))


def found(summary: RunSummary, metric: str, track: str = "one-cpu") -> dict[int, Cell]:
    """By concurrency, of the sweep that waits once, for the peer."""
    fixed = {"splits": "1", "wait": "peer", "cpu_us": "5000"}
    cells = [
        c for c in summary.cells if (c.metric, c.track, c.runtime) == (metric, track, "go-p1" if track == "one-cpu" else "go")
    ]
    return {
        int(sweep.value(c, "c") or 0): c
        for c in cells
        if fixed.items() <= sweep.parameters(c.point).items() and c.typical is not None
    }


def center(cell: Cell) -> float:
    assert cell.typical
    return cell.typical.center


def test_throughput_is_what_arithmetic_says_however_few_the_requests_are(summary: RunSummary) -> None:
    throughput = {c: center(cell) for c, cell in found(summary, "throughput").items()}
    full = 1 / (0.005 * OVERHEAD)
    assert throughput[1] == pytest.approx(16.5, rel=0.01)
    assert throughput[5] == pytest.approx(81, rel=0.03)
    plateau = {c: rate for c, rate in throughput.items() if c > 12}
    assert plateau == pytest.approx(dict.fromkeys(plateau, full), rel=0.015)
    assert 190 < full < 200


def test_speed_up_and_use_of_the_core(summary: RunSummary) -> None:
    speed_up, used = found(summary, "speed-up"), found(summary, "utilisation")
    assert 1 not in speed_up
    assert 4.7 < center(speed_up[5]) <= 5, "now and then two are ready at once, and one waits for a piece of the other"
    assert center(speed_up[25]) == pytest.approx(11.8, rel=0.01)
    assert center(used[25]) == pytest.approx(1, rel=0.01)


def test_there_is_no_percentile_of_too_few(summary: RunSummary, profile: str) -> None:
    medians, most, tails = (set(found(summary, f"response-{name}")) for name in ("p50", "p95", "p99"))
    assert medians == found(summary, "throughput").keys()
    assert (most, tails) == (({13, 25}, set()) if profile == "default" else (medians - {1}, {13, 25}))


def test_the_knee_is_where_the_limit_is(summary: RunSummary, profile: str) -> None:
    if profile == "default":
        pytest.skip("too few concurrencies for a knee")
    workload = next(w for w in summary.workloads if w.name == "mixed")
    for track, runtime, at in (("one-cpu", "go-p1", {"12", "13"}), ("all-cpus", "go", {"27"})):
        cells = list(found(summary, "response-p50", track).values())
        knee = multiples.knee(workload, cells, "c", LIMITS)[track, runtime]
        assert knee in at, track


def test_the_connections_that_are_worth_it_stand_between_two_that_were_measured(summary: RunSummary, profile: str) -> None:
    """With 11 the core is idle for a little more than a tenth of the time; arithmetic says 12."""
    workload = next(w for w in summary.workloads if w.name == "mixed")
    rows = [row for row in advice.advised(summary, workload) if row.runtime == "go-p1"]
    row = next(row for row in rows if "splits = 1, cpu_us = 5,000" in row.where and "wait = peer" in row.where)
    assert (row.above, row.knee) == (("5", "13") if profile == "default" else ("11", "12"))
    assert row.rules == ["12: 99 % of the best (with 13)" if profile == "default" else "12: 97 % of the best"]


def test_littles_law_holds_on_both_sides() -> None:
    params: dict[str, Parameter] = {"c": 13, "splits": 1, "cpu_us": 5_000, "wait_us": 55_000, "requests": 131, "wait": "peer"}
    case = Case("mixed", Point(params=params, profiles=["default"]).name, "one-cpu", "go-p1")
    iteration, evidence, series, _, observed = simulated(case, params, None)
    names = {**values(params, iteration, evidence, {}, observed), "process_cpu": 1.0}

    def problem(**changed: int) -> str | None:
        return required(SPEC, {**names, **changed}, {name: of(samples) for name, samples in series.items()})

    assert problem() is None
    for share in (0.94, 1.07):  # of the time that it took
        assert "Little's law" in (problem(steady_ns=int(int(evidence["steady_ns"]) * share)) or "")


def test_work_that_was_only_claimed_is_no_work() -> None:
    params: dict[str, Parameter] = {"c": 1, "splits": 1, "cpu_us": 5_000, "wait_us": 55_000, "requests": 13, "wait": "peer"}
    case = Case("mixed", Point(params=params, profiles=["default"]).name, "one-cpu", "go-p1")
    iteration, evidence, series, _, observed = simulated(case, params, None)
    names = {**values(params, iteration, evidence, {}, observed), "process_cpu": 0.05}
    said = required(SPEC, names, {name: of(samples) for name, samples in series.items()})
    assert said
    assert said.startswith("the process must have used the CPU time that its requests asked for")
