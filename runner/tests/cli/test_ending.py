"""What a run ends with: its table, what has no number, and where to go on."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import planted
import pytest
import report_runs

from corobench.cli import measure, nearby, report
from corobench.plan import Gap
from corobench.report import runs
from corobench.report.tables import MANY
from corobench.report.terminal import found
from corobench.report.units import DASH
from corobench.results import log
from corobench.statistics.summary import NO_CLAIMS

INTERVAL = re.compile(rf"[0-9.]+ \([0-9.,]+{DASH}[0-9.,]+\)")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> log.Run:
    folder = tmp_path_factory.mktemp("results") / "box" / "1-whole"
    return log.read(
        report_runs.write(
            folder, blocks=9, failing=[("memory", "gevent")], noisy=[("spawn", "node")]
        )
    )


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> log.Run:
    folder = tmp_path_factory.mktemp("results") / "box" / "2-quick"
    return log.read(
        report_runs.write(
            folder, blocks=3, profile="quick", runtimes=["asyncio", "go-p1"], workloads=["spawn"]
        )
    )


def test_a_run_ends_with_its_core_figures(whole: log.Run) -> None:
    lines = list(found(whole, 100))
    assert (
        max(
            map(
                len,
                lines[
                    : lines.index(
                        "median (95 % interval) [group]; * too uncertain to rank: the page says why"
                    )
                ],
            )
        )
        <= 100
    )
    heads = [line.split() for line in lines if line.startswith("One CPU")]
    assert len(heads) > 1, "more workloads than fit side by side are told in parts"
    assert {"Startup", "Spawn", "Memory"} <= {word for head in heads for word in head}
    row = next(line for line in lines if line.startswith("asyncio"))
    assert INTERVAL.search(row)
    assert re.search(r"\) \[\d\]", row), "the group"
    assert any(
        line.startswith("node") and INTERVAL.search(line) and ")*" in line for line in lines
    ), "noisy: it can't be ranked"
    assert any(line.startswith("units differ: ") and "stackless task: " in line for line in lines)


def test_what_has_no_number_has_a_line_with_its_reason(whole: log.Run) -> None:
    lines = list(found(whole, 100))
    failed = [line for line in lines if line.startswith("failed: memory/")]
    assert len(failed) == len({failure.case for failure in whole.failures})
    assert all("MemoryError" in line for line in failed)
    (gap,) = [line for line in lines if line.startswith("no number: gevent in hand-off: ")]
    assert gap in lines


def test_a_case_that_failed_once_says_how_many_processes_it_has_left(quick: log.Run) -> None:
    first, *others = quick.invocations
    place = {
        "case": first.case,
        "block": first.block,
        "position": first.position,
        "started": first.started,
    }
    failure = log.Failure(
        **place, kind="exit", reason="killed", exit_status=-9, stderr="", wall_ns=1
    )  # type: ignore[arg-type]
    lines = [line for line in quick.lines if not isinstance(line, log.Invocation)]
    (told,) = [
        line
        for line in found(msgspec.structs.replace(quick, lines=[failure, *others, *lines]), 100)
        if line.startswith("failed")
    ]
    assert told == f"failed: {first.case} (1 of 3 processes): killed"


def test_many_reasons_are_counted_and_long_ones_cut(quick: log.Run) -> None:
    gaps = [Gap(workload="spawn", runtime=f"r{place}", reason="word " * 100) for place in range(30)]
    header = msgspec.structs.replace(
        quick.header, plan=msgspec.structs.replace(quick.header.plan, gaps=gaps)
    )
    told = [
        line
        for line in found(msgspec.structs.replace(quick, header=header), 100)
        if line.startswith("no number: ")
    ]
    assert told[-1] == "no number: 18 more; the page shows each with its reason"
    assert len(told) == 13
    assert max(map(len, told)) < 180


def test_a_quick_run_claims_nothing(quick: log.Run) -> None:
    lines = list(found(quick, 100))
    assert f"median of 3 blocks (lowest to highest); {NO_CLAIMS}" in lines
    assert not any("[1]" in line or ")*" in line for line in lines)


def test_a_run_of_many_runtimes_shows_the_core(tmp_path: Path) -> None:
    run = log.read(report_runs.write(tmp_path / "box/1", blocks=9, workloads=["spawn"]))
    more = {
        f"extra-{place}": {**run.header.runtimes["asyncio"], "profiles": ["breadth"]}
        for place in range(MANY)
    }
    lines = [
        msgspec.structs.replace(i, case=i.case.replace("/asyncio", f"/{name}"))
        for name in more
        for i in run.invocations
    ]
    cases = [*run.header.plan.cases, *dict.fromkeys(line.case for line in lines)]
    plan = msgspec.structs.replace(run.header.plan, cases=cases)
    header = msgspec.structs.replace(run.header, runtimes=run.header.runtimes | more, plan=plan)
    extra = [line for line in lines if line.case.rpartition("/")[2] in more]
    told = list(found(msgspec.structs.replace(run, header=header, lines=[*run.lines, *extra]), 100))
    assert any(line.startswith("asyncio") for line in told)
    assert not any(line.startswith("extra-") for line in told)
    assert f"not shown here, but on the page: {MANY} of the runtimes" in told


def test_the_end_names_the_page_and_what_to_do_next(
    quick: log.Run, whole: log.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = quick.folder.parents[2]
    results = root / "results"
    results.symlink_to(quick.folder.parents[1])
    monkeypatch.chdir(root)
    placed = msgspec.structs.replace(quick, folder=results / "box" / quick.folder.name)
    page, *following = list(measure.result_lines(placed, root))[-3:]
    assert page == (
        f"page: results/site/{runs.place(placed.folder)}index.html, written by `corobench report`"
    )
    assert following[0].startswith("next: corobench run --profile default ")
    assert following[1].startswith(
        f"next: corobench show spawn/n=1000/one-cpu/asyncio --run {quick.folder.name} "
    )
    elsewhere = list(measure.result_lines(whole, Path("/elsewhere")))
    assert not any(line.startswith("page: ") for line in elsewhere), "report doesn't look there"
    assert f"--run {nearby(whole.folder)} " in elsewhere[-1]


def test_a_run_that_ran_out_of_time_can_go_on(whole: log.Run) -> None:
    ended = log.Mark(
        event="finished",
        at="",
        reason="another block would exceed it",
        values={"precise": False, "used_s": 5400.0},
    )
    lines = [
        line
        for line in whole.lines
        if not (isinstance(line, log.Mark) and line.event == "finished")
    ]
    *_, further, _ = measure.result_lines(
        msgspec.structs.replace(whole, lines=[*lines, ended]), whole.folder.parents[2]
    )
    # nine blocks in 90 minutes: twelve, where it looks at its numbers again, are 120
    assert further.startswith("next: corobench run --resume ")
    assert " --budget 126m " in further
    went_on = msgspec.structs.replace(ended, values={"precise": True, "used_s": 7200.0})
    told = measure.result_lines(
        msgspec.structs.replace(whole, lines=[*lines, ended, went_on]), whole.folder.parents[2]
    )
    assert not any("--resume" in line for line in told)


def test_the_address_is_that_of_make_serve() -> None:
    makefile = (planted.REPOSITORY / "Makefile").read_text()
    port = re.search(r"^PORT \?= (\d+)$", makefile, re.MULTILINE)
    assert port is not None
    assert f"http://127.0.0.1:{port[1]}/" == report.SERVED
