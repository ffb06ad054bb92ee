"""What a spec asks for at chosen points, and where a verify point asks for less than the others."""

from __future__ import annotations

import planted
import pytest

from corobench.contract import checks
from corobench.errors import UserError
from corobench.plan import Selection, make_plan
from corobench.suite.load import load_suite

SUITE = load_suite(planted.REPOSITORY)


def test_points_can_be_chosen_by_their_parameters() -> None:
    def points(wanted: str, *workloads: str) -> set[str]:
        asked = Selection(
            profile="scenarios", workloads=list(workloads), runtimes=["asyncio"], points=wanted
        )
        return {*make_plan(SUITE, asked, seed=0).points}

    sleeping = points("n <= 10_000 and m == 2", "fizzbuzz-sleep")
    assert sleeping == {
        "fizzbuzz-sleep/n=1000,m=2,sleep_ms=100",
        "fizzbuzz-sleep/n=10000,m=2,sleep_ms=250",
    }
    assert {name.split("/")[0] for name in points("phase == 'yield'", "fizzbuzz", "mixed")} == {
        "fizzbuzz"
    }


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("k < 3", "--points: unknown name 'k' in 'k < 3'; known: m, n, sleep_ms"),
        ("n <", "--points: 'n <' is not an expression"),
        ("n < 'many'", "--points: \"n < 'many'\": '<' not supported"),
        ("n / 0 > 1", "--points: division by zero"),
        ("n.real", "--points: 'n.real': 'n.real' is not allowed here"),
    ],
)
def test_points_that_cannot_be_chosen_are_told(wanted: str, told: str) -> None:
    with pytest.raises(UserError) as caught:
        make_plan(
            SUITE,
            Selection(profile="scenarios", workloads=["fizzbuzz-sleep"], points=wanted),
            seed=0,
        )
    assert str(caught.value).startswith(told)


def test_a_verify_point_may_ask_for_other_units_alive() -> None:
    sleeping = SUITE.workloads["fizzbuzz-sleep"]
    assert checks.units_at(sleeping, {"n": 1_000, "m": 1, "sleep_ms": 1}) == {
        "base": "== 0",
        "live": "<= n",
    }
    assert checks.units_at(sleeping, {"n": 1_000, "m": 2, "sleep_ms": 100}) == {
        "base": "== 0",
        "live": "== n",
    }
