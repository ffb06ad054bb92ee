"""Results that are kept by the identity of what they were made from."""

from __future__ import annotations

from corobench.statistics.types import by_identity


def test_a_value_is_worked_on_once_and_an_equal_one_again() -> None:
    """Equal but not the same: comparing would take longer than the work."""
    seen: list[list[int]] = []

    @by_identity(8)
    def total(numbers: list[int]) -> int:
        seen.append(numbers)
        return sum(numbers)

    first, second = [1, 2], [1, 2]
    assert [total(first), total(first), total(second), total(first)] == [3, 3, 3, 3]
    assert [numbers is first for numbers in seen] == [True, False]


def test_only_the_latest_are_kept() -> None:
    made: list[int] = []

    @by_identity(2)
    def doubled(numbers: list[int]) -> int:
        made.append(numbers[0])
        return 2 * numbers[0]

    values = [[1], [2], [3]]
    assert [doubled(value) for value in [*values, values[2], values[0]]] == [2, 4, 6, 6, 2]
    assert made == [1, 2, 3, 1]


def test_what_is_kept_keeps_its_arguments() -> None:
    """Else another value could come to lie where the first one was, and be taken for it."""

    @by_identity(1000)
    def first(numbers: list[int]) -> int:
        return numbers[0]

    assert [first([number]) for number in range(1000)] == list(range(1000))
