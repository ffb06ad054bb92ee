"""The answer first: what a task holds, what a switch costs, what starting a task costs.

Each in a sentence of a fixed form, from the least to the most, whose numbers stand in the matrix,
with a picture. Never an overall score, no weights. What can't be ranked is in it, as "about".
"""

from __future__ import annotations

import msgspec

from corobench.report import units
from corobench.report.headline import Column, columns, holds_a_million
from corobench.report.text import HARD, anchor, box_fact
from corobench.statistics.types import Cell, RunSummary
from corobench.suite.workload import TRACKS, Track

QUESTIONS = {
    "memory": "What does a parked task hold?",
    "switch": "What does a switch cost?",
    "spawn": "What does starting a task cost?",
}
_OF_A_MILLION = "What do a million parked tasks hold?"
_NO_NUMBER = "No number: the table gives each reason."


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question, its answer in a sentence, and what that is made of: numbers of one track, the
    least first.

    `run`: the folder in the site of the run that they are from, where it is not the page's.
    """

    title: str
    sentence: str
    column: Column
    track: Track
    cells: list[Cell]
    run: str = ""

    @property
    def chart(self) -> str:
        """The id of its picture."""
        return anchor("answer", self.column.workload)


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """`title` is the page's."""

    title: str
    questions: list[Question]


def answer(summary: RunSummary) -> Answer:
    """What this run says, of the first track that has numbers: the three questions, or where it has
    measured none of these the first three columns of its matrix.
    """
    heads = columns(summary)
    measured = {cell.track for cell in summary.cells if cell.median}
    track = next((track for track in TRACKS if track in measured), None)
    asked = [head for name in QUESTIONS for head in heads if head.workload == name]
    return Answer(
        title=_title(summary, core=bool(asked)),
        questions=[question(summary, head, track) for head in asked or heads[:3]] if track else [],
    )


def with_question(answer: Answer, asked: Question) -> Answer:
    """The answer with a question about a workload in place of its own about the same."""
    return msgspec.structs.replace(
        answer,
        questions=[
            asked if one.column.workload == asked.column.workload else one
            for one in answer.questions
        ],
    )


def _title(summary: RunSummary, *, core: bool) -> str:
    where = box_fact(summary.box, "cpu.model", "cpu_model", "model") or "this box"
    return f"What a task costs on {where}" if core else f"What services cost on {where}"


def question(summary: RunSummary, head: Column, track: Track) -> Question:
    """A column of the matrix as a question; without a floor, which is no contestant."""
    place = (head.workload, head.point, head.metric, track)
    chosen = [
        cell
        for cell in summary.cells
        if (cell.workload, cell.point, cell.metric, cell.track) == place
        and cell.median
        and not cell.lower_bound
    ]
    # of a ladder that ends earlier the slope is no answer to what a million hold
    chosen = [cell for cell in chosen if holds_a_million(cell)] or chosen
    cells = sorted(chosen, key=lambda cell: cell.median.center if cell.median else 0.0)
    return Question(
        title=_OF_A_MILLION
        if any(map(holds_a_million, cells))
        else QUESTIONS.get(head.workload, head.title),
        sentence=_sentence(head, cells),
        column=head,
        track=track,
        cells=cells,
    )


def _sentence(head: Column, cells: list[Cell]) -> str:
    if not cells:
        return _NO_NUMBER
    least, most = _told(head, cells[0]), _told(head, cells[-1])
    return f"From {least} to {most}." if len(cells) > 1 else f"{least[:1].upper()}{least[1:]}."


def _told(head: Column, cell: Cell) -> str:
    """`62.1 ns (tokio-multi-thread)`, as the matrix shows it."""
    unit = f"{HARD}{head.scale.symbol}" if head.scale.symbol else ""
    hedge = "" if cell.trusted else "about "
    return f"{hedge}{units.show(cell.median, head.scale)}{unit} ({cell.runtime})"
