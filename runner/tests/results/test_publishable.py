"""What a contributed run must pass: a whole one does, each thing that is wrong is named, and what
is committed passes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import published
import pytest

from corobench.cli import report
from corobench.cli.report import committed, find_run, of_this_box
from corobench.errors import UserError
from corobench.machine.facts import box_name
from corobench.machine.proc import Host
from corobench.results import histogram, log
from corobench.results.log import Count, Event, Failure, Invocation, Line, Mark, Run, Tally
from corobench.results.publishable import problems
from corobench.statistics import cells, flags, samples

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def run() -> Run:
    return published.first_blocks()


def without_place(found: list[str]) -> list[str]:
    """Problems without the file and line that each begins with."""
    return [problem.partition(": ")[2] for problem in found]


def changed(run: Run, workload: str, change: Callable[[Invocation], Invocation]) -> list[str]:
    """The problems of the run after its first invocation of a workload was tampered with."""
    lines = list(run.lines)
    place = next(
        i
        for i, line in enumerate(lines)
        if isinstance(line, Invocation) and line.case.startswith(f"{workload}/")
    )
    line = lines[place]
    assert isinstance(line, Invocation)
    lines[place] = change(line)
    return without_place(problems(msgspec.structs.replace(run, lines=lines)))


def test_a_whole_run_may_be_published(run: Run) -> None:
    assert problems(run) == []


def test_a_series_must_be_there_and_complete(run: Run) -> None:
    without = changed(run, "timers", lambda line: msgspec.structs.replace(line, series={}))
    assert len(without) == 1
    assert "the series 'lateness' is missing" in without[0]

    def cut(line: Invocation) -> Invocation:
        return msgspec.structs.replace(
            line, series={**line.series, "response": histogram.histogram_of([1])}
        )

    assert "'response' has 1 samples" in changed(run, "mixed", cut)[0]
    raw = changed(run, "mixed", lambda line: msgspec.structs.replace(line, raw={}))
    assert "'timeline' is missing" in raw[0]


def test_a_distribution_must_add_up(run: Run) -> None:
    def emptied(line: Invocation) -> Invocation:
        found = msgspec.structs.replace(line.series["lateness"], buckets=[])
        return msgspec.structs.replace(line, series={**line.series, "lateness": found})

    assert "do not add up" in changed(run, "timers", emptied)[0]


def test_lateness_in_whole_milliseconds_may_repeat_itself(run: Run) -> None:
    """A capped one did, block for block: each probe waits for the same whole pieces of work."""
    fine = [800_000_001 + 2_000_003 * probe for probe in range(100)]
    for probes, told in ((fine, 1), ([one // 1_000_000 * 1_000_000 for one in fine], 0)):
        same = histogram.histogram_of(probes)
        found = problems(
            msgspec.structs.replace(
                run,
                lines=[
                    msgspec.structs.replace(line, series={**line.series, "lateness": same})
                    if isinstance(line, Invocation) and line.case.startswith("timers/")
                    else line
                    for line in run.lines
                ],
            )
        )
        assert any("the samples of its series lateness are" in one for one in found) == bool(told)


def test_what_the_spec_requires_is_checked_again(run: Run) -> None:
    def idle(line: Invocation) -> Invocation:
        return msgspec.structs.replace(line, evidence={**line.evidence, "worked_ns": 1})

    assert "within 5 %" in changed(run, "mixed", idle)[0]
    wrong = changed(
        run,
        "webmatrix",
        lambda line: msgspec.structs.replace(line, observed={**line.observed, "errors": 1.0}),
    )
    assert "every result must be right" in wrong[0]


def with_nonces(run: Run, draw: Callable[[int], int]) -> list[str]:
    """The problems of a run whose spawn has nonces; each invocation's evidence agrees with its
    own.
    """
    workloads: dict[str, Any] = dict(run.header.workloads)
    spec = workloads["spawn"]
    asked = {**spec["evidence"], "checksum": "== n * nonce + n * (n - 1) // 2"}
    workloads["spawn"] = {**spec, "nonce": "first-task", "evidence": asked}
    lines: list[Line] = []
    for place, line in enumerate(run.lines):
        if isinstance(line, Invocation) and line.case.startswith("spawn/"):
            n, nonce = line.evidence["created"], draw(place)
            assert isinstance(n, int)
            checksum = n * (nonce + len(line.iterations) - 1) + n * (n - 1) // 2
            evidence = {**line.evidence, "checksum": checksum}
            lines.append(msgspec.structs.replace(line, nonce=nonce, evidence=evidence))
        else:
            lines.append(line)
    header = msgspec.structs.replace(run.header, workloads=workloads)
    return without_place(problems(msgspec.structs.replace(run, header=header, lines=lines)))


def test_a_nonce_is_in_the_evidence_and_drawn_for_each_process(run: Run) -> None:
    assert with_nonces(run, lambda place: 1_000_000 + place) == []
    assert "its nonce is 0" in with_nonces(run, lambda _place: 0)[0]
    assert "have the nonce of another" in with_nonces(run, lambda _place: 1_234_567)[0]
    late = changed(run, "spawn", lambda line: msgspec.structs.replace(line, nonce=1_000_000))
    assert "its nonce is 1000000" in late[0]  # of a spec that asks for none


def test_a_measured_region_lasts_no_longer_than_its_process(run: Run) -> None:
    def long(line: Invocation) -> Invocation:
        return msgspec.structs.replace(
            line, witness=msgspec.structs.replace(line.witness, wall_ns=1)
        )

    assert "and the whole process 1" in changed(run, "timers", long)[0]


def with_lines(run: Run, lines: list[Line]) -> list[str]:
    return without_place(problems(msgspec.structs.replace(run, lines=lines)))


def count_of(run: Run, tallies: dict[Event, list[list[Tally]]], case: str = "") -> Count:
    """What was counted of the first switch of a run, after its end."""
    first = next(key for key in run.header.plan.cases if key.startswith("switch/"))
    last = run.lines[-1]
    assert isinstance(last, Mark)
    return Count(case=case or first, at=last.at, tools={"valgrind": "3.19.0"}, tallies=tallies)


WHOLE: list[list[Tally]] = [[Tally(20_000, 9_000_000), Tally(40_000, 15_000_000)]] * 3


def test_a_finished_run_may_be_counted(run: Run) -> None:
    assert with_lines(run, [*run.lines, count_of(run, {"instructions": WHOLE})]) == []


@pytest.mark.parametrize(
    ("processes", "wrong"),
    [
        (WHOLE[:2], "has 2 of 3 processes: instructions"),
        ([one[:1] for one in WHOLE], "1 lengths of a process, where 2 are asked for"),
        ([one[::-1] for one in WHOLE], "20000 operations in the longer process, 40000 in"),
        ([[Tally(20_000, 9_000), Tally(40_000, 12_000)]] * 3, "less than one instruction"),
    ],
)
def test_a_count_must_be_one(run: Run, processes: list[list[Tally]], wrong: str) -> None:
    found = with_lines(run, [*run.lines, count_of(run, {"instructions": processes})])
    assert found
    assert all(wrong in problem for problem in found)


def test_what_was_counted_again_later_is_no_number(run: Run) -> None:
    short = count_of(run, {"instructions": WHOLE[:2]})
    assert with_lines(run, [*run.lines, short, count_of(run, {"instructions": WHOLE})]) == []
    assert with_lines(run, [*run.lines, short, count_of(run, {"switches": WHOLE})]) != []


def test_what_is_not_planned_is_not_counted(run: Run) -> None:
    elsewhere = count_of(run, {"instructions": WHOLE}, "switch/k=2,m=500/one-cpu/elsewhere")
    (found,) = with_lines(run, [*run.lines, elsewhere])
    assert "was counted and is not in its plan" in found
    (empty,) = with_lines(run, [*run.lines, count_of(run, {})])
    assert "has neither numbers nor a reason" in empty


def test_only_counts_come_after_the_end(run: Run) -> None:
    count = count_of(run, {"instructions": WHOLE})
    found = with_lines(run, [*run.lines, run.controls[0], count])
    assert any("it goes on after it was finished" in problem for problem in found)


def with_header(run: Run, /, **changes: Any) -> list[str]:
    header = msgspec.structs.replace(run.header, **changes)
    return without_place(problems(msgspec.structs.replace(run, header=header)))


def failed(line: Invocation, block: int, kind: str = "failed") -> Failure:
    return Failure(
        case=line.case,
        block=block,
        position=line.position,
        started=line.started,
        kind=kind,
        reason="planted",
        exit_status=1,
        stderr="",
        wall_ns=1,
    )


def test_a_changed_checkout_a_missing_commit_and_an_unfinished_run_are_named(run: Run) -> None:
    assert "uncommitted changes" in with_header(run, dirty=True)[0]
    assert with_header(run, commit="") == ["it names no commit"]
    lines = [
        line for line in run.lines if not (isinstance(line, Mark) and line.event == "finished")
    ]
    assert with_lines(run, lines) == ["it was not finished; go on with corobench run --resume"]


def test_no_case_of_a_complete_block_may_be_missing(run: Run) -> None:
    """What nobody wanted to see could be deleted otherwise, as long as one block has it."""
    gone = next(line for line in run.invocations if line.block == 1)
    without = [line for line in run.lines if line is not gone]
    assert with_lines(run, without) == [
        f"block 1 is complete, but has no line for 1 of its cases (first: {gone.case})"
    ]
    failure = [failed(line, 1) if line is gone else line for line in run.lines]
    assert with_lines(run, failure) == []
    unmarked = [
        line
        for line in run.lines
        if not (isinstance(line, Mark) and line.event == "block-complete" and line.block == 0)
    ]
    assert with_lines(run, unmarked) == ["its complete blocks are 1: one between them is missing"]


@pytest.mark.parametrize(
    ("kinds", "fine"), [(["verify"], True), (["failed", "failed"], True), (["failed"], False)]
)
def test_a_case_that_was_given_up_owes_no_more_lines(kinds: list[str], fine: bool) -> None:
    whole = published.first_blocks(3)
    first = next(line for line in whole.invocations if line.block == 0)

    def told(line: Line) -> Line | None:
        """The case as it failed in the first blocks; no line of it later."""
        if not isinstance(line, Invocation) or line.case != first.case:
            return line
        if line.block >= len(kinds):
            return None
        kind = kinds[line.block]
        position = -1 if kind == "verify" else line.position
        return msgspec.structs.replace(failed(line, line.block, kind), position=position)

    found = with_lines(whole, [kept for line in whole.lines if (kept := told(line)) is not None])
    assert (found == []) is fine
    assert fine or all(first.case in problem for problem in found)


def test_what_stands_twice_is_named(run: Run) -> None:
    first = run.invocations[0]
    assert with_lines(run, [first, *run.lines])[0] == f"{first.case} stands 2 times in block 0"


def test_a_run_lies_in_the_folder_of_its_box(run: Run) -> None:
    assert with_header(run, box={**run.header.box, "name": "other"})[0].startswith(
        "its header calls the box 'other'"
    )
    assert with_header(run, run="other")[0].startswith("its header calls the run 'other'")


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("spawn", "this is no case"),
        ("spawn/n=1000/no-track/go", "this is no case"),
        ("nowhere/n=1/one-cpu/asyncio", "holds no spec of 'nowhere'"),
        ("spawn/n=7/one-cpu/asyncio", "no point 'n=7' of spawn"),
        ("spawn/n=1000/one-cpu/nobody", "which version of 'nobody'"),
    ],
)
def test_what_nobody_planned_is_said_and_raises_nothing(run: Run, case: str, words: str) -> None:
    found = changed(run, "spawn", lambda line: msgspec.structs.replace(line, case=case))
    assert f"{case} is not in its plan" in found
    assert any(words in problem for problem in found)


def test_a_spec_that_cannot_be_read_or_evaluated_is_said_and_raises_nothing(run: Run) -> None:
    specs = run.header.workloads
    assert any(
        "the spec of spawn that it carries can't be read" in p
        for p in with_header(run, workloads={**specs, "spawn": {}})
    )
    odd = {**specs["spawn"], "evidence": {"ops": "== n.real"}}
    assert any(
        "can't be checked" in problem
        for problem in with_header(run, workloads={**specs, "spawn": odd})
    )


def test_a_spec_of_keys_that_are_gone_can_still_be_read(run: Run) -> None:
    older = {name: {**spec, "optional": {}} for name, spec in run.header.workloads.items()}
    assert with_header(run, workloads=older) == []


def test_runs_of_one_name_are_told_apart_by_their_boxes(run: Run, tmp_path: Path) -> None:
    for box in ("one", "two"):
        shutil.copytree(run.folder, tmp_path / "results" / box / "r")
    assert find_run(tmp_path / "results", "two/r") == tmp_path / "results/two/r"
    with pytest.raises(UserError, match="say which: one/r, two/r"):
        find_run(tmp_path / "results", "r")


def test_what_the_site_keeps_of_a_run_is_no_run(tmp_path: Path) -> None:
    for folder in ("box/one", "box/zwölf läufe", "site/runs/box/one-1234"):
        (tmp_path / "results" / folder).mkdir(parents=True)
        (tmp_path / "results" / folder / "run.json").write_text("{}")
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    assert committed(tmp_path) == [
        tmp_path / "results/box/one",
        tmp_path / "results/box/zwölf läufe",
    ]


def tracked(pattern: str) -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("no .git here, as in an archive: nothing says which runs are committed")
    listed = subprocess.run(
        ["git", "ls-files", f":(glob){pattern}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / line for line in listed.stdout.splitlines()]


def test_every_committed_run_may_be_published() -> None:
    runs = [file.parent for file in tracked("results/*/*/run.json")]
    with report._uncollected(), report._history(ROOT) as history:
        wrong = {
            report.known_as(run): found for run in runs if (found := report._problems(history, run))
        }
    assert wrong == {}


def test_no_number_of_the_newest_runs_is_accused() -> None:
    """By what plain calls and parked tasks cost, in the newest run of each box and profile."""
    files = sorted(tracked("results/*/*/run.json"))
    newest = {(file.parents[1], file.parent.name.rsplit("-", 1)[-1]): file.parent for file in files}
    accused = []
    for folder in newest.values():
        run = log.read(folder)
        for column in cells.columns(run.header, samples.collect(run), set(), {}):
            for sample in column.samples:
                if plain := column.plain.get(sample.case.runtime):
                    found = flags.of_plain_costs(sample, plain, column.points)
                    accused += [(folder.name, sample.case.key, flag.text) for flag in found]
    assert accused == []


def test_a_report_is_of_this_box_unless_all_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, other = (
        tmp_path / "results" / box / "one" for box in (box_name(Host(), os.environ), "another-box")
    )
    assert of_this_box([other]) == [other], "a box without runs of its own shows what is there"
    assert capsys.readouterr().err == ""
    assert of_this_box([here, other]) == [here]
    assert "1 of 2 runs are of this box" in capsys.readouterr().err


def test_memory_that_is_given_back_while_it_is_read_is_in_one_of_two_files(run: Run) -> None:
    def fewer_resident(point: str) -> list[str]:
        def change(line: Invocation) -> Invocation:
            held = line.holds[point]
            less = msgspec.structs.replace(held, rss=held.private_dirty // 8192 * 4096)
            return msgspec.structs.replace(line, holds={**line.holds, point: less})

        return changed(run, "memory", change)

    assert fewer_resident("released") == []
    assert "are more than all that is resident" in fewer_resident("live")[0]
