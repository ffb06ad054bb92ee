"""Every estimator against answers known from tables, by hand, or from scipy."""

from __future__ import annotations

import math
import random

import pytest
from scipy import stats

from corobench.statistics import diagnostics, estimates, verdicts
from corobench.statistics.types import Estimate


def around(
    low: float, high: float, center: float = 1.0, n: int = 25, confidence: float = 0.957
) -> Estimate:
    return Estimate(center=center, low=low, high=high, n=n, confidence=confidence)


def test_median_of_unsorted_values() -> None:
    assert estimates.median([5, 1, 9]) == 5
    assert estimates.median([10, 1, 3, 2]) == 2.5
    with pytest.raises(ValueError, match="no median"):
        estimates.median([])


# Ranks of the 95 % interval for the median: Altman et al., Statistics with Confidence, 2nd ed.,
# table 18.4.
TABLE = {
    6: 1,
    7: 1,
    8: 1,
    9: 2,
    10: 2,
    11: 2,
    12: 3,
    15: 4,
    17: 5,
    20: 6,
    25: 8,
    30: 10,
    37: 13,
    40: 14,
    50: 18,
    51: 19,
}


@pytest.mark.parametrize(("n", "k"), TABLE.items())
def test_ranks_of_the_interval(n: int, k: int) -> None:
    assert estimates.rank(n) == k
    low = stats.binom.ppf(0.025, n, 0.5)
    assert k == low if stats.binom.cdf(low, n, 0.5) > 0.025 else k == low + 1
    assert estimates.coverage(n, k) == pytest.approx(1 - 2 * stats.binom.cdf(k - 1, n, 0.5))


def test_interval_by_hand() -> None:
    found = estimates.median_interval([9, 8, 7, 6, 5, 4, 3, 2, 1])
    assert (found.center, found.low, found.high, found.n) == (5, 2, 8, 9)
    assert found.confidence == pytest.approx(1 - 20 / 512)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_too_few_values_for_95_percent(n: int) -> None:
    found = estimates.median_interval(range(n))
    assert (found.low, found.high, found.confidence) == (0, n - 1, 0.0)


def test_half_width() -> None:
    assert estimates.half_width(around(9, 12, center=10)) == pytest.approx(0.15)
    assert estimates.half_width(around(0, 0, center=0)) == 0
    assert math.isinf(estimates.half_width(around(-1, 1, center=0)))


@pytest.mark.parametrize("seed", range(5))
def test_sign_test_is_scipys(seed: int) -> None:
    rng = random.Random(seed)
    logs = [rng.gauss(0.3, 1) for _ in range(9 + 4 * seed)]
    above = sum(value > 0 for value in logs)
    assert estimates.sign_test(logs) == pytest.approx(stats.binomtest(above, len(logs)).pvalue)
    assert estimates.p_above(logs, 0) == pytest.approx(
        stats.binomtest(above, len(logs), alternative="greater").pvalue
    )


def test_sign_test_by_hand() -> None:
    assert estimates.sign_test([0.1] * 9) == pytest.approx(2 / 512)
    assert estimates.sign_test([0.1] * 8 + [-0.1]) == pytest.approx(20 / 512)
    assert estimates.sign_test([0.0] * 9) == 1.0


def test_ties_count_against_a_bound() -> None:
    assert estimates.p_above([0.0] * 20, 0.0) == 1.0
    assert estimates.p_below([0.0] * 20, 0.0) == 1.0


def test_ratio_pairs_by_block_and_inverts() -> None:
    this, other = {1: 2.0, 2: 9.0, 3: 6.0, 4: 1.0}, {2: 3.0, 3: 2.0, 1: 1.0, 7: 5.0}
    assert estimates.log_ratios(this, other) == pytest.approx(
        [math.log(2), math.log(3), math.log(3)]
    )
    forward, back = (
        estimates.paired_ratio(estimates.log_ratios(this, other)),
        estimates.paired_ratio(estimates.log_ratios(other, this)),
    )
    assert forward.center == pytest.approx(3)
    assert (back.center, back.low, back.high) == pytest.approx(
        (1 / 3, 1 / forward.high, 1 / forward.low)
    )


def test_a_value_that_is_not_positive_keeps_its_side() -> None:
    """Left out, it would make the median that of the rest."""
    logs = estimates.log_ratios(
        {1: -1.0, 2: 2.0, 3: 1.0, 4: -3.0}, {1: 1.0, 2: 1.0, 3: 0.0, 4: -1.0}
    )
    assert logs == pytest.approx([-math.inf, math.log(2), math.inf])
    small = dict(enumerate([-1.0, -1.0, -1.0, *[0.5] * 6, *[3.0] * 3]))
    found = estimates.paired_ratio(estimates.log_ratios(small, dict.fromkeys(small, 1.0)))
    assert (found.center, found.n) == (0.5, 12)
    assert not estimates.is_finite(found), "the third smallest of 12 is the end of the interval"
    assert estimates.is_finite(
        estimates.paired_ratio(estimates.log_ratios({**small, 0: 0.5}, dict.fromkeys(small, 1.0)))
    )


def test_a_ratio_of_nothing_is_none() -> None:
    assert estimates.log_ratios({1: 0.0}, {1: -1.0}) == []
    assert not estimates.is_finite(estimates.paired_ratio([math.inf, -math.inf]))
    assert estimates.paired_estimate({0: 1.0, 1: 2.0}, {2: 1.0}) is None, "no block has both"
    assert estimates.paired_estimate({0: 1.0, 1: 1.0}, {0: 0.0, 1: -1.0}) is None, "no finite ratio"
    assert estimates.paired_estimate({0: 3.0, 1: 5.0}, {0: 1.0, 2: 1.0}) == estimates.paired_ratio(
        [math.log(3.0)]
    )


def test_holm_by_hand() -> None:
    assert estimates.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert estimates.holm([0.5, 0.9]) == [1.0, 1.0]
    assert estimates.holm([]) == []


def test_step_up_by_hand() -> None:
    """Benjamini & Hochberg 1995, section 3.2: of these 15 p values (Neuhaus et al. 1992) four are
    called at 5 %.
    """
    p_values = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1,
    ]
    adjusted = estimates.benjamini_hochberg(p_values)
    assert sum(p <= 0.05 for p in adjusted) == 4
    assert adjusted == pytest.approx(stats.false_discovery_control(p_values))
    assert estimates.benjamini_hochberg([]) == []


@pytest.mark.parametrize(
    ("family", "blocks"), [(1, 6), (7, 9), (12, 9), (13, 10), (25, 10), (26, 11)]
)
def test_blocks_that_a_family_needs(family: int, blocks: int) -> None:
    assert estimates.holm_blocks_needed(family) == blocks
    assert family * 2 * 0.5**blocks <= 0.05 < family * 2 * 0.5 ** (blocks - 1)


@pytest.mark.parametrize("seed", range(5))
def test_slope_is_scipys(seed: int) -> None:
    rng = random.Random(seed)
    points = {float(n): 3 * n + 100 + rng.gauss(0, 40) for n in (10, 20, 50, 100, 150, 200)}
    expected = stats.theilslopes(list(points.values()), list(points))
    line = estimates.theil_sen(points)
    assert line.slope == pytest.approx(expected.slope)
    assert line.intercept == pytest.approx(
        estimates.median(y - line.slope * x for x, y in points.items())
    )


def test_one_spoilt_point_does_not_move_the_slope() -> None:
    points = {float(n): 7.0 * n + 3 for n in range(1, 8)} | {4.0: 500.0}
    line = estimates.theil_sen(points)
    assert line == pytest.approx((7, 3))
    assert line.residuals(points)[4.0] == pytest.approx(500 - 31)


def test_a_slope_needs_two_points() -> None:
    with pytest.raises(ValueError, match="two points"):
        estimates.theil_sen({1.0: 1.0})


def test_linearity() -> None:
    straight = {float(n): 5.0 * n for n in (1, 2, 5, 10, 20)}
    bent = {float(n): 5.0 * n + max(0, n - 5) for n in (1, 2, 5, 10, 20)}
    assert estimates.disagreement(straight) == pytest.approx(0)
    assert estimates.disagreement(bent) == pytest.approx((6 - 5) / estimates.theil_sen(bent).slope)
    assert estimates.disagreement({1.0: 1.0, 2.0: 2.0}) is None


@pytest.mark.parametrize("seed", range(6))
def test_kendall_is_scipys(seed: int) -> None:
    rng = random.Random(seed)
    values = [round(rng.gauss(0.02 * i, 1), 1) for i in range(30)]
    tau = stats.kendalltau(range(30), values, method="asymptotic").pvalue
    assert diagnostics.kendall_p(values) == pytest.approx(tau, rel=0.2, abs=0.02)


def test_kendall_by_hand() -> None:
    # n = 10, all 45 pairs concordant: z = 44 / sqrt(125) (Kendall & Gibbons)
    assert diagnostics.kendall_p(range(10)) == pytest.approx(2 * stats.norm.sf(44 / math.sqrt(125)))
    assert diagnostics.kendall_p([1, 1, 1]) == 1.0


def test_interval_widens_with_dependence_in_time() -> None:
    alternating = {block: float(block % 2 * 100 + block) for block in range(25)}
    slow = dict(enumerate(sorted(alternating.values())))
    exact = estimates.median_interval(alternating.values())
    assert estimates.serial_median_interval(alternating) == exact
    wider = estimates.serial_median_interval(slow)
    assert wider.center == exact.center
    assert wider.low < exact.low
    assert wider.high > exact.high
    assert wider.confidence > exact.confidence


def test_rank_correlation() -> None:
    rng = random.Random(3)
    values = [rng.random() + 0.02 * i for i in range(40)]
    ranks = stats.rankdata(values) - 20.5
    expected = sum(ranks[:-1] * ranks[1:]) / sum(ranks**2) + 1 / 40
    assert 0 < estimates.correlation(values) == pytest.approx(expected)
    assert estimates.correlation([1.0] * 9) == 0


def test_two_samples_by_hand() -> None:
    before, after = [0.0, 1, 2, 3, 4, 5, 6, 7, 8], [10.0, 11, 12, 13, 14, 15, 16, 17, 18]
    found = estimates.unpaired_ratio(before, after)
    reach = math.hypot(3, 3)
    assert [math.log(x) for x in (found.center, found.low, found.high)] == pytest.approx(
        [10, 10 - reach, 10 + reach]
    )
    skewed = estimates.unpaired_ratio([*before[:7], 9, 80], after)
    assert [math.log(x) for x in (skewed.low, skewed.high)] == pytest.approx(
        [10 - math.hypot(3, 5), 10 + reach]
    )
    assert estimates.unpaired_p_differs(before, after, 0.0) == pytest.approx(2 / 512)
    assert estimates.unpaired_p_differs(before, before, 0.0) == 1.0
    assert estimates.unpaired_p_within(before, before, 100.0) == pytest.approx(1 / 512)
    assert estimates.unpaired_p_within(before, after, 1.0) == 1.0


def test_delta_is_the_control_but_at_least_one_percent() -> None:
    assert verdicts.noise_delta(around(0.995, 1.004)) == verdicts.LEAST_DELTA
    assert verdicts.noise_delta(around(1 / 1.04, 1.04)) == pytest.approx(0.04)
    assert verdicts.noise_delta(None) == verdicts.NO_CONTROL_DELTA


@pytest.mark.parametrize("n", [1, 3, 5])
def test_a_control_of_few_pairs_shows_nothing(n: int) -> None:
    """One pair has no width at all: that is no noise floor of 1 %."""
    control = estimates.paired_ratio([0.001] * n)
    assert verdicts.usable_control(control) is None
    assert verdicts.noise_delta(control) == verdicts.NO_CONTROL_DELTA
    assert verdicts.noise_floor([control]) is None


@pytest.mark.parametrize(
    ("control", "failed"),
    [
        (around(1.025, 1.04, center=1.03), True),
        (around(0.95, 0.99, center=0.97), True),
        (around(0.99, 1.04, center=1.03), False),
        (around(1.005, 1.02, center=1.015), False),
        (around(1.02, 1.04, center=1.03, n=3, confidence=0.0), False),
    ],
)
def test_control_failed(control: Estimate, failed: bool) -> None:
    assert verdicts.noise_failed(control) is failed


def test_a_run_is_marked_family_wise() -> None:
    off = [0.04, 0.05, 0.04, 0.03, 0.06, 0.05, 0.04, -0.01, 0.04]  # excludes 1, p = 20/512
    fine = [0.01, -0.01] * 6
    assert verdicts.run_noise_failed({"spawn": off}) == ["spawn"]
    assert (
        verdicts.run_noise_failed({"spawn": off, **{f"other {i}": fine for i in range(10)}}) == []
    )
    assert verdicts.run_noise_failed(
        {"spawn": [0.04] * 12, **{f"other {i}": fine for i in range(10)}}
    ) == ["spawn"]


def test_many_failed_controls_mark_even_a_run_of_nine_blocks() -> None:
    """Its least p value is 1 in 256: one such control is chance among 35, three are not."""
    off, fine = [0.04] * 9, [0.01, -0.01, 0.01, -0.01, 0.01, -0.01, 0.01, -0.01, 0.01]
    controls = {f"{i}": fine for i in range(35)}
    for failing, marked in ((1, 0), (2, 0), (3, 3), (35, 35)):
        assert (
            len(verdicts.run_noise_failed(controls | {f"{i}": off for i in range(failing)}))
            == marked
        )


def test_sound_runs_are_rarely_marked() -> None:
    rng = random.Random(8)
    runs = [{f"{i}": [rng.gauss(0, 0.1) for _ in range(9)] for i in range(35)} for _ in range(300)]
    assert sum(bool(verdicts.run_noise_failed(run)) for run in runs) <= 0.05 * len(runs)


def test_precision_asks_for_the_wider_interval_too() -> None:
    assert pytest.approx(stats.norm.ppf(0.995) / stats.norm.ppf(0.975)) == estimates.RATIO
    assert estimates.width(0.02, None) == 0.02
    assert estimates.width(0.02, 0.025) == 0.02
    assert estimates.width(0.02, 0.04) == pytest.approx(0.04 / estimates.RATIO)


def test_noise_floor() -> None:
    assert verdicts.noise_floor(
        [around(1 / 1.02, 1.02), around(1 / 1.03, 1.03), around(1 / 1.5, 1.5)]
    ) == pytest.approx(0.03)
    assert verdicts.noise_floor([around(0.9999, 1.0001)]) == verdicts.LEAST_DELTA
    assert verdicts.noise_floor(
        [around(1 / 1.03, 1.03), around(1, 1, n=1, confidence=0.0)]
    ) == pytest.approx(0.03)
    assert verdicts.noise_floor([]) is None
