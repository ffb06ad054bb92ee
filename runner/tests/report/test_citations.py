"""What documents say beside what was measured: which number stands there, where it ran, and what is
doubted of it.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from made_up import RED, number, summary, workload

from corobench.report import scenarios, units
from corobench.report.citations import NOT_MEASURED, Quotation, quotations
from corobench.statistics.types import Cell, Flag
from corobench.suite.workload import Citation, Source

BUSY = "the load generator was busy over 90 % of the time: it may be the limit"
CEILING = Flag(name="ceiling", level="amber", text=f"{BUSY} (9 of 9 invocations)")


def quoted(cells: list[Cell], more: dict[str, Any] | None = None, **keys: Any) -> Quotation:
    asked = Citation(**({"mark": "x", "claim": "y", "runtime": "a", "metric": "time"} | keys))
    facts = workload({"time": "time per task"}, citation=[asked])
    (found,) = quotations(summary(cells, facts, **(more or {})), facts)
    return found


SIZES = [number("a", size * 1e-9, f"n={size},m=10") for size in (1_000, 10_000)]


def test_a_claim_without_a_number_here_stays() -> None:
    asked = [
        Citation(mark="x", claim="y", runtime="a", metric="time", at={"n": n})
        for n in (1_000, 5_000)
    ]
    facts = workload({"time": "time per task"}, citation=asked)
    measured, missing = quotations(summary(SIZES, facts), facts)
    assert (measured.measured, missing.measured, missing.here) == (SIZES[0], None, NOT_MEASURED)
    assert missing.place == "a, time per task, n = 5,000, One CPU"


def test_only_a_web_address_is_a_link() -> None:
    good, bad = (
        quoted(SIZES, source=Source(title="It", url=url))
        for url in ("https://example.org/", "javascript:alert(1)")
    )
    assert (good.source, good.url, bad.url) == ("It", "https://example.org/", "")


def test_the_point_of_the_document_comes_first_and_the_largest_stands_in_for_it_by_name() -> None:
    asked: dict[str, Any] = {"at": {"n": 1_000, "m": 10}, "largest": "n"}
    assert quoted(SIZES, **asked).place == "a, time per task, n = 1,000, m = 10, One CPU"
    found = quoted(SIZES, **asked | {"at": {"n": 100_000, "m": 10}})
    assert found.place == "a, time per task, n = 10,000, m = 10, the largest n measured, One CPU"
    assert found.measured == SIZES[1]
    assert quoted(SIZES, at={"n": 100_000, "m": 10}).here == NOT_MEASURED


def test_a_claim_about_two_runtimes_stands_beside_their_ratio() -> None:
    other = number("b", 5e-7, "n=1000,m=10", flags=[CEILING])
    found = quoted([SIZES[0], other], against="b", at={"n": 1_000})
    assert found.here.startswith(f"2.00 {units.TIMES} (2.00")
    assert found.here.endswith(f"): {BUSY}")
    assert found.place == "a over b, time per task, n = 1,000, One CPU"
    unranked = quoted(
        [SIZES[0], number("b", 5e-7, "n=1000,m=10", flags=[RED])], against="b", at={"n": 1_000}
    )
    assert unranked.here.endswith("), not ranked")
    assert unranked.measured is not None
    assert not unranked.measured.trusted
    assert quoted([SIZES[0]], against="b", at={"n": 1_000}).here == NOT_MEASURED


def test_what_limits_a_number_stands_beside_it() -> None:
    assert quoted([number("a", 1e-6, flags=[CEILING])]).here.endswith(f"): {BUSY}")
    ours = Flag(name="wide", level="amber", text="the interval is ±12 % wide (limit 10 %)")
    assert quoted([number("a", 1e-6, flags=[ours])]).here.endswith(")"), (
        "that is no doubt of the spec's"
    )


@pytest.mark.parametrize(
    ("had", "seen", "place"),
    [
        (1, {"generator_cpu": 0.5}, "1 of 2 CPUs (the other is the load generator's)"),
        (1, {"companion_cpu": 0.5}, "1 of 2 CPUs (the other is the latency server's)"),
        (1, {}, "1 of 2 CPUs"),
        (2, {"companion_cpu": 0.5}, "All CPUs"),
        (0, {}, "All CPUs"),
    ],
)
def test_where_it_ran_is_how_many_cpus_it_had(had: int, seen: dict[str, float], place: str) -> None:
    cell = number("a", 1e-6, track="all-cpus")
    more = {
        "cpus": {"made-up/all-cpus": had} if had else {},
        "observed": {"made-up/n=1/all-cpus/a": seen},
    }
    more |= {"box": {"cpu": {"cpus": 2}}}
    assert quoted([cell], more, track="all-cpus").place == f"a, time per task, {place}"
    facts = workload({"time": "time per task"})
    told = scenarios.finding(summary([cell], facts, **more), facts)
    assert told
    assert (told.title, told.place) == ("Made up", f"{place[:1].lower()}{place[1:]}")
    assert [row.figure for row in told.rows] == ["time per task, at n = 1"]


def test_the_ends_of_a_range_are_alike_in_digits_and_say_what_limits_them() -> None:
    facts = workload({"throughput": "requests per second", "cpu": "CPU time per request"})
    rates = [
        number("slow", 6_600.0, metric="throughput", unit="1/s", better="higher", spread=0.05),
        number(
            "floor", 300_000.0, metric="throughput", unit="1/s", better="higher", lower_bound=True
        ),
        number(
            "fast", 137_000.0, metric="throughput", unit="1/s", better="higher", flags=[CEILING]
        ),
        number("fast", 7e-6, metric="cpu", flags=[CEILING]),
    ]
    told = scenarios.finding(summary(rates, facts), facts)
    assert told
    shown = [
        [text.replace("\N{NO-BREAK SPACE}", " ") for text in msgspec.structs.astuple(row)]
        for row in told.rows
    ]
    assert shown == [
        [
            "requests per second, at n = 1",
            "6.6 k/s (slow)",
            "140 k/s (fast; in doubt)",
            f"in doubt: {BUSY}",
        ],
        ["CPU time per request, at n = 1", "7.00 µs (fast)", "", ""],
    ]
