"""The controls that a run takes beside its programs: which are due when, and what of them is
published.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import planted
import pytest

from corobench.execute import controls, session
from corobench.execute.forecast import Durations, Forecast
from corobench.execute.program import Program
from corobench.plan import PROFILE, Selection, make_plan
from corobench.results.log import CROSSCHECK, Control, Line
from corobench.suite.runtime import Crosscheck, Suite

LINE = '{"workload": "spawn", "params": {"n": 1000}, "harness": "planted", "per_op_ns": [1.0]}'


def suite(root: Path, command: list[str], *programs: str) -> Suite:
    """The planted runtime with these programs and a cross-check that is this command."""
    made = planted.plant(root, {name: planted.honest(name) for name in programs})
    runtime = made.runtimes["planted"]
    manifest = msgspec.structs.replace(runtime.manifest, crosscheck=Crosscheck(command=command))
    return msgspec.structs.replace(
        made, runtimes={"planted": msgspec.structs.replace(runtime, manifest=manifest)}
    )


def programs(made: Suite, *workloads: str) -> dict[tuple[str, str], Program]:
    return {("planted", name): planted.program(made, name) for name in workloads}


def names(made: Suite, block: int, *workloads: str, cross: bool = True) -> list[str]:
    return [check.name for check in controls.due(block, programs(made, *workloads), cross=cross)]


def crosschecked(made: Suite) -> list[dict[str, Any]]:
    *_, check = controls.due(1, programs(made, "spawn"), cross=True)
    assert check.name == CROSSCHECK
    return list(check.take())


def test_the_null_program_is_taken_of_every_runtime_that_has_one_whatever_is_measured(
    tmp_path: Path,
) -> None:
    assert controls.null_programs(
        suite(tmp_path / "with", [], "spawn", "baseline"), ["planted"]
    ) == [("planted", "baseline")]
    assert controls.null_programs(suite(tmp_path / "without", [], "spawn"), ["planted"]) == []


def test_a_cross_check_needs_a_workload_to_stand_beside_and_is_taken_in_several_blocks(
    tmp_path: Path,
) -> None:
    made = suite(tmp_path, ["true"], "spawn", "switch", "memory", "baseline")
    assert names(made, 1, "memory", "baseline") == ["canary", "null"]
    assert names(made, 1, "spawn", "switch") == ["canary", "crosscheck"]
    blocks = [block for block in range(20) if "crosscheck" in names(made, block, "spawn")]
    assert blocks == list(range(1, 20))
    assert names(made, 1, "spawn", cross=False) == ["canary"]


def test_a_cross_check_says_its_track_and_a_failed_one_why_without_telling_where_the_checkout_lies(
    tmp_path: Path,
) -> None:
    (line,) = crosschecked(
        suite(tmp_path / "right", [sys.executable, "-c", f"print({LINE!r})"], "spawn")
    )
    assert line == {"track": "one-cpu", **msgspec.json.decode(LINE)}
    home = tmp_path / "wrong"
    (wrong,) = crosschecked(
        suite(home, [sys.executable, "-c", f"raise SystemExit('{home}/a.py is broken')"], "spawn")
    )
    assert wrong == {"failed": "exit status 1: a.py is broken"}
    (silent,) = crosschecked(suite(tmp_path / "silent", ["true"], "spawn"))
    assert silent == {"failed": "the cross-check printed no line"}


class Kept:
    """A log in memory."""

    def append(self, line: Line) -> None:
        pass


def rounds(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    block_s: float,
    cross_s: float,
    budget_s: float,
) -> list[int | None]:
    """The blocks of 20 that had a cross-check, by a clock of our own; any block may have one."""
    made, now = suite(folder, [], "spawn"), [0.0]
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(controls, "FIRST_CROSSED", 0)

    def spend(seconds: float) -> list[dict[str, Any]]:
        now[0] += seconds
        return [{}]

    monkeypatch.setattr(controls, "_crosscheck", lambda _program: spend(cross_s) * 2)
    monkeypatch.setattr(controls, "canary", lambda _cpus: spend(block_s)[0])
    made_plan = make_plan(made, Selection(profile="smoke", workloads=["spawn"]), seed=1)
    known = dict.fromkeys(made_plan.cases, 1.0)
    running = session.Session(
        plan=msgspec.structs.replace(made_plan, cases=made_plan.cases[:1]),
        profile=PROFILE["default"],
        budget_s=budget_s,
        programs=programs(made, "spawn"),
        log=Kept(),  # type: ignore[arg-type]
        lines=[],
        decide=lambda *_: pytest.fail("nothing is to be decided"),
        progress=Quiet(),
        forecast=Forecast(
            made_plan, PROFILE["default"], Durations(case_s=known, control_s={}, basis=[])
        ),
    )
    for block in range(20):
        running.check(block)
        if running.exhausted(block + 1):
            break
    assert running.used_s == now[0] <= budget_s
    taken = [
        line for line in running.lines if isinstance(line, Control) and line.name == CROSSCHECK
    ]
    assert [line.wall_ns for line in taken] == [round(1e9 * cross_s), 0] * (len(taken) // 2), (
        "told once of each process"
    )
    return [line.block for line in taken[::2]]


def test_cross_checks_are_taken_twice_and_then_while_they_have_their_share_of_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block takes 8 s, and a cross-check 2 s more, a fifth of the time if each had one. These 14
    are 28 s of 188.
    """
    found = rounds(tmp_path, monkeypatch, block_s=8, cross_s=2, budget_s=1e6)
    assert found == [0, 1, 3, 5, 6, 8, 9, 10, 12, 13, 15, 16, 17, 19]


def test_a_second_round_of_cross_checks_waits_for_nothing_but_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rounds(tmp_path / "room", monkeypatch, block_s=8, cross_s=40, budget_s=200) == [0, 1]
    assert rounds(tmp_path / "none", monkeypatch, block_s=8, cross_s=40, budget_s=90) == [0]


def test_a_second_round_of_cross_checks_leaves_the_time_until_the_first_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine blocks of 8 s and a round of 40 s; a second one would take that of five blocks."""
    assert rounds(tmp_path / "both", monkeypatch, block_s=8, cross_s=40, budget_s=152) == [0, 1]
    assert rounds(tmp_path / "blocks", monkeypatch, block_s=8, cross_s=40, budget_s=151) == [0]


class Quiet:
    """Progress that nobody sees."""

    def step(self, *_: object) -> None: ...
    def failed(self, *_: object) -> None: ...
    def looked(self, *_: object) -> None: ...
    def too_short(self, *_: object) -> None: ...
