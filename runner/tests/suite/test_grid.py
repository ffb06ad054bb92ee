"""Lists among a point's parameters: which points they stand for, and what is said of a wrong
one.
"""

from __future__ import annotations

from pathlib import Path

import planted
import pytest

from corobench.errors import UserError
from corobench.suite.load import load_suite, spread_grid
from corobench.suite.workload import Point


def test_every_combination_once_and_the_last_list_varies_fastest() -> None:
    found = spread_grid([{"params": {"a": [1, 2], "b": "x", "c": [3, 4]}, "profiles": ["quick"]}])
    assert [point["params"] for point in found] == [
        {"a": a, "b": "x", "c": c} for a in (1, 2) for c in (3, 4)
    ]
    assert all(point["profiles"] == ["quick"] for point in found)


def test_without_a_list_nothing_changes() -> None:
    plain = [{"params": {"a": 1}, "profiles": []}, {"params": {"a": "[1, 2]"}}]
    assert spread_grid(plain) == plain


def test_what_is_no_point_is_left_to_the_reader_of_types() -> None:
    assert spread_grid([3, {"profiles": []}, {"params": 4}]) == [3, {"profiles": []}, {"params": 4}]


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("phase = [], n = 10_000", r"http\.toml: point 4: params\.phase: an empty list"),
        ('phase = ["open", [1]], n = 10_000', r"http\.toml: .*params"),
        (
            'phase = ["open", "shut"], n = 10_000',
            r"http\.toml: point phase=shut,n=10000,least_ms=1000: no \[\[load\]\] is for it",
        ),
    ],
)
def test_a_wrong_list(tmp_path: Path, new: str, message: str) -> None:
    planted.plant(tmp_path, {})
    file = tmp_path / "runner" / "workloads" / "http.toml"
    text = file.read_text()
    old = 'phase = ["one-new", "one-keep", "many-new", "many-keep", "open"], n = 10_000'
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(UserError, match=message):
        load_suite(tmp_path)


def test_a_parameter_may_follow_from_another() -> None:
    point = Point(
        params={"c": 5, "n": 60}, derived={"n": "max(60, 20 * c)"}, profiles=["scenarios"]
    )
    assert point.on(1).params == {"c": 5, "n": 100}
