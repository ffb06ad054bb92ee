"""What a load does and what remedies bring back: who is in a range, who reads outside of it, and
which shares are told.
"""

from __future__ import annotations

import msgspec
import pytest
from made_up import BOUND, RED, number, scheduling, summary, workload

from corobench.report import scenarios
from corobench.results import histogram
from corobench.statistics.types import Cell, RunSummary, WorkloadFacts
from corobench.suite.workload import Ratio

METRICS = {
    "p50": "lateness, median",
    "progress": "jobs per second",
    "times": "lateness, times that of idle",
}
OWN = Ratio(
    name="times", title=METRICS["times"], over="mode", base="idle", value="p50", better="lower"
)


def at(mode: str) -> str:
    return f"mode={mode},probes=100"


def lateness(runtime: str, **modes: float) -> list[Cell]:
    return [number(runtime, center, at(mode), "p50") for mode, center in modes.items()]


def found(
    cells: list[Cell], facts: WorkloadFacts | None = None, counted: int | None = None
) -> list[tuple[str, ...]]:
    """What is found: figure, least, most and what stands beside them. `counted`: how many jobs each invocation of a case had, where its progress is a
    count.
    """
    known = facts or workload(
        METRICS, ratio=[OWN], counted={} if counted is None else {"progress": ["jobs"]}
    )
    jobs = {"jobs": histogram.histogram_of([1] * 9 * (counted or 0))}
    made: RunSummary = summary(
        cells,
        known,
        distributions={c.key.rpartition("/")[0]: jobs for c in cells} if counted else {},
    )
    return rows(scenarios.finding(made, known))


def rows(found: scenarios.Found | None) -> list[tuple[str, ...]]:
    assert found
    return [msgspec.structs.astuple(row) for row in found.rows]


LOADED = "lateness (median) under load (naive), times that of idle"
REMEDY = "the same with the best remedy measured here"
LEFT = "what that leaves of the jobs per second"
THREE = [
    *lateness("a", idle=1e-3, naive=0.03, pool=1.1e-3),
    *lateness("b", idle=1e-3, naive=0.2, pool=4e-3),
    *lateness("c", idle=1e-3, naive=0.5, pool=9e-3),
]


def test_a_ratio_of_the_spec_itself_says_who_can_be_ranked() -> None:
    """As its times are, c's lateness can be ranked: its ratio to idle can't, and reads outside of
    the others'.
    """
    ratios = [
        *(number(name, times, at("naive"), "times") for name, times in (("a", 30.0), ("b", 200.0))),
        number("c", 500.0, at("naive"), "times", flags=[RED]),
        *(number(name, times, at("pool"), "times") for name, times in (("a", 1.1), ("b", 4.0))),
        number("c", 0.5, at("pool"), "times", flags=[RED]),
    ]
    higher = "c reads higher, but can't be ranked"
    lower = "c with pool reads lower, but can't be ranked"
    assert found([*THREE, *ratios]) == [
        (LOADED, "30.0 (a)", "200 (b)", higher),
        (REMEDY, "1.10 (a, pool)", "4.00 (b, pool)", lower),
    ]


def test_a_bound_is_told_as_that() -> None:
    ratios = [
        number("a", 30.0, at("naive"), "times"),
        number("b", 1_000.0, at("naive"), "times", flags=[BOUND]),
    ]
    assert found([*THREE, *ratios])[0] == (LOADED, "30.0 (a)", "over 1,000 (b)", "")


def test_a_spec_without_a_ratio_has_its_modes_set_beside_each_other() -> None:
    told = found(THREE, workload({name: METRICS[name] for name in ("p50", "progress")}))
    assert told == [
        (LOADED, "30.0 (a)", "500 (c)", ""),
        (REMEDY, "1.10 (a, pool)", "9.00 (c, pool)", ""),
    ]


@pytest.mark.parametrize(
    ("counted", "kept"),
    [
        (None, [(LEFT, "80 % (a)", "90 % (b)", "")]),
        (60, [(LEFT, "80 % (a)", "90 % (b)", "")]),
        (30, [(LEFT, "80 % (a; 80 % to 80 %)", "90 % (b; 90 % to 90 %)", "")]),
        (8, []),
    ],
)
def test_a_share_of_few_has_its_interval_and_one_of_a_handful_is_not_told(
    counted: int | None, kept: list[tuple[str, ...]]
) -> None:
    """One more of eight is 12 %."""
    gained = [("a", "naive", 10.0), ("a", "pool", 8.0), ("b", "naive", 10.0), ("b", "pool", 9.0)]
    progress = [
        number(name, rate, at(mode), "progress", unit="1/s", better="higher")
        for name, mode, rate in gained
    ]
    ratios = [number(name, times, at("pool"), "times") for name, times in (("a", 1.1), ("b", 4.0))]
    ratios += [number(name, 30.0, at("naive"), "times") for name in "ab"]
    assert found([*THREE[:6], *progress, *ratios], counted=counted)[2:] == kept


def test_unlike_units_at_the_ends_are_named() -> None:
    """Of what the load does, of what remedies bring back, and of what they leave."""
    gained = [("a", "naive", 10.0), ("a", "pool", 8.0), ("b", "naive", 10.0), ("b", "pool", 9.0)]
    progress = [
        number(name, rate, at(mode), "progress", unit="1/s", better="higher")
        for name, mode, rate in gained
    ]
    times = [("a", "naive", 30.0), ("b", "naive", 200.0), ("a", "pool", 1.1), ("b", "pool", 4.0)]
    ratios = [number(name, ratio, at(mode), "times") for name, mode, ratio in times]
    known = workload(METRICS, ratio=[OWN])
    made = summary(
        [*THREE[:6], *progress, *ratios], known, runtimes=scheduling(a="stackless task", b="thread")
    )
    assert rows(scenarios.finding(made, known)) == [
        (LOADED, "30.0 (a, stackless task)", "200 (b, thread)", ""),
        (REMEDY, "1.10 (a, pool, stackless task)", "4.00 (b, pool, thread)", ""),
        (LEFT, "80 % (a, stackless task)", "90 % (b, thread)", ""),
    ]
