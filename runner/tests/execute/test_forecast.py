"""How long a run should take: what it rests on before it begins, and what the run itself adds."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import msgspec
import planted
import pytest
from report_runs import write

from corobench.cli import progress
from corobench.cli.measure import Estimate, estimate
from corobench.execute.forecast import Basis, Durations, Forecast, durations
from corobench.execute.session import Step
from corobench.plan import PROFILE, Plan, Selection, make_plan
from corobench.results import log
from corobench.results.log import LOG
from corobench.suite.load import load_suite

SUITE = load_suite(planted.REPOSITORY)
SPAWN = "spawn/n=10000/one-cpu/asyncio"


def plan(profile: str = "quick", workloads: str = "spawn", runtimes: str = "asyncio,go-p1") -> Plan:
    asked = Selection(profile=profile, workloads=workloads.split(","), runtimes=runtimes.split(","))
    return make_plan(SUITE, asked, seed=1)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This box's run of two runtimes, and a newer one of another box with more."""
    made = tmp_path_factory.mktemp("results")
    write(
        made / "here/2025-01-01T000000-quick",
        profile="quick",
        blocks=3,
        runtimes=["asyncio"],
        workloads=["spawn"],
    )
    write(
        made / "there/2025-02-01T000000-quick",
        profile="quick",
        blocks=3,
        runtimes=["asyncio", "go-p1"],
        workloads=["spawn"],
    )
    return made


def walls(folder: Path, case: str) -> list[float]:
    return [
        line.witness.wall_ns / 1e9
        for line in log.read(folder).invocations
        if line.case == case and line.block < 2
    ]


def test_a_case_takes_what_it_took_on_this_box_before(results: Path) -> None:
    known = durations(SUITE, plan(), results, "here")
    (here,) = (results / "here").iterdir()
    measured = walls(here, SPAWN)
    assert measured
    assert known.case_s[SPAWN] >= sum(measured) / len(measured)
    assert known.case_s.keys() == {*plan().cases}
    sources = {basis.source: basis.run for basis in known.basis}
    assert sources["this box"] == "here/2025-01-01T000000-quick"
    assert sources["another box"] == "there/2025-02-01T000000-quick"
    assert sum(basis.cases for basis in known.basis) == len(plan().cases)


def test_what_nobody_has_measured_takes_what_its_like_takes_or_its_spec_says(
    results: Path, tmp_path: Path
) -> None:
    asked = plan(workloads="spawn,starvation", runtimes="asyncio,node,go-p1")
    known = durations(SUITE, asked, results, "here")
    by = {basis.source: basis.cases for basis in known.basis}
    assert by["like cases"] == sum(
        key.startswith("spawn/") and "/node" in key for key in asked.cases
    )
    assert by["specs"] == sum(key.startswith("starvation/") for key in asked.cases)
    (alone,) = durations(SUITE, asked, tmp_path, "here").basis
    assert (alone.source, alone.cases) == ("specs", len(asked.cases))
    waiting = next(key for key in asked.cases if "cap_ms=1000" in key)
    assert known.case_s[waiting] > 1, "a spec's milliseconds count"


def test_like_cases_differ_by_their_own_warm_up(results: Path) -> None:
    """A virtual machine is warmed for seconds, and what has no warm-up says nothing of it."""
    known = durations(
        SUITE,
        plan(workloads="spawn", runtimes="asyncio,go-p1,boost-fiber,java-virtual-p1"),
        results,
        "here",
    )
    java, boost = (SPAWN.replace("asyncio", name) for name in ("java-virtual-p1", "boost-fiber"))
    longer_ms = (
        SUITE.runtimes["java-virtual-p1"].manifest.warm_ms
        - SUITE.runtimes["boost-fiber"].manifest.warm_ms
    )
    assert longer_ms > 1_000
    assert known.case_s[java] - known.case_s[boost] == pytest.approx(longer_ms / 1000)


def test_a_run_without_a_log_hides_no_other(results: Path, tmp_path: Path) -> None:
    """Of one that was killed at once, and of one that isn't whole."""
    (here,) = (results / "here").iterdir()
    for name, held in (
        ("2026-01-01T000000-quick", b""),
        ("2026-01-02T000000-quick", b'{"type": "invocation"'),
    ):
        broken = tmp_path / "here" / name
        broken.mkdir(parents=True)
        (broken / "run.json").write_bytes((here / "run.json").read_bytes())
        (broken / LOG).write_bytes(held)
    (tmp_path / "here" / "2026-01-03T000000-quick").mkdir()
    (tmp_path / "here" / "2026-01-03T000000-quick" / "run.json").write_text("{")
    (tmp_path / "here" / here.name).symlink_to(here)
    assert (
        durations(SUITE, plan(), tmp_path, "here").case_s[SPAWN]
        == durations(SUITE, plan(), results, "here").case_s[SPAWN]
    )


def test_only_the_first_blocks_are_read(results: Path, tmp_path: Path) -> None:
    """What comes after them may even be damaged."""
    (here,) = (results / "here").iterdir()
    lines = list(log.log_lines(here))
    second = [place for place, line in enumerate(lines) if b'"block-complete"' in line][1]
    copy = tmp_path / "here" / here.name
    copy.mkdir(parents=True)
    (copy / "run.json").write_bytes((here / "run.json").read_bytes())
    (copy / log.LOG).write_bytes(b"".join(lines[: second + 1]) + b"{}\nno JSON\n")
    assert (
        durations(SUITE, plan(), tmp_path, "here").case_s[SPAWN]
        == durations(SUITE, plan(), results, "here").case_s[SPAWN]
    )


def flat(asked: Plan, seconds: float = 2.0, **controls: float) -> Durations:
    """Every case takes the same."""
    names = {name.replace("_", " "): value for name, value in controls.items()}
    return Durations(case_s=dict.fromkeys(asked.cases, seconds), control_s=names, basis=[])


def test_an_estimate_is_of_the_blocks_until_the_first_look() -> None:
    asked = plan("default")
    known = flat(asked, canary=1.0, null_asyncio=0.5, null_uvloop=9.0, crosscheck_asyncio=10.0)
    told = estimate([asked], [known], budget_s=60)
    assert told.block_s == 2 * len(asked.cases) + 1.5
    assert told.least_s == 9 * told.block_s + 2 * 10, (
        "cross-checks are taken twice, those of others not at all"
    )
    assert (told.blocks, told.cases) == ([9, 51], len(asked.cases))
    said = "\n".join(told.lines())
    assert "9 to 51 blocks, until the numbers are precise enough" in said
    assert "the time budget has room for about 3 of the 9 blocks" in said
    quick = estimate([plan()], [flat(plan(), crosscheck_asyncio=10.0)], budget_s=3600)
    assert quick.least_s == 3 * 2 * len(plan().cases), "no claims, no cross-checks"
    assert "will take: about" in "\n".join(quick.lines())
    assert "has room" not in "\n".join(quick.lines())


def test_two_checkouts_that_take_turns_take_both_their_times() -> None:
    asked = plan()
    both = estimate([asked, asked], [flat(asked), flat(asked)], budget_s=60)
    assert both.least_s == 2 * estimate([asked], [flat(asked)], budget_s=60).least_s


def test_an_estimate_says_what_it_rests_on() -> None:
    basis = [
        Basis(source="this box", cases=1, run="b/older"),
        Basis(source="this box", cases=7, run="b/newer"),
        Basis(source="another box", cases=2, run="c/theirs"),
        Basis(source="specs", cases=1),
    ]
    known = Durations(case_s=flat(plan()).case_s, control_s={}, basis=basis)
    (line,) = [line for line in estimate([plan()], [known], 60).lines() if line.startswith("  by ")]
    assert "earlier runs on this box (b/newer and 1 more): 8 cases" in line
    assert "another box, since none here has them (c/theirs): 2 cases" in line
    assert "the nominal durations of their specs: 1 case" in line
    assert (
        msgspec.json.decode(
            msgspec.json.encode(estimate([plan()], [known], 60)), type=Estimate
        ).basis
        == basis
    )


def test_what_a_run_measures_corrects_what_is_left() -> None:
    asked = plan()
    cases, many = asked.cases, len(asked.cases)
    forecast = Forecast(asked, PROFILE["quick"], flat(asked))
    assert forecast.left(0, cases, 1e6) == (3, 3 * many * 2.0)
    forecast.took(cases[0], 4.0)
    assert forecast.left(0, cases[1:], 1e6) == (3, (3 * many - 1) * 4.0), (
        "twice as slow as was known: so will be the others"
    )
    forecast.took(cases[1], 2.0)
    left = 4.0 + 2.0 + (many - 2) * 3.0
    assert forecast.left(1, cases, 1e6) == (3, 2 * left)
    forecast.gave_up({cases[0]})
    assert forecast.left(2, cases[1:], 1e6) == (3, left - 4.0)
    assert forecast.left(1, cases[1:], 1e6) == (3, 2 * (left - 4.0)), (
        "a case that is given up takes nothing more"
    )


def test_only_blocks_that_the_budget_has_room_for_are_foreseen() -> None:
    asked = plan()
    forecast, block_s = Forecast(asked, PROFILE["quick"], flat(asked)), 2.0 * len(asked.cases)
    assert forecast.left(0, asked.cases, 2.5 * block_s) == (2, 2 * block_s)
    assert forecast.left(0, asked.cases, 0.5 * block_s) == (1, block_s), (
        "one is measured in any case"
    )


def test_a_look_that_asks_for_more_blocks_is_believed() -> None:
    asked = plan("default")
    forecast = Forecast(asked, PROFILE["default"], flat(asked))
    assert forecast.blocks == 9
    forecast.looked({"predicted_blocks": {"a": 10, "b": 20}}, 9)
    assert forecast.blocks == 25
    forecast.looked({"predicted_blocks": {"a": 400}}, 25)
    assert forecast.blocks == 51
    assert Forecast(asked, PROFILE["default"], flat(asked), complete=14).blocks == 17, (
        "a run that goes on has looked before"
    )


def step(block: int = 0, share: float = 0.25, left_s: float = 75) -> Step:
    return Step(what=SPAWN, block=block, blocks=3, share=share, left_s=left_s)


def test_without_a_terminal_there_is_a_line_a_block_or_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [1000.0]
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now[0]))
    shown = progress.Plain()
    for second, block in ((0, 0), (20, 0), (55, 0), (65, 0), (70, 1), (80, 1), (90, 2)):
        now[0] = 1000.0 + second
        shown.step(step(block))
    said = capsys.readouterr().err
    assert "\r" not in said
    assert [line.partition(":")[0] for line in said.splitlines()] == [
        f"block {n} of 3" for n in (1, 1, 2, 3)
    ]
    assert said.splitlines()[0] == f"block 1 of 3: 25%, about 1 min 15 s left, now {SPAWN}"


def test_a_terminal_is_drawn_on_between_programs_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No thread draws: what is measured has the machine to itself."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("FORCE_COLOR", "1")
    before = threading.active_count()
    with closing(progress.Terminal()) as shown:
        capsys.readouterr()
        assert threading.active_count() == before
        shown.step(step())
        drawn = capsys.readouterr().err
        assert " 25 %" in drawn
        assert "1 min 15 s left" in drawn
        assert "block 1 of 3" in drawn
        assert SPAWN not in drawn, "what is too long is cut, not wrapped"
        assert capsys.readouterr().err == ""


def test_times_read_well() -> None:
    assert [progress.human(seconds) for seconds in (0.4, 59, 61, 3599, 7890)] == [
        "0 s",
        "59 s",
        "1 min 01 s",
        "59 min 59 s",
        "2 h 11 min",
    ]
