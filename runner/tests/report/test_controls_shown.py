"""What the pages say of a run's controls: the A/A control, canary and null programs, carry-over,
looks, and cross-checks.
"""

from __future__ import annotations

import msgspec
import pytest
import report_runs

from corobench.report.pages import run
from corobench.report.pages import run as run_page
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Estimate, RunSummary


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    return summarise(
        log.read(
            report_runs.write(tmp_path_factory.mktemp("results") / "testbox" / "run", blocks=9)
        )
    )


def test_controls_are_told_with_their_intervals(summary: RunSummary) -> None:
    null = [
        {"block": b, "runtime": "go-p1", "elapsed_ns": [9_000, 400 + b, 400 + b, 401 + b]}
        for b in range(9)
    ]
    after = {
        "after": "memory/gevent", "ratio": {"center": 1.04, "low": 1.02, "high": 1.07, "n": 9, "confidence": 0.96},
        "adjusted_p": 0.01, "memory": 3 << 30, "found": True,
    }  # fmt: skip
    look = {
        "block": 8,
        "reason": "63 of 223 numbers are precise enough",
        "predicted_blocks": {"a": 90, "b": 20},
    }
    made = msgspec.structs.replace(
        summary,
        controls={
            **summary.controls,
            "null": null,
            "carry_over": [after, {**after, "found": False}],
            "looks": [look],
        },
    )
    rows = {row[0]: row[1:] for row in run.spins(made)}
    assert rows["Canary, CPU time"][-1] == "9"
    assert rows["Null: the harness of go-p1 around no task"] == ["404 ns", "401\N{EN DASH}407", "9"]
    assert run.carried(made) == (2, [["memory/gevent", "1.04", "1.02\N{EN DASH}1.07", "3.00 GiB"]])
    said, far = run.looks(made)[0]
    assert said == "after 9 blocks: 63 of 223 numbers are precise enough"
    assert far == ["a: about 90 blocks", "b: about 20 blocks"]
    assert {row[-1].split(":")[0] for row in run.agreement(made)} <= {
        "agrees",
        "can't tell",
        "disagrees by over 10 %",
    }


def test_cross_checks_are_counted_and_say_what_their_intervals_are_made_of(
    summary: RunSummary,
) -> None:
    (row,) = summary.controls["agreement"]
    interval = {**row["interval"], "n": 12, "confidence": 0.96}
    theirs = {**row["theirs"], "n": 4}
    rows = [
        {**row, "method": "paired", "interval": interval, "state": "agrees"},
        {**row, "method": "ranks", "interval": interval, "theirs": theirs, "state": "disagrees"},
        {
            **row,
            "method": "ranks",
            "interval": {**interval, "confidence": 0.0},
            "theirs": theirs,
            "state": "can't tell",
        },
        row,
    ]
    made = msgspec.structs.replace(summary, controls={**summary.controls, "agreement": rows})
    assert run.agreed(made) == "2 of 4 cross-checks could be compared; 1 agree, 1 disagree."
    assert run.agreed(msgspec.structs.replace(summary, controls={})) == ""
    assert [told[-2] for told in run.agreement(made)] == [
        "12 pairs",
        "ranks of 4 and 9",
        "extremes of 4 and 9, too few for 95 %",
        "extremes of 1 and 9, too few for 95 %",
    ]


def test_the_noise_floor_says_of_what_it_is(summary: RunSummary) -> None:
    sound, off, few = (
        Estimate(center=center, low=center - 0.02, high=center + 0.02, n=9, confidence=confidence)
        for center, confidence in ((1.0, 0.96), (1.2, 0.96), (1.2, 0.0))
    )
    noise = [msgspec.structs.replace(summary.noise[0], ratio=ratio) for ratio in (sound, off, few)]
    noise.append(msgspec.structs.replace(noise[1], metric="what nothing is claimed by"))
    assert run.failing(msgspec.structs.replace(summary, noise=noise)) == "1 of 2 controls failed"
    assert run.noise_floor(msgspec.structs.replace(summary, noise_floor=0.04)) == "±4 %"
    assert run.noise_floor(msgspec.structs.replace(summary, noise_floor=None)) == ""


def test_what_doctor_warned_of_is_told_and_does_not_by_itself_make_a_box_loud(
    summary: RunSummary,
) -> None:
    sound = [msgspec.structs.replace(cell, flags=[]) for cell in summary.cells]
    made = msgspec.structs.replace(
        summary, cells=sound, warnings=[], box={"warnings": ["swap: 2.0 GiB"]}
    )
    assert (run_page.quiet(made), run_page.disturbed(made)) == ("mostly", ["swap: 2.0 GiB"])
    assert run_page.all_warnings(made) == ["swap: 2.0 GiB"]


def test_how_close_in_time_compared_cases_were_is_a_sentence(summary: RunSummary) -> None:
    spans = {"a/n=1/one-cpu": 2.0, "b/n=1/one-cpu": 61.0, "c/n=1/one-cpu": 3.0}
    made = msgspec.structs.replace(summary, controls={"spans": spans})
    assert run.near(made) == (
        "In a block the runtimes of a cell were started within 3.00 s of each other "
        "(median of 3 cells; at most 61.0 s, b, n = 1)."
    )
    assert run.near(msgspec.structs.replace(summary, controls={})) == ""
