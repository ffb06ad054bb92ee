"""What goes on with an interrupted run, what can't, and what a run leaves that ended for lack of
time.
"""

from __future__ import annotations

import signal
from contextlib import closing
from pathlib import Path

import msgspec
import planted
from runs import command, corobench, interrupted, measured_once, only, suite

from corobench.execute import begin
from corobench.execute.forecast import Durations, Forecast
from corobench.execute.session import Session, execute
from corobench.plan import PROFILE, Plan
from corobench.results import log
from corobench.results.log import Log, Mark
from corobench.statistics.stopping import Decision

REFUSED = log.Failure(  # a case that is never measured
    case="spawn/n=1/one-cpu/planted",
    block=0,
    position=-1,
    started="2026-01-01T00:00:00.000+00:00",
    kind="verify",
    reason="rejected",
    exit_status=None,
    stderr="",
    wall_ns=0,
)


def test_resuming_with_other_programs_is_refused(tmp_path: Path) -> None:
    words, env = command(
        suite(tmp_path), "run", "--profile", "quick", "--workloads", "spawn,baseline"
    )
    assert interrupted(tmp_path, words, env, signal.SIGINT, 5) == 130
    source = tmp_path / "planted" / "one" / "spawn.py"
    source.write_text(source.read_text() + "\n# changed\n")
    result = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert result.returncode == 2
    assert "can't be resumed: the hash of the " in result.stderr
    assert "of planted was" in result.stderr
    assert "{" not in result.stderr, "the one that differs, not all of them"
    assert "verified" not in result.stderr, "it is known before anything is verified"


def test_a_run_of_what_no_longer_exists_is_not_resumed(tmp_path: Path) -> None:
    words, env = command(
        suite(tmp_path), "run", "--profile", "quick", "--workloads", "spawn,baseline"
    )
    assert interrupted(tmp_path, words, env, signal.SIGINT, 5) == 130
    (tmp_path / "runner" / "workloads" / "spawn.toml").unlink()
    result = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert result.returncode == 2
    assert "can't be resumed: this checkout has no workload 'spawn' any longer" in result.stderr


def test_a_gap_holds_up_no_run(tmp_path: Path) -> None:
    words, env = command(
        suite(tmp_path), "run", "--profile", "quick", "--workloads", "spawn,baseline"
    )
    assert interrupted(tmp_path, words, env, signal.SIGINT, 5) == 130
    header = only(tmp_path) / "run.json"
    facts = msgspec.json.decode(header.read_bytes())
    # A runtime without any of the workloads was made ready for the run, and isn't for what is left
    # of it.
    facts["runtimes"]["elsewhere"] = {**facts["runtimes"]["planted"], "version": "3.12.1"}
    header.write_bytes(msgspec.json.encode(facts))
    result = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert result.returncode == 0, result.stderr


def test_what_of_the_box_has_changed_is_told_and_kept(tmp_path: Path) -> None:
    words, env = command(
        suite(tmp_path), "run", "--profile", "quick", "--workloads", "spawn,baseline"
    )
    assert interrupted(tmp_path, words, env, signal.SIGINT, 5) == 130
    header = only(tmp_path) / "run.json"
    facts = msgspec.json.decode(header.read_bytes())
    release = facts["box"]["kernel"]["release"]
    facts["box"]["kernel"]["release"] = "2.6.32"
    header.write_bytes(msgspec.json.encode(facts))
    result = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert result.returncode == 0, result.stderr
    assert (
        "WARNING: kernel.release of this box was '2.6.32' when the run began and is "
        f"'{release}' now"
    ) in result.stderr
    (resumed,) = [mark for mark in log.read(only(tmp_path)).marks if mark.event == "resumed"]
    assert resumed.values["box"]["kernel.release"] == ["2.6.32", release]


def test_a_run_that_ended_on_its_budget_goes_on_with_a_larger_one(tmp_path: Path) -> None:
    """The first block takes all of the budget, however fast the box is."""
    slow = planted.cheat(
        "spawn",
        "from harness import Program\n",
        "import time\n\nfrom harness import Program\n\ntime.sleep(0.5)\n",
    )
    arguments = ["--profile", "quick", "--workloads", "spawn,baseline", "--budget", "1s"]
    short = corobench(suite(tmp_path, spawn=slow), "run", *arguments)
    assert short.returncode == 0, short.stderr
    assert "another block would exceed the time budget of 1 s" in short.stderr
    assert (
        "the time budget has room for about 0 of the 3 blocks that this profile needs at least"
        in short.stderr
    )
    refused = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert refused.returncode == 2
    assert f"to go on, give it more time: --resume {only(tmp_path)} --budget " in refused.stderr
    no_more = corobench(tmp_path, "run", "--resume", str(only(tmp_path)), "--budget", "1s")
    assert no_more.returncode == 2
    assert "s already: a --budget is that of the whole run, what it used included" in no_more.stderr
    longer = corobench(tmp_path, "run", "--resume", str(only(tmp_path)), "--budget", "1h")
    assert longer.returncode == 0, longer.stderr
    measured_once(only(tmp_path), 3)
    again = corobench(tmp_path, "run", "--resume", str(only(tmp_path)), "--budget", "2h")
    assert (again.returncode, "is finished (all 3 blocks" in again.stderr) == (2, True)


def test_an_interrupted_run_goes_on_with_the_budget_that_it_was_begun_with(tmp_path: Path) -> None:
    words, env = command(
        suite(tmp_path),
        "run",
        "--profile",
        "quick",
        "--workloads",
        "spawn,baseline",
        "--budget",
        "17m",
    )
    assert interrupted(tmp_path, words, env, signal.SIGINT, 5) == 130
    before = log.read(only(tmp_path))
    assert (before.header.budget_s, begin.budget_of(before)) == (1020, 1020)
    assert (
        before.marks[-1].values["used_s"] > sum(i.witness.wall_ns for i in before.invocations) / 1e9
    )
    assert (
        corobench(tmp_path, "run", "--resume", str(only(tmp_path)), "--budget", "1h").returncode
        == 0
    )
    after = log.read(only(tmp_path))
    (resumed,) = [mark for mark in after.marks if mark.event == "resumed"]
    assert resumed.values == {"used_s": before.marks[-1].values["used_s"], "budget_s": 3600}
    assert after.marks[-1].values["used_s"] > resumed.values["used_s"]
    assert begin.budget_of(after) == 3600, "the newest that was given"
    unknown = msgspec.structs.replace(
        before, header=msgspec.structs.replace(before.header, budget_s=None)
    )
    assert begin.budget_of(unknown) == PROFILE["quick"].budget_s, "a run of before"


def test_what_was_used_is_what_the_last_mark_says_and_what_came_after() -> None:
    """Of a run that was killed; one of before says nothing, and its walls are all that is known."""
    control = log.Control(name="crosscheck", block=1, values={}, wall_ns=3_000_000_000)
    failure = msgspec.structs.replace(REFUSED, wall_ns=500_000_000)
    mark = log.Mark(event="block-complete", at="", values={"used_s": 40.0})
    assert begin.spent_s([failure, control]) == 3.5
    assert begin.spent_s([failure, control, mark]) == 40
    assert (
        begin.spent_s([failure, mark, control, log.Mark(event="resumed", at=""), failure]) == 43.5
    )


class Told:
    """Progress that is only kept."""

    def __init__(self) -> None:
        self.short: list[tuple[int, int]] = []

    def step(self, *_: object) -> None: ...
    def failed(self, *_: object) -> None: ...
    def looked(self, *_: object) -> None: ...

    def too_short(self, fitting: int, needed: int, _needed_s: float) -> None:
        self.short.append((fitting, needed))


def test_a_budget_that_ends_before_a_look_leaves_a_prediction(tmp_path: Path) -> None:
    """And is told early: a run of claims needs nine blocks."""
    log = Log((tmp_path / "log.jsonl").open("xb", buffering=0))
    told, predicted = (
        Told(),
        Decision(stop=False, reason="some need more", values={"predicted_blocks": {"a/b/c/d": 21}}),
    )
    plan = Plan(profile="default", seed=1, cases=[REFUSED.case], points={}, references={}, gaps=[])
    session = Session(
        plan=plan,
        profile=PROFILE["default"],
        budget_s=1e-6,
        programs={},
        log=log,
        lines=[REFUSED],
        decide=lambda _lines, _blocks: predicted,
        progress=told,
        forecast=Forecast(
            plan, PROFILE["default"], Durations(case_s={REFUSED.case: 1.0}, control_s={}, basis=[])
        ),
    )
    with closing(log):
        assert execute([session]) == "another block would exceed the time budget of 0 s"
    marks = [line for line in session.lines if isinstance(line, Mark)]
    assert [mark.event for mark in marks] == ["block-complete", "look", "finished"]
    assert marks[1].values.items() > predicted.values.items()
    assert marks[2].values["precise"] is False
    assert [mark.values["used_s"] for mark in marks] == sorted(
        mark.values["used_s"] for mark in marks
    )
    assert told.short == [(0, 9)]
