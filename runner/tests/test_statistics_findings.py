"""Published claims are judged block by block, by the blocks that nothing interrupted."""

from __future__ import annotations

import msgspec
from synthetic import Build, make_run

from corobench import store
from corobench.claims import Check, Finding, Number, Source
from corobench.report.matrix import make_matrix
from corobench.report.notes import number_notes
from corobench.statistics.findings import judge
from corobench.statistics.summary import summarise

TORN = 4


def finding() -> Finding:
    this, other = (Number(workload="spawn", runtime=name, metric="time", point="n=1000") for name in ("uvloop", "asyncio"))
    check = Check(text="less", this=this, other=other, least=0.1, most=0.9)
    source = Source(title="somewhere", url="https://example.org/")
    return Finding(title="Less", claim="less", explanation="because", source=[source], check=[check])


def test_a_block_that_was_resumed_bears_nothing_out() -> None:
    run = make_run(blocks=12, workloads=["spawn"], runtimes=["asyncio", "uvloop"])
    inside = [place for place, line in enumerate(run.lines) if isinstance(line, store.Invocation) and line.block == TORN][1]
    run.lines.insert(inside, store.Mark(event="resumed", at=""))
    (checked,) = judge(finding(), summarise(run)).checks
    assert checked.ratio
    assert checked.ratio.n == 11
    assert checked.outcome == "borne out"


def test_a_block_that_was_never_finished_bears_nothing_out() -> None:
    run = make_run(blocks=12, workloads=["spawn"], runtimes=["asyncio", "uvloop"], build=Build(stop_in_block=11))
    (checked,) = judge(finding(), summarise(run)).checks
    assert checked.ratio
    assert checked.ratio.n == 11


def test_without_a_whole_block_nothing_is_decided() -> None:
    run = make_run(blocks=12, workloads=["spawn"], runtimes=["asyncio", "uvloop"])
    torn = msgspec.structs.replace(run, lines=[line for line in run.lines if not isinstance(line, store.Mark)])
    (checked,) = judge(finding(), summarise(torn)).checks
    assert (checked.ratio, checked.outcome, checked.reason) == (None, "not decided", "no whole block in common")


def test_the_ratios_of_the_matrix_leave_the_torn_block_out() -> None:
    """A block that was interrupted and gave a wild value: no ratio of the page knows of it."""
    run = make_run(blocks=12, workloads=["spawn"], runtimes=["asyncio", "uvloop"])
    inside = [place for place, line in enumerate(run.lines) if isinstance(line, store.Invocation) and line.block == TORN][1]
    run.lines.insert(inside, store.Mark(event="resumed", at=""))
    whole = [line for line in run.lines if getattr(line, "block", None) != TORN]
    torn, without = (summarise(msgspec.structs.replace(run, lines=lines)) for lines in (run.lines, whole))
    ratios = [make_matrix(summary, number_notes(summary)).ratios["one-cpu/asyncio"] for summary in (torn, without)]
    assert ratios[0] == ratios[1]
    assert torn.cells[0].samples.keys() - without.cells[0].samples.keys() == {TORN}
