"""Claims are judged block by block, by the blocks that nothing interrupted; figures that are slopes
by their own.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from synthetic import Build, make_run

from corobench.report.notes import number_notes
from corobench.report.tables import make_matrix
from corobench.results import log
from corobench.statistics.findings import Checked, judge
from corobench.statistics.summary import summarise
from corobench.suite.workload import Check, Finding, Number, Source, parse_case

TORN = 4


def finding() -> Finding:
    this, other = (
        Number(workload="spawn", runtime=name, metric="time", point="n=1000")
        for name in ("uvloop", "asyncio")
    )
    check = Check(text="less", this=this, other=other, least=0.1, most=0.9)
    source = Source(title="somewhere", url="https://example.org/")
    return Finding(
        title="Less", claim="less", explanation="because", source=[source], check=[check]
    )


def test_a_block_that_was_resumed_bears_nothing_out() -> None:
    run = make_run(blocks=12, workloads=["spawn"], runtimes=["asyncio", "uvloop"])
    inside = [
        place
        for place, line in enumerate(run.lines)
        if isinstance(line, log.Invocation) and line.block == TORN
    ][1]
    run.lines.insert(inside, log.Mark(event="resumed", at=""))
    (checked,) = judge(finding(), summarise(run)).checks
    assert checked.ratio
    assert checked.ratio.n == 11
    assert checked.outcome == "borne out"


def test_a_block_that_was_never_finished_bears_nothing_out() -> None:
    run = make_run(
        blocks=12,
        workloads=["spawn"],
        runtimes=["asyncio", "uvloop"],
        build=Build(stop_in_block=11),
    )
    (checked,) = judge(finding(), summarise(run)).checks
    assert checked.ratio
    assert checked.ratio.n == 11


def test_without_a_whole_block_nothing_is_decided() -> None:
    run = make_run(blocks=12, workloads=["spawn"], runtimes=["asyncio", "uvloop"])
    torn = msgspec.structs.replace(
        run, lines=[line for line in run.lines if not isinstance(line, log.Mark)]
    )
    (checked,) = judge(finding(), summarise(torn)).checks
    assert (checked.ratio, checked.outcome, checked.reason) == (
        None,
        "not decided",
        "no whole block in common",
    )


def test_the_ratios_of_the_matrix_leave_the_torn_block_out() -> None:
    """A block that was interrupted and gave a wild value: no ratio of the page knows of it."""
    run = make_run(blocks=12, workloads=["spawn"], runtimes=["asyncio", "uvloop"])
    inside = [
        place
        for place, line in enumerate(run.lines)
        if isinstance(line, log.Invocation) and line.block == TORN
    ][1]
    run.lines.insert(inside, log.Mark(event="resumed", at=""))
    whole = [line for line in run.lines if getattr(line, "block", None) != TORN]
    torn, without = (
        summarise(msgspec.structs.replace(run, lines=lines)) for lines in (run.lines, whole)
    )
    ratios = [
        make_matrix(summary, number_notes(summary)).ratios["one-cpu/asyncio"]
        for summary in (torn, without)
    ]
    assert ratios[0] == ratios[1]
    assert torn.cells[0].samples.keys() - without.cells[0].samples.keys() == {TORN}


def held(factor: Callable[[str, int, int], float]) -> Checked:
    """Go's task against Node's, by what is held after a collection: `factor` of runtime, n and
    block times what they hold.
    """
    numbers = [
        Number(workload="memory", runtime=name, metric="bytes", figure="collected")
        for name in ("go-p1", "node")
    ]
    check = Check(text="held", this=numbers[0], other=numbers[1], least=5, most=8)
    run = make_run(blocks=9, workloads=["memory"], runtimes=["node", "go-p1", "asyncio"])
    lines = [
        _times(line, factor) if isinstance(line, log.Invocation) else line for line in run.lines
    ]
    own = msgspec.structs.replace(finding(), check=[check])
    (checked,) = judge(own, summarise(msgspec.structs.replace(run, lines=lines))).checks
    return checked


def _times(line: log.Invocation, factor: Callable[[str, int, int], float]) -> log.Invocation:
    case, found = parse_case(line.case), line.holds["live-collected"]
    private = found.private_dirty * factor(
        case.runtime, int(case.point.removeprefix("n=")), line.block
    )
    changed = msgspec.structs.replace(found, private_dirty=int(private))
    return msgspec.structs.replace(line, holds={**line.holds, "live-collected": changed})


def test_a_figure_that_bends_decides_nothing() -> None:
    """Though the value that it stands beside is as straight as ever."""
    checked = held(lambda runtime, n, _: 1.4 if runtime == "node" and n >= 50_000 else 1.0)
    assert checked.other
    assert checked.other.trusted
    assert checked.outcome == "not decided"
    assert checked.reason.startswith(
        "node: after a collection, the upper half of the ladder differs from the lower by"
    )
    assert "see the curve" not in checked.reason


def test_the_ratio_of_figures_is_taken_block_by_block() -> None:
    """What moves both of a block is no part of it: the two intervals alone would leave it open."""
    moves = [1.0, 1.2, 0.85, 1.1, 0.9, 1.15, 0.95, 1.05, 0.8]
    checked = held(lambda runtime, _, block: moves[block] * (1.1 if runtime == "go-p1" else 1.0))
    assert checked.outcome == "borne out"
    assert checked.ratio
    assert checked.ratio.center == pytest.approx(1.1 * 2750 / 420, rel=0.02), (
        "not that of the values beside the figures"
    )
    assert checked.ratio.n == 9
    assert checked.ratio.high / checked.ratio.low < 1.1
    for cell in (checked.this, checked.other):
        assert cell
        assert cell.figures["collected"].high / cell.figures["collected"].low > 1.3
