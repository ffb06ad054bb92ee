"""Mixed: what the spec makes of a program that serves its requests first in, first out, whose
numbers arithmetic tells.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Sequence
from random import Random
from statistics import median_high

import msgspec
import pytest
import scenario_runs

from corobench.contract.checks import required
from corobench.report import citations, scenarios, sweeps
from corobench.report.charts import curves
from corobench.results import log
from corobench.results.histogram import histogram_of
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, Flag, RunSummary
from corobench.suite.load import load_workload
from corobench.suite.variables import values
from corobench.suite.workload import Case, Parameter, Point

SPEC = load_workload(scenario_runs.ROOT / "workloads" / "mixed.toml")
OVERHEAD = 1.02  # of a request's CPU time, for its task and its messages
LIMITS = {
    track: sweeps.Limit(cores=cores, cpu=0.005, wait=0.055)
    for track, cores in (("one-cpu", 1), ("all-cpus", 2))
}
Life = tuple[int, int]
"""When a request arrived and ended, ns."""


def served(params: dict[str, Parameter], cores: int) -> list[Life]:
    """The requests, by their ends: whoever is ready first gets the next free core, and keeps it for
    a piece.
    """
    c, requests, splits = (int(params[key]) for key in ("c", "requests", "splits"))
    piece = int(int(params["cpu_us"]) * 1000 * OVERHEAD / (splits + 1))
    wait = int(params["wait_us"]) * 1000 // splits
    # since when, turn, arrival, waits left
    ready = [(0, turn, 0, splits) for turn in range(min(c, requests))]
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


def polled(
    c: int, requests: int, order: Callable[[list[int], list[int]], list[int]], *, at_once: bool
) -> list[Life]:
    """The requests of an event loop on one core that serves all sockets that a poll found ready
    before it polls again.

    `order`: of the chains that the poll found, by when they became ready, and of those that the one
    before had found, the order in which they are served. `at_once`: a request that another spawns
    begins before the next socket is served.
    """
    piece, wait = int(5_000_000 * OVERHEAD / 2), 55_000_000
    now, given, found, lives = 0, c, list[int](), list[Life]()
    arrived, ready, spawned = dict.fromkeys(range(c), 0), dict[int, int](), list(range(c))
    while spawned or ready:
        for chain in spawned:
            now += piece
            ready[chain] = now + wait
        spawned, now = [], max(now, min(ready.values()))
        found = order(
            [
                chain
                for since, chain in sorted((at, chain) for chain, at in ready.items())
                if since <= now
            ],
            found,
        )
        for chain in found:
            del ready[chain]
            now += piece
            lives.append((arrived[chain], now))
            if given == requests:
                continue
            given, arrived[chain] = given + 1, now
            if at_once:
                now += piece
                ready[chain] = now + wait
            else:
                spawned.append(chain)
    return lives


def window(c: int, requests: int) -> tuple[int, int]:
    """The last end of the steady window, by its place among the ends, and how many there are
    in it.
    """
    last = requests - c - 1
    return last, max(last - c, 0) // c * c


def responses(c: int, lives: list[Life]) -> list[int]:
    """Those of the steady window, ns."""
    last, steady = window(c, len(lives))
    return [end - arrival for arrival, end in lives[last - steady + 1 : last + 1]]


def simulated(case: Case, params: dict[str, Parameter], _: object) -> scenario_runs.Said:
    """What such a program says, its steady window by the words of the contract."""
    c, n = int(params["c"]), int(params["requests"])
    cores = 2 if case.track == "all-cpus" else 1
    lives = served(params, cores)
    last, steady = window(c, n)
    response = responses(c, lives)
    worked = n * int(params["cpu_us"]) * 1000
    opens, closes = lives[last - steady][1], lives[last][1]
    alive = sum(max(0, min(end, closes) - max(arrival, opens)) for arrival, end in lives)
    evidence: dict[str, Parameter] = {
        "finished": len(lives), "pieces": n * (int(params["splits"]) + 1), "asked_ns": worked, "worked_ns": worked,
        "most_alive": min(c, n), "steady_ops": steady, "steady_ns": closes - opens, "steady_alive_ns": alive,
    }  # fmt: skip
    series = {"response": response, "service": response, "queueing": [0] * steady}
    iteration = log.Iteration(lives[-1][1], int(worked * OVERHEAD), n)
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
        return summarise(log.read(scenario_runs.write(folder, blocks=1, profile=profile)))


def found(summary: RunSummary, metric: str, track: str = "one-cpu") -> dict[int, Cell]:
    """By concurrency, of the sweep that waits once, for the peer."""
    fixed = {"splits": "1", "wait": "peer", "cpu_us": "5000"}
    cells = [
        c
        for c in summary.cells
        if (c.metric, c.track, c.runtime)
        == (metric, track, "go-p1" if track == "one-cpu" else "go")
    ]
    return {
        int(sweeps.value(c, "c") or 0): c
        for c in cells
        if fixed.items() <= sweeps.parameters(c.point).items() and c.median is not None
    }


def center(cell: Cell) -> float:
    assert cell.median
    return cell.median.center


def test_throughput_is_what_arithmetic_says_however_few_the_requests_are(
    summary: RunSummary,
) -> None:
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
    assert 4.7 < center(speed_up[5]) <= 5, (
        "now and then two are ready at once, and one waits for a piece of the other"
    )
    assert center(speed_up[25]) == pytest.approx(11.8, rel=0.01)
    assert center(used[25]) == pytest.approx(1, rel=0.01)


def test_there_is_no_percentile_of_too_few(summary: RunSummary, profile: str) -> None:
    medians, most, tails = (
        set(found(summary, f"response-{name}")) for name in ("p50", "p95", "p99")
    )
    assert medians == found(summary, "throughput").keys()
    assert (most, tails) == (
        ({13, 25}, set()) if profile == "default" else (medians - {1}, {13, 25, 50})
    )


def test_the_knee_is_where_the_limit_is(summary: RunSummary, profile: str) -> None:
    if profile == "default":
        pytest.skip("too few concurrencies for a knee")
    workload = next(w for w in summary.workloads if w.name == "mixed")
    for track, runtime, at in (("one-cpu", "go-p1", {"12", "13"}), ("all-cpus", "go", {"27"})):
        cells = list(found(summary, "response-p50", track).values())
        knee = curves.knee(workload, cells, "c", LIMITS)[track, runtime]
        assert knee in at, track


def test_the_connections_that_are_worth_it_stand_between_two_that_were_measured(
    summary: RunSummary, profile: str
) -> None:
    """With 11 the core is idle for a little more than a tenth of the time; arithmetic says 12."""
    workload = next(w for w in summary.workloads if w.name == "mixed")
    rows = [row for row in citations.advised(summary, workload) if row.runtime == "go-p1"]
    row = next(
        row
        for row in rows
        if "splits = 1, cpu_us = 5,000" in row.where and "wait = peer" in row.where
    )
    assert (row.above, row.knee) == (("5", "13") if profile == "default" else ("11", "12"))
    assert row.rules == [
        "12: 99 % of the best (with 13)" if profile == "default" else "12: 97 % of the best"
    ]


Wrong = dict[tuple[str, str, int], tuple[float, float]]
"""(runtime, metric, concurrency) -> what the ends of its interval are multiplied by."""


def shape(
    summary: RunSummary, wrong: Wrong, why: dict[str, str] | None, flags: Sequence[Flag] = ()
) -> scenarios.QueueFit:
    """As if one block were enough to rank; what is `wrong` has these flags."""

    def changed(cell: Cell) -> Cell:
        low, high = wrong.get(
            place := (cell.runtime, cell.metric, int(sweeps.value(cell, "c") or 0)), (1.0, 1.0)
        )
        one, told = cell.median, list(flags) if place in wrong else []
        if one is None:
            return cell
        moved = msgspec.structs.replace(
            one, center=one.center * (low + high) / 2, low=one.low * low, high=one.high * high
        )
        return msgspec.structs.replace(cell, flags=told, median=moved)

    cells = [changed(c) for c in summary.cells]
    told = [
        None if why is None else {"mixed": why[r.name]} if r.name in why else {"spawn": "no"}
        for r in summary.runtimes
    ]
    runtimes = [
        msgspec.structs.replace(r, deviates=one)
        for r, one in zip(summary.runtimes, told, strict=True)
    ]
    workload = next(w for w in summary.workloads if w.name == "mixed")
    found = scenarios.queue_fit(
        msgspec.structs.replace(summary, cells=cells, runtimes=runtimes), workload
    )
    assert found
    return found


def test_a_queue_that_is_first_in_first_out_keeps_the_shape(summary: RunSummary) -> None:
    """Also where the two lines bend into each other, of which nothing is said."""
    found = shape(
        summary,
        {("uvloop", "throughput", 13): (0.9, 0.9), ("uvloop", "response-worst", 13): (2.0, 2.0)},
        {},
    )
    assert (found.departures, found.unclear) == ([], [])
    assert set(found.kept) == {r.name for r in summary.runtimes if "one-cpu" in r.tracks}
    (row,) = found.rows
    assert row.how == "keep it"
    rate, *_ = found.bounds
    assert rate[:2] == ("rate", "min(c / (CPU + wait), 1 / CPU)")
    assert rate[2].replace("\N{NO-BREAK SPACE}", " ") == "less 5 % at most"


def test_who_departs_is_named_with_how_far_and_why(summary: RunSummary) -> None:
    wrong: Wrong = {
        ("gevent", "response-worst", 25): (2.0, 2.0),
        ("node", "throughput", 25): (0.9, 0.9),
        ("node", "response-p50", 25): (1.2, 1.2),
    }
    found = shape(summary, wrong, {"gevent": "made up"})
    gevent, node = found.departures
    assert (gevent.runtime, gevent.why) == ("gevent", "made up")
    assert gevent.how.startswith("response, worst ")
    assert gevent.how.endswith(" times what such a queue gives")
    assert " at c = 25, 2." in gevent.how
    assert (node.runtime, node.why) == ("node", scenarios.NOT_ESTABLISHED)
    assert [
        part.split(" at ")[0].split("\N{NO-BREAK SPACE}")[-1] for part in node.how.split("; ")
    ] == ["/s", "ms"]
    assert not {"gevent", "node"} & set(found.kept)
    older = shape(summary, wrong, None)
    assert {one.why for one in older.departures} == {scenarios.NOT_RECORDED}


def test_an_interval_on_both_sides_tells_nothing_and_one_outside_does_whatever_its_middle(
    summary: RunSummary,
) -> None:
    modes, noise = (Flag(name=name, level="red", text="made up") for name in ("modes", "steal"))
    both = shape(summary, {("gevent", "response-worst", 25): (0.9, 2.0)}, {}, [modes])
    assert (both.unclear, both.departures) == (["gevent"], [])
    assert [(row.runtime, row.how) for row in both.rows][1:] == [("gevent", "can't be told")]
    outside = shape(summary, {("gevent", "response-worst", 25): (1.4, 2.0)}, {}, [modes])
    assert [d.runtime for d in outside.departures] == ["gevent"]
    spoiled = shape(summary, {("gevent", "response-worst", 25): (1.4, 2.0)}, {}, [noise])
    assert spoiled.departures == []


def test_a_rate_is_judged_where_enough_rounds_fit_into_its_window(summary: RunSummary) -> None:
    low: Wrong = {("asyncio", "throughput", 25): (0.9, 0.92)}
    assert [d.runtime for d in shape(summary, low, {}).departures] == ["asyncio"]
    short = [
        msgspec.structs.replace(c, point=re.sub(r"^(c=25,.*requests)=\d+", r"\1=126", c.point))
        for c in summary.cells
    ]
    assert shape(msgspec.structs.replace(summary, cells=short), low, {}).departures == []


@pytest.mark.parametrize(("requests", "off"), [(300, 0.034), (700, 0.01), (151, 0.0)])
def test_the_edges_of_a_window_move_its_rate_where_few_rounds_fit_into_it(
    requests: int, off: float
) -> None:
    """Of a loop that serves in turn, c = 50 and, of the last, 25."""
    c = 50 if requests > 151 else 25
    lives = polled(c, requests, in_turn, at_once=False)
    last, steady = window(c, requests)
    rate = steady / (lives[last][1] - lives[last - steady][1]) * 1e9
    assert abs(rate * 0.005 * OVERHEAD - 1) == pytest.approx(off, abs=0.002)


def in_turn(found: list[int], _before: list[int]) -> list[int]:
    return found


def last_first(found: list[int], _before: list[int]) -> list[int]:
    return found[::-1]


def shuffled(found: list[int], _before: list[int]) -> list[int]:
    """In an order that has nothing to do with when they became ready."""
    return Random(repr(found)).sample(found, len(found))


def known_first(found: list[int], before: list[int]) -> list[int]:
    return sorted(found, key=lambda chain: before.index(chain) if chain in before else len(before))


@pytest.mark.parametrize(
    ("order", "at_once", "expected"),
    [
        (in_turn, False, (110, 127, 127)),
        (in_turn, True, (127, 127, 127)),
        (last_first, False, (97, 127, 204)),
        (known_first, False, (110, 127, 127)),
        (known_first, True, (71, 143, 143)),
        (last_first, True, (61, 122, 240)),
        (shuffled, False, (97, 127, 204)),
    ],
    ids=[
        "in turn",
        "in turn and at once",
        "libev",
        "level-triggered epoll",
        "epoll and at once",
        "last and at once",
        "a set",
    ],
)
def test_what_manifests_say_of_departures_is_what_such_a_loop_does(
    order: Callable[[list[int], list[int]], list[int]],
    at_once: bool,
    expected: tuple[int, int, int],
) -> None:
    """Least, median and worst response (ms) at c = 25; max(CPU + wait, c x CPU) is 125 ms."""
    found = responses(25, polled(25, 151, order, at_once=at_once))
    assert (min(found) / 1e6, median_high(found) / 1e6, max(found) / 1e6) == pytest.approx(
        expected, abs=0.6
    )


def test_littles_law_holds_on_both_sides() -> None:
    params: dict[str, Parameter] = {
        "c": 13,
        "splits": 1,
        "cpu_us": 5_000,
        "wait_us": 55_000,
        "requests": 131,
        "wait": "peer",
    }
    case = Case("mixed", Point(params=params, profiles=["default"]).name, "one-cpu", "go-p1")
    iteration, evidence, series, _, observed = simulated(case, params, None)
    names = {**values(params, iteration, evidence, {}, observed), "process_cpu": 1.0}

    def problem(**changed: int) -> str | None:
        return required(
            SPEC,
            {**names, **changed},
            {name: histogram_of(samples) for name, samples in series.items()},
        )

    assert problem() is None
    for share in (0.94, 1.07):  # of the time that it took
        assert "Little's law" in (problem(steady_ns=int(int(evidence["steady_ns"]) * share)) or "")


WORK: dict[str, Parameter] = {
    "c": 1,
    "splits": 1,
    "cpu_us": 5_000,
    "wait_us": 55_000,
    "requests": 13,
    "wait": "peer",
}


def problem_of_work(**changed: float) -> str | None:
    """What the spec requires and does not find, of a program that is right but for this."""
    case = Case("mixed", Point(params=WORK, profiles=["default"]).name, "one-cpu", "go-p1")
    iteration, evidence, series, _, observed = simulated(case, WORK, None)
    names = {**values(WORK, iteration, evidence, {}, observed), "process_cpu": 1.0, **changed}
    return required(SPEC, names, {name: histogram_of(samples) for name, samples in series.items()})


@pytest.mark.parametrize(("off", "met"), [(0.94, False), (0.96, True), (1.04, True), (1.06, False)])
def test_a_program_that_is_calibrated_wrongly_has_no_number(off: float, met: bool) -> None:
    said = problem_of_work(worked_ns=int(13 * 5_000_000 * off))
    assert (said is None) == met
    assert met or (said or "").startswith(
        "the CPU time worked must be within 5 % of what was asked for"
    )


def test_work_that_was_only_claimed_is_no_work() -> None:
    said = problem_of_work(process_cpu=0.05)
    assert said
    assert said.startswith("the process must have used the CPU time that its requests asked for")
