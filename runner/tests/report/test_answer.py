"""The answer first: three questions, each with a sentence whose numbers stand in the matrix."""

from __future__ import annotations

import re

import msgspec
import pytest
import report_runs

from corobench.report import headline, view
from corobench.report.headline import OF_PRIMITIVES, QUESTIONS, per
from corobench.report.text import HARD
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, Flag, RunSummary
from corobench.suite.workload import Group

MOST_WORDS = 25


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


def changed(summary: RunSummary, **changes: object) -> RunSummary:
    """The same with other cells of switch: what `changes` say, of tokio-current-thread."""
    cells = [
        msgspec.structs.replace(cell, **changes)
        if (cell.workload, cell.runtime) == ("switch", "tokio-current-thread")
        else cell
        for cell in summary.cells
    ]
    return msgspec.structs.replace(summary, cells=cells)


def of(summary: RunSummary, workload: str) -> headline.Question:
    return next(
        one for one in headline.answer(summary).questions if one.column.workload == workload
    )


def test_the_three_questions_come_first_and_in_their_order(summary: RunSummary) -> None:
    asked = headline.answer(summary).questions
    assert [one.title for one in asked] == list(QUESTIONS.values())


@pytest.mark.parametrize(
    ("group", "what"),
    [("core", "a task costs"), ("primitive", "primitives cost"), ("scenario", "services cost")],
)
def test_a_run_says_what_it_measured(summary: RunSummary, group: Group, what: str) -> None:
    """One workload that no question is about, of each group."""
    other = [
        msgspec.structs.replace(w, group=group) for w in summary.workloads if w.name == "hand-off"
    ]
    cells = [cell for cell in summary.cells if cell.workload == "hand-off"]
    alone = msgspec.structs.replace(summary, workloads=other, cells=cells)
    assert headline.answer(alone).title.startswith(f"What {what} on ")


def test_a_run_of_primitives_is_asked_about_these(summary: RunSummary) -> None:
    names = {"hand-off": "ticker", "spawn": "mutex"}
    workloads = [
        msgspec.structs.replace(w, name=names[w.name], group="primitive")
        for w in summary.workloads
        if w.name in names
    ]
    cells = [
        msgspec.structs.replace(cell, workload=names[cell.workload])
        for cell in summary.cells
        if cell.workload in names
    ]
    run = msgspec.structs.replace(summary, workloads=workloads, cells=cells)
    asked = [one.title for one in headline.answer(run).questions]
    assert asked == [OF_PRIMITIVES["mutex"], OF_PRIMITIVES["ticker"]]


def test_what_is_no_question_is_parted_from_its_answer(summary: RunSummary) -> None:
    cells = [cell for cell in summary.cells if cell.workload == "hand-off"]
    alone = msgspec.structs.replace(summary, cells=cells)
    assert headline.answer(alone).questions[0].told.startswith("Hand-off: From ")
    assert of(summary, "switch").told.startswith(f"{QUESTIONS['switch']} From ")


def test_every_number_of_a_sentence_stands_in_the_matrix(summary: RunSummary) -> None:
    shown = view.make_view("box", "run", summary)
    for place, one in enumerate(shown.answer.questions):
        column = shown.matrix.columns.index(one.column)
        in_table = {
            row.runtime.name: row.cells[column].text for row in shown.matrix.bodies[one.track]
        }
        told = re.findall(rf"([0-9.,]+){HARD}\S+ \(([^)]+)\)", one.sentence)
        assert len(told) == 2, place
        assert {name: in_table[name] for _, name in told} == {name: text for text, name in told}
        values = [
            row.cells[column].value
            for row in shown.matrix.bodies[one.track]
            if row.cells[column].value is not None
        ]
        ends = [
            row.runtime.name
            for row in shown.matrix.bodies[one.track]
            if row.cells[column].value in (min(values), max(values))
        ]
        assert {name for _, name in told} == set(ends), "none in the table lies outside"
        assert len(one.sentence.split()) <= MOST_WORDS


def test_what_cannot_be_ranked_is_told_as_about(summary: RunSummary) -> None:
    assert "about" not in of(summary, "switch").sentence
    red = Flag(name="wide", level="red", text="it is wide")
    flagged = changed(summary, flags=[red])
    assert of(flagged, "switch").sentence.startswith("From about ")


def test_a_floor_is_no_answer(summary: RunSummary) -> None:
    assert "tokio-current-thread" in of(summary, "switch").sentence
    floor = changed(summary, lower_bound=True)
    assert "(tokio-current-thread)" not in of(floor, "switch").sentence


def test_one_number_is_a_sentence_of_its_own(summary: RunSummary) -> None:
    def only(cell: Cell) -> bool:
        return cell.workload != "switch" or cell.runtime == "gevent"

    alone = msgspec.structs.replace(summary, cells=[c for c in summary.cells if only(c)])
    assert re.fullmatch(rf"[0-9.,]+{HARD}ns \(gevent\)\.", of(alone, "switch").sentence)


def test_a_run_without_a_number_says_so(summary: RunSummary) -> None:
    none = [msgspec.structs.replace(cell, median=None) for cell in summary.cells]
    assert headline.answer(msgspec.structs.replace(summary, cells=none)).questions == []


def test_a_run_of_other_workloads_is_asked_for_its_first_columns(summary: RunSummary) -> None:
    left = [cell for cell in summary.cells if cell.workload not in QUESTIONS]
    asked = headline.answer(msgspec.structs.replace(summary, cells=left)).questions
    assert 0 < len(asked) <= 3
    assert all(one.sentence and one.title == one.column.title for one in asked)


def test_a_picture_of_many_shows_the_core_and_what_the_sentence_names(summary: RunSummary) -> None:
    one = of(summary, "switch")
    assert view.core_cells(summary, one) == one.cells
    many = [
        msgspec.structs.replace(one.cells[0], runtime=f"extra-{place}") for place in range(20)
    ] + one.cells
    extra = [
        msgspec.structs.replace(summary.runtimes[0], name=f"extra-{place}", profiles=["breadth"])
        for place in range(20)
    ]
    wide = msgspec.structs.replace(summary, runtimes=[*summary.runtimes, *extra])
    shown = view.core_cells(wide, msgspec.structs.replace(one, cells=many))
    assert shown == [many[0], *one.cells]


@pytest.mark.parametrize(
    ("title", "what"),
    [
        ("time per task (slope over n)", "a task"),
        ("time per acquisition", "an acquisition"),
        ("lateness, median", ""),
    ],
)
def test_what_a_unit_is_divided_by(title: str, what: str) -> None:
    assert per(title) == what
