"""Base units into shown ones: digits that the interval supports, one unit a column, safe names."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corobench.report import text, units
from corobench.report.text import slug
from corobench.report.units import Scale
from corobench.statistics.types import Estimate

positive = st.floats(min_value=1e-9, max_value=1e9, allow_nan=False)


def estimate(center: float, low: float, high: float) -> Estimate:
    return Estimate(center=center, low=low, high=high, n=12, confidence=0.96)


@pytest.mark.parametrize(
    ("center", "low", "high", "value", "interval"),
    [
        (12.345, 12.339, 12.351, "12.3", "12.3|12.4"),
        (12.345, 11.9, 12.8, "12.3", "11.9|12.8"),
        (12.345, 11.0, 13.0, "12", "11|13"),
        (12.345, 3.0, 40.0, "10", "0|40"),
        (8123.0, 8100.0, 8150.0, "8,120", "8,100|8,150"),
        (0.05123, 0.0508, 0.0516, "0.0512", "0.0508|0.0516"),
        (0.129, 0.127, 0.131, "0.129", "0.127|0.131"),
        (5.0, 5.0, 5.0, "5.00", "5.00|5.00"),
        (0.0, 0.0, 0.0, "0", "0|0"),
    ],
)
def test_never_more_digits_than_the_interval_supports(
    center: float, low: float, high: float, value: str, interval: str
) -> None:
    found = estimate(center, low, high)
    assert units.show(found, Scale(1.0, "")) == value
    assert units.show_interval(found, Scale(1.0, "")) == interval.replace("|", units.DASH)


@pytest.mark.parametrize(
    ("ends", "shown"),
    [
        ([(6.6, 0.3), (137.0, 1.4)], ["6.6", "140"]),
        ([(7.0, 2.0), (137.0, 1.4)], ["7", "140"]),
        ([(660.0, 1.0), (1.37, 0.001)], ["660", "1.37"]),
        ([(0.0, 0.0), (5.0, 0.01)], ["0", "5.00"]),
        ([(6.6, 0.3)], ["6.6"]),
    ],
)
def test_the_ends_of_a_range_are_alike_in_digits(
    ends: list[tuple[float, float]], shown: list[str]
) -> None:
    found = [estimate(center, center - half, center + half) for center, half in ends]
    assert units.show_alike(found, Scale(1.0, "")) == shown


def test_one_value_has_no_interval() -> None:
    single = Estimate(center=5.0, low=5.0, high=5.0, n=1, confidence=0.0)
    assert units.show_interval(single, Scale(1.0, "")) == "one value"


@given(center=positive, below=st.floats(0, 0.99), above=st.floats(0, 5))
def test_an_interval_as_shown_never_claims_more_than_was_found(
    center: float, below: float, above: float
) -> None:
    found = estimate(center, center * (1 - below), center * (1 + above))
    low, high = (
        float(end.replace(",", ""))
        for end in units.show_interval(found, Scale(1.0, "")).split(units.DASH)
    )
    assert low <= found.low * (1 + 1e-8)
    assert high >= found.high * (1 - 1e-8)
    digits = units.show(found, Scale(1.0, "")).replace(",", "").replace(".", "").strip("0")
    assert len(digits) <= units.SIGNIFICANT


@pytest.mark.parametrize(
    ("values", "unit", "symbol"),
    [
        ([5e-8, 9e-6], "s", "µs"),
        ([4e-8, 2.5e-6], "s", "ns"),
        ([1e-3, 0.1], "s", "ms"),
        ([300, 400], "B", "B"),
        ([300, 2750], "B", "KiB"),
        ([30_000, 6_000_000], "B", "KiB"),
        ([3e8], "B", "MiB"),
        ([], "s", "ns"),
        ([0.0], "B", "B"),
        ([3.0], "widgets", "widgets"),
    ],
)
def test_one_unit_for_a_column(values: list[float], unit: str, symbol: str) -> None:
    assert units.scale_of(values, unit).symbol == symbol


def test_bytes_are_binary_and_seconds_decimal() -> None:
    assert units.bare(2048.0, "B") == "2.00 KiB"
    assert units.bare(0.0021, "s") == "2.10 ms"
    assert units.bare(None, "s") == units.NONE
    assert units.bare(math.inf, "s") == units.NONE


@pytest.mark.parametrize(
    "text",
    [
        "..",
        "../../etc/passwd",
        "a/b",
        "<script>",
        "",
        "~",
        ".hidden",
        "x" * 500,
        "ü",
        "a b",
        "A",
        "a\0b",
    ],
)
def test_a_slug_stays_in_its_folder(text: str) -> None:
    found = slug(text)
    assert found
    assert "/" not in found
    assert not found.startswith(".")
    assert len(found) < 100


def test_two_names_never_share_a_slug() -> None:
    names = ["a b", "a-b", "A-b", "a/b", "a_b", "a.b", "a", "A", "a ", " a", "é", "è"]
    assert len({text.slug(name) for name in names}) == len(names)
    assert text.slug("spawn-chain") == "spawn-chain"
