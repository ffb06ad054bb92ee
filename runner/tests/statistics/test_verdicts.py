"""Verdicts and groups: planted differences, planted label swaps, and what must not be told
apart.
"""

from __future__ import annotations

import math
import random

import pytest

from corobench.statistics import verdicts


def blocks(level: float, seed: int, n: int = 25, spread: float = 0.02) -> dict[int, float]:
    rng = random.Random(f"{level} {seed}")
    return {block: level * math.exp(rng.gauss(0, spread)) for block in range(n)}


def logs(center: float, n: int = 25, spread: float = 0.02, seed: int = 1) -> list[float]:
    rng = random.Random(f"{center} {seed}")
    return [math.log(center) + rng.gauss(0, spread) for _ in range(n)]


@pytest.mark.parametrize(
    ("center", "spread", "delta", "expected"),
    [
        (0.80, 0.02, 0.01, "lower"),
        (1.25, 0.02, 0.01, "higher"),
        (1.00, 0.002, 0.01, "equal"),
        (1.00, 0.10, 0.01, "inconclusive"),
        (1.03, 0.005, 0.05, "equal"),
        (1.03, 0.005, 0.01, "higher"),
        (1.005, 0.001, 0.01, "equal"),
    ],
)
def test_verdicts(center: float, spread: float, delta: float, expected: str) -> None:
    assert verdicts.decide({"it": logs(center, spread=spread)}, delta)["it"].verdict == expected


@pytest.mark.parametrize(("delta", "expected"), [(0.10, "equal"), (0.11, "inconclusive")])
def test_within_a_wide_zone_nothing_is_called_equal(delta: float, expected: str) -> None:
    assert verdicts.decide({"it": logs(1.0, spread=0.005)}, delta)["it"].verdict == expected


def test_a_difference_inside_delta_is_none() -> None:
    assert verdicts.decide({"it": logs(1.04, spread=0.015)}, 0.05)["it"].verdict != "higher"


def test_swapped_labels_swap_the_verdict() -> None:
    values = logs(0.85)
    there = verdicts.decide({"it": values}, 0.01)["it"]
    back = verdicts.decide({"it": [-value for value in values]}, 0.01)["it"]
    assert (there.verdict, back.verdict) == ("lower", "higher")
    assert there.confidence == back.confidence


def test_the_family_is_paid_for() -> None:
    nine = [0.2] * 9  # alone p = 2/512
    alone = verdicts.decide({"it": nine}, 0.01)["it"]
    assert alone.verdict == "higher"
    assert alone.confidence == pytest.approx(1 - 2 / 512)
    crowd = {f"other {i}": logs(1.0, n=9, spread=0.1, seed=i) for i in range(20)}
    assert verdicts.decide({"it": nine, **crowd}, 0.01)["it"].verdict == "inconclusive"


def test_five_blocks_prove_nothing() -> None:
    assert verdicts.decide({"it": [1.0] * 5}, 0.01)["it"].verdict == "inconclusive"


def test_groups() -> None:
    found = verdicts.groups(
        {
            "a": blocks(1.0, 1),
            "b": blocks(1.0, 2),
            "c": blocks(1.5, 1),
            "d": blocks(1.5, 2),
            "e": blocks(9.0, 1),
        },
        0.01,
    )
    assert found == {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3}
    assert verdicts.sole_fastest(found) is None


@pytest.mark.parametrize("runtimes", [2, 8, 13, 14, 40])
def test_fewer_blocks_than_needed_put_all_into_one_group(runtimes: int) -> None:
    """However far apart they are: that says nothing, and no groups are shown."""

    def found(n: int) -> dict[str, int]:
        return verdicts.groups(
            {f"{i:02}": dict.fromkeys(range(n), 10.0**i) for i in range(runtimes)}, 0.01
        )

    needed = verdicts.group_blocks_needed(runtimes)
    assert set(found(needed - 1).values()) == {1}
    assert sorted(found(needed).values()) == list(range(1, runtimes + 1))


QUIET = {"a": blocks(50.0, 1), "b": blocks(1250.0, 1), "c": blocks(1260.0, 2)}
FOUND = {"a": 1, "b": 2, "c": 2}


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (200.0, {"a": 1, "x": 2, "b": 3, "c": 3}),  # between the two, far from both
        (52.0, {"a": 1, "x": 1, "b": 2, "c": 2}),
        (1250.0, {"a": 1, "b": 2, "c": 2, "x": 2}),
        (5.0, {"x": 1, "a": 2, "b": 3, "c": 3}),
        (9000.0, {"a": 1, "b": 2, "c": 2, "x": 3}),
    ],
)
def test_a_noisy_number_stands_where_its_ratios_put_it(
    level: float, expected: dict[str, int]
) -> None:
    """Its interval is about +-30 %."""
    noisy = {"x": blocks(level, 3, spread=0.6)}
    assert verdicts.groups(QUIET, 0.01) == FOUND
    assert verdicts.with_noisy(FOUND, QUIET, noisy, 0.01) == expected


def test_a_noisy_number_that_may_be_of_two_groups_has_no_place() -> None:
    near = {"a": blocks(50.0, 1), "b": blocks(60.0, 1)}
    found = verdicts.groups(near, 0.01)
    assert found == {"a": 1, "b": 2}
    noisy = {"x": blocks(55.0, 3, spread=0.6)}
    assert verdicts.with_noisy(found, near, noisy, 0.01) == found


def test_a_noisy_number_blurs_nothing_between_others() -> None:
    """It reads best, and others are told apart all the same."""
    near = {"a": blocks(50.0, 1), "b": blocks(60.0, 1)}
    found = verdicts.with_noisy({"a": 1, "b": 2}, near, {"x": blocks(45, 3, spread=0.9)}, 0.01)
    assert {found["a"], found["b"]} == {1, 2}
    assert "x" not in found


@pytest.mark.parametrize(("margin", "told"), [(0.25, True), (1.0, True), (3.5, False)])
def test_a_number_that_may_be_off_is_told_only_from_what_is_further_away(
    margin: float, told: bool
) -> None:
    """Four times as much as the other."""
    found = verdicts.with_noisy(
        {"a": 1}, {"a": blocks(50.0, 1)}, {"x": blocks(200.0, 3)}, 0.01, {"x": margin}
    )
    assert found == {"a": 1, "x": 2 if told else 1}


def test_of_two_that_may_be_off_the_larger_margin_counts() -> None:
    noisy = {"x": blocks(50.0, 1), "y": blocks(200.0, 2)}
    for margins in ({"x": 3.5}, {"y": 3.5}):
        assert verdicts.with_noisy({}, {}, noisy, 0.01, margins) == {}
    assert verdicts.with_noisy({}, {}, noisy, 0.01, {"x": 1.0, "y": 1.0}) == {"x": 1, "y": 2}


def test_noisy_numbers_alone_have_places_where_they_are_told_apart() -> None:
    apart = {"x": blocks(50.0, 1, spread=0.6), "y": blocks(1250.0, 2, spread=0.6)}
    assert verdicts.with_noisy({}, {}, apart, 0.01) == {"x": 1, "y": 2}
    alike = {"x": blocks(50.0, 1, spread=0.6), "y": blocks(55.0, 2, spread=0.6)}
    assert verdicts.with_noisy({}, {}, alike, 0.01) == {}


def test_fastest_stands_alone() -> None:
    found = verdicts.groups(
        {"slow": blocks(2.0, 1), "quick": blocks(1.0, 1), "slow too": blocks(2.0, 2)}, 0.01
    )
    assert found == {"quick": 1, "slow": 2, "slow too": 2}
    assert verdicts.sole_fastest(found) == "quick"
    assert verdicts.sole_fastest({"only": 1}) is None


def test_a_group_opens_only_beyond_delta() -> None:
    samples = {"a": blocks(1.0, 1, spread=0.005), "b": blocks(1.04, 1, spread=0.005)}
    assert verdicts.groups(samples, 0.01) == {"a": 1, "b": 2}
    assert verdicts.groups(samples, 0.05) == {"a": 1, "b": 1}


def test_swapped_labels_swap_the_groups() -> None:
    quick, slow = blocks(1.0, 1), blocks(1.3, 1)
    assert verdicts.groups({"a": quick, "b": slow}, 0.01) == {"a": 1, "b": 2}
    assert verdicts.groups({"a": slow, "b": quick}, 0.01) == {"a": 2, "b": 1}


def test_few_blocks_stay_in_one_group() -> None:
    assert verdicts.groups({"a": blocks(1.0, 1, n=3), "b": blocks(9.0, 1, n=3)}, 0.01) == {
        "a": 1,
        "b": 1,
    }
