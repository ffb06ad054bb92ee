"""The answer first: what may be said of a run, and of whom."""

from __future__ import annotations

import re

import msgspec
import pytest
import report_runs

from corobench.report import answer, notes, sweeps, tables, view
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, Flag, RunSummary, Verdict


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    return summarise(
        log.read(
            report_runs.write(
                folder, blocks=9, failing=[("memory", "gevent")], noisy=[("spawn", "node")]
            )
        )
    )


def cell(summary: RunSummary, **wanted: str) -> Cell:
    return next(c for c in summary.cells if all(getattr(c, k) == v for k, v in wanted.items()))


def test_lowest_is_said_only_of_one_alone_in_its_group(summary: RunSummary) -> None:
    text = "\n".join(answer.answer(summary).findings)
    assert (
        "Context switch, k = 100: tokio-current-thread is the lowest, alone in the first group."
        in text
    )
    tied = [
        msgspec.structs.replace(c, group=1)
        if c.workload == "switch" and c.runtime == "tokio-multi-thread"
        else c
        for c in summary.cells
    ]
    found = answer.answer(msgspec.structs.replace(summary, cells=tied)).findings
    assert (
        "Context switch, k = 100: tokio-current-thread and tokio-multi-thread share the "
        "first group; "
        "which of them is the lowest can't be told."
    ) in found


@pytest.mark.parametrize(
    ("verdicts", "told"),
    [
        (
            {"go-p1": "lower", "node": "inconclusive"},
            "go-p1, node and asyncio share the first group; asyncio is higher than go-p1, but not "
            "shown to be over 1.9 % above "
            "the group's best; which of go-p1 and node is the lowest can't be told.",
        ),
        (
            {"go-p1": "lower", "node": "lower"},
            "go-p1, node and asyncio share the first group; asyncio is higher than go-p1 and "
            "node, but not shown to be over "
            "1.9 % above the group's best; which of go-p1 and node is the lowest can't be told.",
        ),
        (
            {"uvloop": "higher"},
            "uvloop and asyncio share the first group; uvloop is higher than asyncio, but not "
            "shown to be over 1.9 % above "
            "the group's best.",
        ),
        (
            {"node": "inconclusive"},
            "node and asyncio share the first group; which of them is the lowest can't be told.",
        ),
    ],
)
def test_what_a_verdict_tells_apart_inside_a_group_is_said(
    summary: RunSummary, verdicts: dict[str, Verdict], told: str
) -> None:
    """A verdict asks less than a group does, so that one of the first group may be known not to be
    the lowest.
    """

    def grouped(c: Cell) -> Cell:
        if c.workload != "switch":
            return c
        if c.comparison and c.runtime in verdicts:
            found = msgspec.structs.replace(c.comparison, verdict=verdicts[c.runtime], delta=0.019)
            return msgspec.structs.replace(c, group=1, comparison=found)
        return msgspec.structs.replace(c, group=1 if c.runtime == "asyncio" else 2)

    found = answer.answer(
        msgspec.structs.replace(summary, cells=[grouped(c) for c in summary.cells])
    ).findings
    assert f"Context switch, k = 100: {told}" in found


def test_what_can_t_be_said_is_said_once_for_each_reason(summary: RunSummary) -> None:
    red = Flag(name="steal", level="red", text="too much")
    cells = [
        msgspec.structs.replace(c, flags=[red]) if c.workload in ("spawn", "switch") else c
        for c in summary.cells
    ]
    found = answer.answer(msgspec.structs.replace(summary, cells=cells)).findings
    assert [text for text in found if "trusted" in text] == [
        "Spawn, Context switch: no figure could be trusted."
    ]


def test_too_few_blocks_for_so_many_runtimes_say_so(summary: RunSummary) -> None:
    """Nine blocks can rank thirteen runtimes at most: with fourteen, all would share a group,
    whatever they cost.
    """
    like = cell(summary, runtime="go-p1", workload="switch", point="k=100,m=20", metric="time")
    more = [msgspec.structs.replace(like, runtime=f"go-p1-{i}") for i in range(7)]
    cells = [
        msgspec.structs.replace(c, group=None) if c.workload == "switch" else c
        for c in [*summary.cells, *more]
    ]
    found = answer.answer(msgspec.structs.replace(summary, cells=cells)).findings
    assert (
        "Context switch: no groups, because 9 blocks can't tell 14 runtimes apart whatever they "
        "cost; 10 could."
    ) in found


def test_a_flagged_runtime_is_in_no_answer(summary: RunSummary) -> None:
    red = Flag(name="steal", level="red", text="too much")
    cells = [
        msgspec.structs.replace(c, flags=[red]) if c.runtime == "tokio-current-thread" else c
        for c in summary.cells
    ]
    found = answer.answer(msgspec.structs.replace(summary, cells=cells))
    assert "(tokio-current-thread)" not in found.sentence
    naming = [text for text in found.findings if "tokio-current-thread" in text]
    assert naming
    assert any(
        "tokio-current-thread, which reads lowest, can't be ranked" in text for text in naming
    )
    assert all("can't be ranked" in text.split("tokio-current-thread")[1] for text in naming)
    nothing = [msgspec.structs.replace(c, flags=[red]) for c in summary.cells]
    assert (
        "no figure could be trusted"
        in answer.answer(msgspec.structs.replace(summary, cells=nothing)).sentence
    )
    failed = [msgspec.structs.replace(c, median=None, failures=["x"]) for c in summary.cells]
    assert "no number" in answer.answer(msgspec.structs.replace(summary, cells=failed)).sentence


def test_a_variant_made_for_one_workload_is_not_in_the_headline(summary: RunSummary) -> None:
    """It reads lowest, alone in its group: the sentence keeps to the runtimes, and what can be said
    names it as a variant.
    """
    like = cell(
        summary,
        runtime="tokio-current-thread",
        workload="switch",
        point="k=100,m=20",
        metric="time",
    )
    assert like.median
    fast = msgspec.structs.replace(
        like.median, center=like.median.low / 2, low=like.median.low / 3, high=like.median.low / 2
    )
    mine = msgspec.structs.replace(like, runtime="tokio-special", median=fast, group=1)
    others = [
        msgspec.structs.replace(c, group=2) if c.workload == "switch" else c for c in summary.cells
    ]
    facts = next(r for r in summary.runtimes if r.name == "tokio-current-thread")
    runtimes = [*summary.runtimes, msgspec.structs.replace(facts, name="tokio-special")]
    told = msgspec.structs.replace(summary, cells=[*others, mine], runtimes=runtimes)
    assert sweeps.special(summary) == {}
    assert sweeps.special(told) == {"tokio-special": ["Context switch"]}
    found = answer.answer(told)
    assert "tokio-special" not in found.sentence
    assert "(tokio-current-thread)" in found.sentence
    assert any(
        "tokio-special (a variant made for this workload) is the lowest" in finding
        for finding in found.findings
    )
    rows = tables.make_matrix(told, notes.number_notes(told)).bodies["one-cpu"]
    assert {row.runtime.name: row.made_for for row in rows if row.made_for} == {
        "tokio-special": "Context switch"
    }


def test_a_run_without_claims_ranks_nothing(summary: RunSummary) -> None:
    shown = view.make_view("box", "run", msgspec.structs.replace(summary, claims=False))
    assert shown.answer.sentence.startswith("Quick run: no claims.")
    assert not any("lowest" in finding or "apart" in finding for finding in shown.answer.findings)
    assert not any(
        c.group for rows in shown.matrix.bodies.values() for row in rows for c in row.cells
    )


def test_a_range_says_of_how_many_it_is_and_has_one_unit(summary: RunSummary) -> None:
    red = Flag(name="steal", level="red", text="too much")
    cells = [
        msgspec.structs.replace(
            c, flags=[red] if c.runtime in ("tokio-current-thread", "gevent") else []
        )
        if c.workload == "switch"
        else c
        for c in summary.cells
    ]
    found = answer.answer(msgspec.structs.replace(summary, cells=cells))
    told = found.sentence
    measured = [
        c
        for c in cells
        if c.workload == "switch" and c.point == "k=100,m=20" and c.median and c.track == "one-cpu"
    ]
    switch = told[told.index("a switch costs") :].split(" and ")[0].split(", ")[0]
    assert told.endswith(", of the runtimes that can be ranked.")
    assert found.among.startswith("Of the runtimes measured, these can be ranked: ")
    assert (
        f"{len(measured) - 2} of {len(measured)} in context switch (tokio-current-thread "
        "reads lower)"
    ) in found.among
    low, high = re.findall(r"\N{NO-BREAK SPACE}(\S+) \(", switch)[:2]
    assert low == high


def test_those_beyond_either_end_of_a_range_are_named(summary: RunSummary) -> None:
    red = Flag(name="steal", level="red", text="too much")
    ends = ("tokio-current-thread", "asyncio")
    cells = [
        msgspec.structs.replace(c, flags=[red] if c.runtime in ends else [])
        if c.workload == "switch"
        else c
        for c in summary.cells
    ]
    told = answer.answer(msgspec.structs.replace(summary, cells=cells)).among
    assert " in context switch (tokio-current-thread reads lower, asyncio reads higher)" in told


def test_unlike_units_at_the_ends_of_a_range_are_named(summary: RunSummary) -> None:
    told = answer.answer(summary).sentence
    spawn = told[told.index("starting and joining a task costs") : told.index("a switch costs")]
    assert "(tokio-current-thread, stackless task) to " in spawn
    assert "(gevent, stackful task)" in spawn
    assert "(tokio-current-thread) to " in told[told.index("a switch costs") :], (
        "both ends are stackless tasks"
    )


def test_what_is_unranked_for_most_runtimes_is_said_as_that(summary: RunSummary) -> None:
    red = Flag(name="steal", level="red", text="too much")
    cells = [
        msgspec.structs.replace(c, flags=[red]) if c.workload == "spawn" else c
        for c in summary.cells
    ]
    told = answer.answer(msgspec.structs.replace(summary, cells=cells)).sentence
    assert told.endswith("; spawn is unranked for most runtimes, and the table gives each reason.")


def test_the_best_of_those_that_can_be_ranked_is_said_as_that(summary: RunSummary) -> None:
    red = Flag(name="steal", level="red", text="too much")

    def grouped(c: Cell) -> Cell:
        if c.workload != "switch":
            return c
        if c.runtime == "tokio-current-thread":
            return msgspec.structs.replace(c, flags=[red], group=None)
        return msgspec.structs.replace(c, group=1 if c.runtime == "tokio-multi-thread" else 2)

    found = answer.answer(
        msgspec.structs.replace(summary, cells=[grouped(c) for c in summary.cells])
    ).findings
    assert (
        "Context switch, k = 100: tokio-multi-thread is the lowest of those that can be ranked, "
        "alone in the first group; "
        "tokio-current-thread reads lower, but can't be ranked."
    ) in found


def test_a_run_without_claims_is_called_what_it_is(summary: RunSummary) -> None:
    scale = msgspec.structs.replace(summary, claims=False, profile="scale")
    assert view.make_view("box", "run", scale).quick == "Scale run: no claims."


def test_of_all_runtimes_nothing_is_said_of_how_many(summary: RunSummary) -> None:
    clean = [msgspec.structs.replace(c, flags=[]) for c in summary.cells]
    found = answer.answer(msgspec.structs.replace(summary, cells=clean))
    assert "can be ranked" not in found.sentence
    assert found.among == ""


def test_what_a_spec_doubts_is_marked_in_the_sentence_and_told_below(summary: RunSummary) -> None:
    doubt = Flag(
        name="busy generator",
        level="amber",
        text="the load generator was busy (3 of 9 invocations)",
    )
    cells = [
        msgspec.structs.replace(c, flags=[doubt])
        if (c.workload, c.runtime) == ("switch", "tokio-current-thread")
        else c
        for c in summary.cells
    ]
    found = answer.answer(msgspec.structs.replace(summary, cells=cells))
    assert "(tokio-current-thread; in doubt) to " in found.sentence
    assert "the load generator was busy" not in found.sentence
    assert (
        "In doubt, context switch: tokio-current-thread, the load generator was busy."
        in found.among
    )


def test_the_sentence_has_three_ranges_at_most(summary: RunSummary) -> None:
    """It stands above the first number of a phone, also where a run has none of the families that
    it is about.
    """
    others = {w.name for w in summary.workloads} - {"spawn", "spawn-chain", "switch", "memory"}
    facts = [
        msgspec.structs.replace(w, family=w.name) for w in summary.workloads if w.name in others
    ]
    more = [msgspec.structs.replace(w, name=f"{w.name}-2", family=f"{w.family}-2") for w in facts]
    cells = [c for c in summary.cells if c.workload in others]
    twice = [*cells, *(msgspec.structs.replace(c, workload=f"{c.workload}-2") for c in cells)]
    found = answer.answer(msgspec.structs.replace(summary, workloads=[*facts, *more], cells=twice))
    assert found.sentence.count(" to ") == 3
