"""Stopping looks at precision only: never at which side of 1 an interval lies, nor at cases that
are contaminated.
"""

from __future__ import annotations

import math

import msgspec
import pytest
from synthetic import Build, Noise, make_run

from corobench.statistics import estimates, stopping
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, Comparison, Estimate, Flag


def cell(
    width: float = 0.01,
    n: int = 12,
    ratio: float | None = None,
    center: float = 1.0,
    flag: str = "",
    runtime: str = "go",
) -> Cell:
    typical = Estimate(center=1.0, low=1 - width, high=1 + width, n=n, confidence=0.96)
    comparison = None
    if ratio is not None:
        reach = 1 + ratio
        interval = Estimate(
            center=center, low=center / reach, high=center * reach, n=n, confidence=0.96
        )
        comparison = Comparison(
            other="asyncio",
            ratio=interval,
            verdict="inconclusive",
            delta=0.01,
            adjusted_confidence=0.5,
            pairs=n,
        )
    return Cell(
        workload="spawn",
        point="n=1",
        track="one-cpu",
        runtime=runtime,
        metric="time",
        unit="s",
        better="lower",
        median=typical,
        figures={},
        samples={},
        comparison=comparison,
        group=None,
        flags=[Flag(name=flag, level="red", text="")] if flag else [],
        failures=[],
    )


def judge(*cells: Cell, blocks: int = 12) -> stopping.Decision:
    return stopping.judge(cells, blocks, 0.05, 0.03)


def test_stops_when_all_are_precise() -> None:
    found = judge(cell(0.049), cell(0.01, ratio=0.029))
    assert found.stop
    assert found.reason == (
        "precise enough after 12 blocks: all 2 trusted numbers are within 5% absolute and "
        "3% as a ratio"
    )
    assert found.values == {"reached": 2, "waited_for": 2, "predicted_blocks": {}}


@pytest.mark.parametrize("wide", [cell(0.051), cell(0.01, ratio=0.031)])
def test_goes_on_while_one_is_wide(wide: Cell) -> None:
    assert not judge(cell(0.01, runtime="node"), wide).stop


def test_predicts_by_the_root_of_n() -> None:
    found = judge(cell(0.10), cell(0.01, runtime="node"))
    assert found.values["predicted_blocks"] == {"spawn/n=1/one-cpu/go/time": 48}
    assert "about 48 blocks" in found.reason
    assert judge(cell(5.0)).values["predicted_blocks"] == {"spawn/n=1/one-cpu/go/time": 120}, (
        "no prediction beyond tenfold"
    )


@pytest.mark.parametrize("center", [0.2, 0.97, 1.0, 1.03, 5.0])
def test_significance_decides_nothing(center: float) -> None:
    assert judge(cell(ratio=0.02, center=center)).stop
    assert not judge(cell(ratio=0.05, center=center)).stop


def test_contaminated_cases_are_not_waited_for() -> None:
    assert judge(cell(), cell(0.9, flag="drift", runtime="node")).stop
    assert not judge(cell(), cell(0.9, flag="wide", runtime="node")).stop
    assert not judge(cell(flag="steal")).stop


def test_nine_blocks_are_the_least() -> None:
    assert not judge(cell(0.0, n=8, flag="few"), blocks=8).stop


def test_a_family_must_be_able_to_decide() -> None:
    """13 comparisons need 10 blocks before the sign test with Holm can claim anything."""
    family = [cell(0.0, n=9, ratio=0.001, runtime=f"r{i}") for i in range(13)]
    assert not judge(*family, blocks=9).stop
    assert judge(*family[:12], blocks=9).stop


def test_a_real_run_stops_later_on_a_noisier_box() -> None:
    quiet = make_run(blocks=12, workloads=["hand-off"], noise=Noise(invocation=0.005, outliers=0.0))
    noisy = make_run(blocks=12, workloads=["hand-off"], noise=Noise(invocation=0.15))
    assert stopping.decide(quiet.header)(quiet.lines, 12).stop
    assert not stopping.decide(noisy.header)(noisy.lines, 12).stop


def test_the_decision_does_not_know_the_answer() -> None:
    """Labels of runtimes swapped, a runtime made five times slower: the decision and its figures
    stay the same.
    """
    plain = make_run(blocks=9, workloads=["hand-off"])
    slower = make_run(
        blocks=9, workloads=["hand-off"], build=Build(slow={("hand-off", "uvloop"): 1.0 + 1e-6})
    )
    one, other = (stopping.decide(run.header)(run.lines, 9) for run in (plain, slower))
    assert (one.stop, one.reason) == (other.stop, other.reason)


def test_quick_ends_after_its_blocks() -> None:
    run = make_run(blocks=3, profile="quick", workloads=["spawn"])
    decide = stopping.decide(run.header)
    assert decide(run.lines, 3).stop
    assert not decide(run.lines, 2).stop


def test_what_is_stored_is_small_and_plain() -> None:
    run = make_run(blocks=9, noise=Noise(invocation=0.3))
    found = stopping.decide(run.header)(run.lines, 9)
    assert len(found.values["predicted_blocks"]) <= stopping.SHOWN
    assert msgspec.json.decode(msgspec.json.encode(found.values)) == found.values
    widest = max(found.values["predicted_blocks"].values())
    assert widest == max(
        stopping.predicted(c, 0.05, 0.03, 9)
        for c in summarise(run).cells
        if c.median and not math.isinf(c.median.center)
    )


@pytest.mark.parametrize(("outliers", "stops"), [(0, True), (2, False)])
def test_an_interval_that_is_narrow_by_luck_does_not_stop_a_run(outliers: int, stops: bool) -> None:
    """Ten of twelve values lie close together, so that the 95 % interval is narrow; the next ranks
    say how luckily.
    """
    values = {block: 1 + 0.001 * (7 * block % 12) for block in range(12)} | dict.fromkeys(
        [2, 7][:outliers], 1.5
    )
    typical = estimates.serial_median_interval(values)
    assert estimates.half_width(typical) < 0.05
    found = msgspec.structs.replace(cell(), median=typical, samples=values)
    assert judge(found).stop is stops


def test_the_ratio_is_held_to_its_wider_interval_too() -> None:
    narrow = cell(ratio=0.02)
    assert narrow.comparison
    for wide, stops in ((0.039, True), (0.040, False)):
        comparison = msgspec.structs.replace(narrow.comparison, wide=wide)
        assert judge(msgspec.structs.replace(narrow, comparison=comparison)).stop is stops
