"""Distributions against the samples that they were made from, and expressions over them."""

from __future__ import annotations

import math
import random

import pytest

from corobench.results import histogram
from corobench.suite import expression


def nearest_rank(values: list[int], share: float) -> int:
    return sorted(values)[max(1, math.ceil(share * len(values))) - 1]


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9, 0.99, 0.999, 1.0])
def test_quantiles_are_within_a_hundredth_of_the_samples(share: float) -> None:
    generator = random.Random(1)
    values = [int(generator.lognormvariate(13, 2)) for _ in range(5_000)]
    found = histogram.histogram_of(values).quantile(share)
    assert found == pytest.approx(nearest_rank(values, share) * 1e-9, rel=0.008)


def test_small_samples_sums_and_extremes_are_exact() -> None:
    found = histogram.histogram_of([0, 1, 63, 64, 127, 10**12])
    assert (found.count, found.least_ns, found.most_ns) == (6, 0, 10**12)
    assert [found.quantile(rank / 6) for rank in range(1, 6)] == [
        v * 1e-9 for v in (0, 1, 63, 64, 127)
    ]
    assert found.total() == pytest.approx((10**12 + 255) * 1e-9)
    assert found.mean() == pytest.approx(found.total() / 6)
    assert found.largest() == pytest.approx(1000)


def test_every_sample_lies_within_the_edges_of_its_bucket() -> None:
    for value in [0, 1, 127, 128, 129, 255, 256, 1_000, 123_456_789, 2**62]:
        ((bucket, count),) = histogram.histogram_of([value]).buckets
        first, last = histogram.edges(bucket)
        assert count == 1
        assert first <= value * 1e-9 < last


def test_pooling_is_the_distribution_of_all_samples() -> None:
    first, second = [5, 700, 80_000], [1, 700, 9_999_999]
    assert histogram.pooled(
        [histogram.histogram_of(first), histogram.histogram_of([]), histogram.histogram_of(second)]
    ) == histogram.histogram_of(first + second)


def test_a_value_that_is_given_twice_counts_twice() -> None:
    """Two streams may say the same bucket each."""
    found = histogram.weighted([(700, 2), (5, 1), (700, 3)])
    assert found == histogram.histogram_of([5] + 5 * [700])


def test_without_samples_there_is_no_quantile() -> None:
    nothing = histogram.histogram_of([])
    assert math.isnan(nothing.quantile(0.5))
    assert math.isnan(nothing.mean())
    assert nothing.largest() == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ops / elapsed", 50),
        ("quantile(lateness, 0.5) * 1000", 0.001),
        ("count(lateness) - 1", 2),
        ("abs(3 - ops) <= 0.97 * ops and c == 2", 1),
        ("c > 2 or c < 2", 0),
        ("max(c, -c) + min(1, 2)", 3),
        ("largest(lateness) >= mean(lateness)", 1),
        ("mode == 'naive'", 1),
    ],
)
def test_expressions_over_quantities_and_samples(text: str, value: float) -> None:
    names = {"ops": 100, "elapsed": 2.0, "c": 2, "mode": "naive"}
    samples = {"lateness": histogram.histogram_of([500, 1_000, 3_000])}
    assert expression.evaluate(text, names, samples) == pytest.approx(value, rel=0.008)


@pytest.mark.parametrize(
    "text",
    [
        "open('x')",
        "ops.real",
        "[1]",
        "quantile(ops, 0.5)",
        "lambda: 1",
        "2 ** 9",
        "quantile(lateness",
    ],
)
def test_nothing_else_can_be_written(text: str) -> None:
    with pytest.raises(ValueError, match=r"not allowed|not an expression"):
        expression.evaluate(text, {"ops": 1}, {"lateness": histogram.histogram_of([1])})


def test_unknown_names_are_named() -> None:
    with pytest.raises(ValueError, match="unknown name 'latness'"):
        expression.check_names("quantile(latness, 0.5)", ["ops"], ["lateness"])
