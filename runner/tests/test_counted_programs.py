"""Our own programs take no more instructions than committed (bench/count_programs.py), and one that
did would be found.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import count_programs
from count_programs import Figure
from needed import missing, tool

# What runs beside it makes Go's scheduler and collector do more.
DISTURBED = {"go-p1"}
# Under Valgrind each process of CPython takes seconds: here only where most of our lines run.
FEWER = {"asyncio": {"spawn": count_programs.POINTS["spawn"]}}
ONE = Figure(versions=["1.54", "1.95", "valgrind 3.19"], instructions=[520.4, 520.4, 520.5])


@pytest.mark.parametrize(
    ("instructions", "versions", "factor"),
    [
        ([530.0, 530.1, 530.0], ONE.versions, pytest.approx(1.0184, rel=1e-3)),
        ([524.0, 524.0, 524.0], ONE.versions, None),  # 0.7 %
        ([530.0, 530.0, 515.0], ONE.versions, None),  # not in each process
        ([400.0, 400.0, 400.0], ONE.versions, None),  # fewer is no failure
        ([900.0, 900.0, 900.0], ["1.55", *ONE.versions[1:]], None),  # another version
    ],
)
def test_more_work_is_found(
    instructions: list[float], versions: list[str], factor: float | None
) -> None:
    assert count_programs.grown(ONE, Figure(versions, instructions)) == factor


@pytest.mark.parametrize(
    "runtime",
    [
        pytest.param(name, marks=[pytest.mark.alone] if name in DISTURBED else [])
        for name in count_programs.RUNTIMES
    ],
)
def test_our_programs_take_no_more_than_they_did(runtime: str) -> None:
    tool("valgrind")
    known = count_programs.committed()
    points = FEWER.get(runtime, count_programs.POINTS)
    found = dict(count_programs.counted(known, [runtime], points))
    if not found:
        missing(f"{runtime} is not ready here; the output says why")
    assert found.keys() <= known.keys()
    if not any(now.instructions for now in found.values()):
        pytest.skip(f"the committed figures of {runtime} are of other versions than those here")
    grown = {
        key: f"{factor:.3f} times as many instructions as committed"
        for key, now in found.items()
        if (factor := count_programs.grown(known[key], now))
    }
    assert grown == {}, "say why in the commit of: python bench/count_programs.py --write"
