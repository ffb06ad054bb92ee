"""Counts of events: events an operation, groups without a test, and what compare makes of them."""

from __future__ import annotations

import msgspec
import pytest
from synthetic import Build
from two_runs import DAY, change, run

from corobench.results import log
from corobench.results.log import Count, Tally
from corobench.statistics import counts
from corobench.statistics.compare import compare
from corobench.statistics.summary import summarise
from corobench.statistics.types import Counted

SWITCHES = 0.5


def counted(
    one: log.Run, factor: dict[str, float] | None = None, spread: float = 0.0, cost: int = 1000
) -> log.Run:
    """The run with the counts of spawn at n = 1000: `cost` instructions a task times a factor by
    runtime, the processes apart by `spread`.
    """
    cases = [
        key
        for key in one.header.plan.cases
        if key.startswith("spawn/n=1000/one-cpu/") and not key.endswith("~twin")
    ]
    lines = [
        Count(
            case=key,
            at="2026-01-03T00:00:00.000+00:00",
            tools={"valgrind": "3.19.0"},
            tallies={
                "instructions": [
                    tallies((factor or {}).get(key.rpartition("/")[2], 1.0) * cost * share)
                    for share in (1 - spread / 2, 1.0, 1 + spread / 2)
                ]
            },
        )
        for key in cases
    ]
    return msgspec.structs.replace(one, lines=[*one.lines, *lines])


def tallies(each: float, start: int = 5_000_000) -> list[Tally]:
    return [Tally(ops, round(start + ops * each)) for ops in (20_000, 40_000)]


def of_instructions(one: log.Run) -> dict[str, Counted]:
    return {c.runtime: c for c in summarise(one).counts if c.event == "instructions"}


def test_what_both_lengths_have_is_gone() -> None:
    assert counts.per_operation(tallies(282.0)) == pytest.approx(282)
    assert counts.per_operation(tallies(282.0, start=90_000_000)) == pytest.approx(282)


def test_a_start_has_one_length() -> None:
    assert counts.per_operation([Tally(1, 322_253)]) == 322_253


def test_a_yield_that_resumes_the_same_task_is_no_switch() -> None:
    assert counts.per_operation(tallies(282.0), SWITCHES) == pytest.approx(564)


def test_the_middle_process_counts_and_the_spread_is_told() -> None:
    one = of_instructions(counted(run(1), spread=0.04))["asyncio"]
    assert one.value == pytest.approx(1000)
    assert one.samples == pytest.approx([980, 1000, 1020])
    assert one.spread == pytest.approx(0.04)


@pytest.mark.parametrize(
    ("factor", "spread", "group"), [(1.009, 0.0, 1), (1.011, 0.0, 2), (1.03, 0.04, 1)]
)
def test_groups_differ_by_more_than_a_hundredth_and_the_spread(
    factor: float, spread: float, group: int
) -> None:
    found = of_instructions(counted(run(1), {"uvloop": factor}, spread))
    assert found["asyncio"].group == 1
    assert found["uvloop"].group == group


def test_small_steps_begin_a_group_where_they_leave_its_best() -> None:
    found = of_instructions(counted(run(1), {"uvloop": 1.008, "gevent": 1.016}))
    assert [found[name].group for name in ("asyncio", "uvloop", "gevent")] == [1, 1, 2]


def test_of_a_case_that_was_counted_again_the_last_counts() -> None:
    again = counted(counted(run(1)), {"asyncio": 2.0})
    assert of_instructions(again)["asyncio"].value == pytest.approx(2000)


def test_a_gap_has_its_reason() -> None:
    line = Count(
        case="spawn/n=1000/one-cpu/asyncio",
        at="2026-01-03T00:00:00.000+00:00",
        tools={},
        tallies={},
        reasons={"instructions": "Valgrind is not installed; install valgrind"},
    )
    one = run(1)
    found = of_instructions(msgspec.structs.replace(one, lines=[*one.lines, line]))["asyncio"]
    assert (found.value, found.group) == (None, None)
    assert "not installed" in found.reason


def test_what_is_told_while_it_is_counted_has_no_minus_zero_and_is_never_empty() -> None:
    key = "spawn/n=1000/one-cpu/asyncio"
    header = run(1).header
    line = Count(
        case=key,
        at="2026-01-03T00:00:00.000+00:00",
        tools={},
        tallies={
            "instructions": [tallies(1234.0)] * 3,
            "switches": [[Tally(20_000, 7), Tally(40_000, 5)]] * 3,
        },
        reasons={"system-calls": "strace is not installed", "cycles": "no counters"},
    )
    said = {"cycles"}
    assert counts.count_line(header, line, said) == (
        f"{key} 1,234 instructions, system-calls: strace is not installed, 0.00 switches"
    )
    bare = msgspec.structs.replace(line, tallies={}, reasons={"cycles": "no counters"})
    assert counts.count_line(header, bare, said) == f"{key} nothing more to count"


def test_no_counts_are_no_columns() -> None:
    assert summarise(run(1)).counts == []


def test_a_time_below_what_the_instructions_take_is_not_ranked() -> None:
    """A task of a microsecond can't run 100,000 instructions."""
    key = "spawn/n=1000/one-cpu/uvloop/time"
    honest, cheat = summarise(counted(run(1))), summarise(counted(run(1), {"uvloop": 1e5}))
    before, after = (next(c for c in one.cells if c.key == key) for one in (honest, cheat))
    assert before.group is not None
    assert (after.group, after.trusted) == (None, False)
    (flag,) = [flag for flag in after.flags if flag.name == "too fast"]
    assert "100,000,000 instructions" in flag.text
    assert "1,612,903.2 ns" in flag.text


KEY = "spawn/n=1000/one-cpu/asyncio/time"


def quick(seed: int, start_s: float = 0.0) -> log.Run:
    """A run that makes no claims: its times are not comparable."""
    one = run(seed, start_s)
    return msgspec.structs.replace(one, header=msgspec.structs.replace(one.header, claims=False))


def test_compare_decides_by_instructions_where_time_cannot_tell() -> None:
    first, second = counted(quick(1)), counted(quick(2, DAY), {"asyncio": 1.1})
    found = compare(first, second)
    one = change(found, KEY)
    assert (one.method, one.verdict, one.regression) == ("counted", "higher", True)
    assert one.instructions
    assert one.instructions.center == pytest.approx(1.1, rel=1e-3)
    assert change(found, KEY.replace("asyncio", "uvloop")).verdict == "equal"
    assert not change(found, KEY.replace("asyncio", "uvloop")).regression
    assert change(found, KEY.replace("n=1000", "n=10000")).verdict == "not comparable"


def test_a_hundredth_is_no_change() -> None:
    found = compare(counted(quick(1)), counted(quick(2, DAY), {"asyncio": 1.009}))
    assert change(found, KEY).verdict == "equal"


def test_processes_are_paired_by_their_seed() -> None:
    """Each is 3 % up, though they are 10 % apart from each other."""
    found = compare(
        counted(quick(1), spread=0.1), counted(quick(2, DAY), {"asyncio": 1.03}, spread=0.1)
    )
    assert change(found, KEY).verdict == "higher"
    assert not change(found, KEY).regression, "by less than the threshold"


def test_time_has_the_word_where_it_can_tell() -> None:
    slow = Build(slow={("spawn", "uvloop"): 1.15})
    before, after = counted(run(2)), counted(run(13, DAY, build=slow), {"uvloop": 0.9})
    one = change(compare(before, after), KEY.replace("asyncio", "uvloop"))
    assert (one.method, one.verdict, one.regression) == ("reference", "higher", True)
    assert one.instructions
    assert one.instructions.center == pytest.approx(0.9, rel=1e-3)
