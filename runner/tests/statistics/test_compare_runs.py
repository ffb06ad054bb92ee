"""Two runs: planted slowdowns are found and nothing else is; what spoils a comparison withholds its
verdicts.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from synthetic import Build, Noise, make_run
from two_runs import DAY, SPAWN, change, run

from corobench.results import log
from corobench.statistics import environment
from corobench.statistics.compare import CANARY, compare


def with_box(one: log.Run, **facts: Any) -> log.Run:
    return msgspec.structs.replace(
        one, header=msgspec.structs.replace(one.header, box={**one.header.box, **facts})
    )


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_same_build_twice_is_no_change(seed: int) -> None:
    found = compare(run(1), run(seed, DAY))
    assert {one.verdict for one in found.changes if not one.reason} <= {"equal", "inconclusive"}
    assert sum(one.reason not in ("", CANARY) for one in found.changes) <= 3, (
        "about 1 % of sound cases carry a red flag by chance"
    )
    assert found.regressions == []
    assert found.environment == []
    assert found.missing == []
    assert not found.interleaved
    assert all(one.delta >= 0.02 for one in found.changes if one.method != "absolute"), (
        "layout moves a case and its reference"
    )


@pytest.mark.parametrize("seed", [13, 14, 15])
def test_a_planted_slowdown_is_found_alone(seed: int) -> None:
    slow = Build(slow={("spawn", "uvloop"): 1.15}, commit="4567def")
    found = compare(run(2), run(seed, DAY, build=slow))
    expected = {"spawn/n=1000", "spawn/n=10000", "spawn/n=100000", "spawn/n=1000..100000"}
    withheld = {
        f"{one.workload}/{one.point}"
        for one in found.changes
        if one.runtime == "uvloop" and one.reason
    }
    assert {f"{one.workload}/{one.point}" for one in found.regressions} == expected - withheld
    assert len(withheld) <= 1
    assert {one.runtime for one in found.regressions} == {"uvloop"}
    one = change(found, "spawn/n=1000/one-cpu/uvloop/time")
    assert one.ratio
    assert one.ratio.low < 1.15 < one.ratio.high
    assert {one.kind for one in found.environment} == {"intended"}


def test_a_speed_up_is_no_regression() -> None:
    found = compare(run(1, build=Build(slow={("spawn", "uvloop"): 1.15})), run(2, DAY))
    assert change(found, "spawn/n=1000/one-cpu/uvloop/time").verdict == "lower"
    assert found.regressions == []


def test_the_threshold_is_what_the_user_says() -> None:
    slow = Build(slow={("spawn", "uvloop"): 1.15})
    assert compare(run(1), run(2, DAY, build=slow), threshold=0.3).regressions == []


def test_a_slower_box_is_no_slower_runtime() -> None:
    everything = {
        (workload, runtime): 1.4 for workload in SPAWN[::2] for runtime in run(1).header.runtimes
    }
    slower = run(2, DAY, build=Build(slow=everything))
    slower = msgspec.structs.replace(
        slower, lines=[_slow_canary(line, 1.4) for line in slower.lines]
    )
    found = compare(run(1), slower)
    assert {one.verdict for one in found.changes if one.method != "canary"} <= {
        "equal",
        "inconclusive",
    }
    assert {one.method for one in found.changes} == {"reference", "canary", "absolute"}


def _slow_canary(line: log.Line, factor: float) -> log.Line:
    if not isinstance(line, log.Control):
        return line
    return msgspec.structs.replace(
        line, values={**line.values, "wall_ns": int(factor * line.values["wall_ns"])}
    )


def test_a_slower_reference_gets_a_ratio_by_the_canary_and_no_verdict() -> None:
    slow = Build(slow={("spawn", "asyncio"): 1.15}, version="1.1")
    found = compare(run(1), run(2, DAY, build=slow))
    reference = change(found, "spawn/n=1000/one-cpu/asyncio/time")
    assert (reference.method, reference.verdict, reference.reason) == (
        "canary",
        "not comparable",
        CANARY,
    )
    assert reference.ratio
    assert reference.ratio.low < 1.15 < reference.ratio.high
    assert found.regressions == []
    assert change(found, "spawn/n=1000/one-cpu/uvloop/time").verdict != "lower"


def test_more_memory_is_found_without_an_anchor() -> None:
    found = compare(run(1), run(2, DAY, build=Build(slow={("memory", "asyncio"): 1.15})))
    assert [(one.runtime, one.workload, one.method) for one in found.regressions] == [
        ("asyncio", "memory", "absolute")
    ]


@pytest.mark.parametrize("together", [False, True])
def test_values_that_are_not_positive_have_no_ratio(together: bool) -> None:
    """A slope below zero in half of the blocks: what is left of them is no sample of anything."""

    def shrunk(line: log.Line) -> log.Line:
        if (
            not isinstance(line, log.Invocation)
            or not line.case.endswith("/node")
            or not line.holds
            or line.block % 2
        ):
            return line
        live = msgspec.structs.replace(
            line.holds["live"], private_dirty=2 * 10**8 - 400 * line.holds["live"].units
        )
        return msgspec.structs.replace(line, holds={**line.holds, "live": live})

    later = run(2, DAY)
    runs = run(1), msgspec.structs.replace(later, lines=[shrunk(line) for line in later.lines])
    found = change(
        compare(*(woven(*runs) if together else runs)), "memory/n=1000..100000/one-cpu/node/bytes"
    )
    assert found.ratio is None
    assert found.verdict == "not comparable"
    assert not found.regression


def woven(first: log.Run, second: log.Run) -> tuple[log.Run, log.Run]:
    """The same runs as if their blocks had alternated."""

    def timed(one: log.Run, offset: int) -> log.Run:
        lines = [
            msgspec.structs.replace(
                line, started=f"2026-01-01T00:{2 * line.block + offset:02}:{line.position % 60:02}"
            )
            if isinstance(line, log.Invocation)
            else line
            for line in one.lines
        ]
        return msgspec.structs.replace(one, lines=lines)

    return timed(first, 0), timed(second, 1)


def test_alternating_blocks_are_paired() -> None:
    found = compare(*woven(run(1), run(2, build=Build(slow={("spawn", "asyncio"): 1.15}))))
    assert found.interleaved
    assert {one.method for one in found.changes} == {"paired"}
    assert {(one.runtime, one.workload) for one in found.regressions} == {("asyncio", "spawn")}


def test_families_in_turns_are_paired_whoever_goes_first() -> None:
    """A run's block may begin before the other's has ended, and either may be the first: it is over
    in both before the next.
    """
    first, second = run(1), run(2)

    def timed(one: log.Run, side: int) -> log.Run:
        def at(line: log.Line) -> log.Line:
            if not isinstance(line, log.Invocation):
                return line
            turn = 2 * SPAWN.index(line.case.split("/")[0]) + (side + line.block) % 2
            return msgspec.structs.replace(
                line, started=f"2026-01-01T{line.block:02}:{turn:02}:{line.position % 60:02}"
            )

        return msgspec.structs.replace(one, lines=[at(line) for line in one.lines])

    found = compare(timed(first, 0), timed(second, 1))
    assert found.interleaved
    assert {one.method for one in found.changes} == {"paired"}


def test_runs_of_one_block_each_and_runs_one_after_the_other_are_not_paired() -> None:
    first, second = woven(run(1), run(2))
    alone = [
        msgspec.structs.replace(one, lines=[line for line in one.lines if line.block == 0])
        for one in (first, second)
    ]
    assert not compare(*alone).interleaved
    late = [
        msgspec.structs.replace(line, started=line.started.replace("2026-01-01", "2026-01-02"))
        if isinstance(line, log.Invocation) and line.block > 5
        else line
        for line in second.lines
    ]
    assert not compare(first, msgspec.structs.replace(second, lines=late)).interleaved


def test_pairs_that_lie_far_apart_are_told() -> None:
    (told,) = [
        warning for warning in compare(*woven(run(1), run(2))).warnings if "paired" in warning
    ]
    assert told.startswith("what is paired was measured 60 s apart (median)")


@pytest.mark.parametrize(("slow", "expected"), [(1.015, "equal"), (1.03, "higher")])
def test_two_percent_are_no_change_of_paired_runs_either(slow: float, expected: str) -> None:
    quiet = Noise(invocation=0.0, iteration=0.001, outliers=0.0)
    found = compare(
        *woven(
            run(1, noise=quiet),
            run(2, noise=quiet, build=Build(slow={("hand-off", "uvloop"): slow})),
        )
    )
    one = change(found, "hand-off/m=500/one-cpu/uvloop/time")
    assert (one.method, one.verdict) == ("paired", expected)
    assert {other.delta >= (0.01 if other.unit == "B" else 0.02) for other in found.changes} == {
        True
    }
    assert min(other.delta for other in found.changes if other.unit == "B") < 0.02, (
        "no layout moves bytes"
    )


def test_swapped_runs_swap_the_verdicts() -> None:
    plain, slow = run(1), run(2, DAY, build=Build(slow={("spawn", "uvloop"): 1.15}))
    key = "spawn/n=1000/one-cpu/uvloop/time"
    there, back = change(compare(plain, slow), key), change(compare(slow, plain), key)
    assert (there.verdict, back.verdict) == ("higher", "lower")
    assert there.ratio
    assert back.ratio
    assert there.ratio.center * back.ratio.center == pytest.approx(1)


def test_a_confounder_downgrades() -> None:
    slow = run(2, DAY, build=Build(slow={("spawn", "uvloop"): 1.15}))
    found = compare(run(1), with_box(slow, kernel="6.2.0"))
    one = change(found, "spawn/n=1000/one-cpu/uvloop/time")
    assert one.verdict == "inconclusive"
    assert "box.kernel" in one.reason
    assert found.regressions == []
    assert [(d.key, d.before, d.after) for d in found.environment if d.kind == "confounding"] == [
        ("box.kernel", "6.1.0", "6.2.0")
    ]
    assert any("box.kernel" in warning for warning in found.warnings)


def test_a_box_that_changed_while_a_run_was_interrupted_confounds_and_is_told() -> None:
    slow = run(2, DAY, build=Build(slow={("spawn", "uvloop"): 1.15}))
    as_before = {
        "memory.total": [8_000_000_000, 8_000_004_096],
        "environment_unused": [[], ["GOGC"]],
    }
    mark = log.Mark(
        event="resumed", at="", values={"box": {"governor": ["none", "performance"], **as_before}}
    )
    found = compare(run(1), msgspec.structs.replace(slow, lines=[mark, *slow.lines]))
    told = [(one.key, one.before, one.after, one.kind) for one in found.environment]
    assert told == [("box.governor within run-2", "none", "performance", "confounding")]
    one = change(found, "spawn/n=1000/one-cpu/uvloop/time")
    assert (one.verdict, "box.governor within run-2" in one.reason) == ("inconclusive", True)
    assert found.regressions == []
    warning = (
        "run-2: the box changed while the run was interrupted: governor was none, then performance"
    )
    assert warning in found.warnings


def test_two_percent_between_runs_are_no_change() -> None:
    quiet = Noise(invocation=0.0, iteration=0.001, outliers=0.0)
    one, other = (
        run(1, noise=quiet),
        run(2, DAY, noise=quiet, build=Build(slow={("hand-off", "uvloop"): 1.015})),
    )
    assert change(compare(one, other), "hand-off/m=500/one-cpu/uvloop/time").verdict == "equal"
    other = run(2, DAY, noise=quiet, build=Build(slow={("hand-off", "uvloop"): 1.03}))
    assert change(compare(one, other), "hand-off/m=500/one-cpu/uvloop/time").verdict == "higher"


def test_two_boxes_get_ratios_only() -> None:
    found = compare(run(1), run(2, DAY, box="other", build=Build(slow={("spawn", "uvloop"): 1.5})))
    assert not found.same_box
    assert {one.verdict for one in found.changes} == {"not comparable"}
    assert {one.method for one in found.changes} == {"reference", None}
    one = change(found, "spawn/n=1000/one-cpu/uvloop/time")
    assert one.ratio
    assert one.ratio.center == pytest.approx(1.5, rel=0.05)


def test_contaminated_and_quick_runs_are_not_compared() -> None:
    loaded = compare(run(1), run(3, DAY, noise=Noise(other=1.0)))
    assert all("other programs" in one.reason for one in loaded.changes if one.unit == "s")
    quick = compare(
        run(1), make_run(seed=2, blocks=3, profile="quick", workloads=SPAWN, start_s=DAY)
    )
    assert {one.reason for one in quick.changes} == {"a quick run makes no claims"}
    assert quick.missing


def test_moments_are_no_difference_and_unknown_facts_are_confounding() -> None:
    one = with_box(
        run(1),
        load=[0.1, 0.2],
        memory={"available": 5, "total": 8},
        cpu={"mhz": 2000, "model": "A"},
        odd="x",
    )
    other = with_box(
        run(2, DAY),
        load=[3.0, 0.2],
        memory={"available": 6, "total": 8},
        cpu={"mhz": 2100, "model": "A"},
        odd="y",
    )
    assert [(d.key, d.kind) for d in environment.differences(one.header, other.header)] == [
        ("box.odd", "confounding")
    ]


@pytest.mark.parametrize(
    ("total", "kinds"), [(8_000_004_096, []), (7_999_000_000, []), (7_800_000_000, ["confounding"])]
)
def test_a_few_kilobytes_of_memory_are_no_other_box(total: int, kinds: list[str]) -> None:
    one, other = (with_box(run(1), memory={"total": size}) for size in (8_000_000_000, total))
    assert [d.kind for d in environment.differences(one.header, other.header)] == kinds


def test_what_never_reaches_a_program_is_only_noted() -> None:
    """Programs get an environment of the runner's making; a compiler's flags are another matter."""
    one = with_box(run(1), environment={"GOGC": "50"}, environment_unused=["GOGC"])
    other = with_box(run(2, DAY), environment={"CFLAGS": "-O0"}, environment_unused=[])
    found = {d.key: d.kind for d in environment.differences(one.header, other.header)}
    assert found == {
        "box.environment.GOGC": "noted",
        "box.environment.CFLAGS": "confounding",
        "box.environment_unused": "noted",
    }


def test_an_alarm_is_about_all_numbers_of_two_runs() -> None:
    """What is a regression by its own column, and among few numbers, may be chance among many."""
    runs = run(1), run(12, DAY, build=Build(slow={("spawn", "uvloop"): 1.15}))
    among_many = compare(*runs)
    higher = [one for one in among_many.changes if one.verdict == "higher"]
    assert higher
    assert among_many.regressions == []
    place = "/".join((higher[0].workload, higher[0].point, higher[0].track, ""))
    alone = compare(only(runs[0], place), only(runs[1], place))
    assert [(one.key, one.verdict) for one in alone.regressions] == [(higher[0].key, "higher")]


def only(one: log.Run, place: str) -> log.Run:
    """The run with the cases of one cell alone."""
    cases = [key for key in one.header.plan.cases if key.startswith(place)]
    lines = [
        line for line in one.lines if not isinstance(line, log.Invocation) or line.case in cases
    ]
    plan = msgspec.structs.replace(one.header.plan, cases=cases)
    return msgspec.structs.replace(
        one, header=msgspec.structs.replace(one.header, plan=plan), lines=lines
    )


def test_a_fact_that_only_one_run_has_is_a_difference() -> None:
    found = environment.differences(
        run(1).header, with_box(run(2), governor="performance", smt=True).header
    )
    assert {(d.key, d.before, d.after) for d in found} == {
        ("box.governor", "none", "performance"),
        ("box.smt", "(absent)", "true"),
    }


def test_a_box_without_a_name_is_no_known_box() -> None:
    nameless = with_box(run(1), name="")
    assert not environment.same_box(nameless.header, nameless.header)


def test_two_runs_of_pure_noise_rarely_differ() -> None:
    rng = random.Random(6)
    noisy = Noise(invocation=0.08, outliers=0.1)
    false = 0
    for _ in range(10):
        one, other = (
            make_run(seed=rng.randrange(10**6), blocks=9, workloads=["hand-off"], noise=noisy)
            for _ in range(2)
        )
        false += any(found.verdict in ("lower", "higher") for found in compare(one, other).changes)
    assert false <= 1
