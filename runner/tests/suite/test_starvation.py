"""The spec of starvation: a figure that the cap hides is only a lower bound, and nothing is over
the limit before it.
"""

from __future__ import annotations

import planted
import pytest

from corobench.contract import checks
from corobench.results.histogram import histogram_of
from corobench.suite import expression
from corobench.suite.load import load_workload
from corobench.suite.workload import Parameter

SPEC = load_workload(planted.REPOSITORY / "runner" / "workloads" / "starvation.toml")
PARAMS: dict[str, Parameter] = {
    "mode": "naive",
    "probes": 100,
    "period_us": 2_000,
    "series_count": 4,
    "job_us": 100_000,
    "cap_ms": 2_500,
}
MS = 1_000_000
SO_FAR = [2_499 - 2 * probe for probe in range(100)]  # ms, of probes without an answer


def bounds(lateness_ms: list[int], over: int, small_ms: list[int], elapsed: float) -> set[str]:
    """The figures of which a lower bound is known only."""
    names: dict[str, int | float | str] = {
        **PARAMS,
        "over_limit": over,
        "elapsed": elapsed,
        "throttled": 0.0,
    }
    series = {
        "lateness": histogram_of(MS * ms for ms in lateness_ms),
        "small": histogram_of(MS * ms for ms in small_ms),
    }
    asked = [
        doubt
        for doubt in SPEC.caution
        if doubt.bound and expression.evaluate(doubt.when, names, series)
    ]
    assert all(doubt.level == "red" for doubt in asked)
    return {metric for doubt in asked for metric in doubt.metrics}


@pytest.mark.parametrize(
    ("lateness_ms", "over", "small_ms", "elapsed", "expected"),
    [
        ([1_400] * 100, 0, [], 1.6, set()),
        ([2_400] * 100, 0, [], 2.5, set()),
        (SO_FAR, 100, [], 2.5, {"p50", "starvation", "p90", "p99", "worst"}),
        ([50] * 80 + SO_FAR[80:], 20, [], 2.5, {"p90", "p99", "worst"}),
        ([50] * 98 + SO_FAR[98:], 2, [], 2.5, {"p99", "worst"}),
        ([50] * 100, 0, SO_FAR, 2.5, {"small-p50", "small-p99"}),
        ([50] * 100, 0, [50] * 98 + SO_FAR[98:], 2.5, {"small-p99"}),
    ],
    ids=[
        "all answered",
        "all answered late",
        "none",
        "80 of 100",
        "98 of 100",
        "no small one",
        "98 of 100 small ones",
    ],
)
def test_what_is_as_late_as_probes_without_an_answer_is_a_lower_bound(
    lateness_ms: list[int], over: int, small_ms: list[int], elapsed: float, expected: set[str]
) -> None:
    assert bounds(lateness_ms, over, small_ms, elapsed) == expected


@pytest.mark.parametrize(
    ("over", "elapsed", "met"), [(0, 0.3, True), (1, 2.5, True), (1, 2.4, False)]
)
def test_no_probe_is_over_the_limit_before_the_cap(over: int, elapsed: float, met: bool) -> None:
    used: dict[str, int | float | str] = {
        "elapsed": elapsed,
        "asked_ns": MS,
        "worked_ns": MS,
        "process_cpu": 1.0,
    }
    names = {**PARAMS, **used, "over_limit": over}
    assert (checks.required(SPEC, names, {}) is None) == met


@pytest.mark.parametrize(("off", "met"), [(0.94, False), (0.96, True), (1.04, True), (1.06, False)])
def test_a_program_that_is_calibrated_wrongly_has_no_number(off: float, met: bool) -> None:
    used: dict[str, int | float | str] = {
        "elapsed": 0.3,
        "asked_ns": 100 * MS,
        "worked_ns": int(100 * MS * off),
        "process_cpu": 1.0,
    }
    assert (checks.required(SPEC, {**PARAMS, **used, "over_limit": 0}, {}) is None) == met


@pytest.mark.parametrize("profile", ["smoke", "quick", "default", "scenarios"])
def test_every_mode_can_be_set_beside_idle_and_naive(profile: str) -> None:
    for ratio in SPEC.ratio:
        free = {ratio.over, *ratio.free}
        fixed = [
            {key: value for key, value in point.params.items() if key not in free}
            for point in SPEC.points(profile)
        ]
        assert all(one == fixed[0] for one in fixed), ratio.name


def test_what_is_measured_in_full_has_a_99th_percentile() -> None:
    assert all(int(point.params["probes"]) >= 500 for point in SPEC.points("scenarios"))
