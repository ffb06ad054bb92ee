"""A run as its pages show it: answer, matrix, a section a family with charts and tables, numbered
notes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Literal

import msgspec

from corobench.report import headline, notes, reproduce, scenarios, tables
from corobench.report.charts import base, charts_of
from corobench.report.charts.base import Chart
from corobench.report.charts.intervals import answer_chart
from corobench.report.citations import Advised, Quotation, advised, quotations
from corobench.report.headline import Answer, Column, Question
from corobench.report.notes import Note, Notes
from corobench.report.scenarios import Found, QueueFit
from corobench.report.tables import Matrix, Table
from corobench.report.text import unclaimed, who_and_where
from corobench.statistics.types import Cell, RunSummary, WorkloadFacts
from corobench.suite.workload import TRACKS

Depth = Literal["whole", "brief", "head"]

# the flag that a run without claims carries on every number; the page says so once
_IMPLIED = "few"


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One workload inside a section. `commands` measure it again.

    `shape`: who keeps the shape of a queue on one core, where that was measured. `noted`: notes and
    of how many cells each.
    """

    workload: WorkloadFacts
    column: Column | None
    found: Found | None
    shape: QueueFit | None
    charts: list[Chart]
    tables: list[Table]
    quoted: list[Quotation]
    advised: list[Advised]
    noted: list[tuple[Note, int]]
    commands: list[str]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One family."""

    family: str
    title: str
    parts: list[Part]


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the page of a run shows."""

    box: str
    name: str
    summary: RunSummary
    answer: Answer
    matrix: Matrix
    notes: Notes
    sections: list[Section]
    findings: list[Found]
    facts: list[tuple[str, str]]
    units: list[str]
    languages: list[str]
    quick: str


def make_charts(
    summary: RunSummary,
    depth: Depth = "whole",
    begin: Callable[[Chart], Chart] = lambda chart: chart,
) -> dict[str, list[Chart]]:
    """The charts of each workload by its name: what takes longest to draw, and needs nothing else
    of the view.

    `begin` is given each as soon as it is made.
    """
    shown = presentable(summary)
    colors = base.palette(shown)
    asked = [
        begin(answer_chart(one.column, core_cells(shown, one), colors))
        for one in headline.answer(shown).questions
        if one.cells
    ]
    columns = (
        (workload, headline.column(shown, workload))
        for workload in headline.ordered_workloads(shown)
    )
    return {ANSWER: asked} | {
        workload.name: [
            begin(c)
            for c in islice(
                charts_of(shown, workload, column, colors), 1 if depth == "brief" else None
            )
        ]
        for workload, column in columns
        if column
    }


def make_view(
    box: str,
    name: str,
    summary: RunSummary,
    depth: Depth = "whole",
    charts: dict[str, list[Chart]] | None = None,
) -> RunView:
    """The view of a run; "brief" has one chart a workload and no tables, "head" no sections at all.

    These two have the notes of the matrix only, since nothing else on them has a mark that leads to
    a note. `charts`: those of `make_charts` for the same depth, where they were made already.
    """
    shown = presentable(summary)
    found = scenarios.findings(shown)
    numbered = notes.number_notes(shown if depth == "whole" else tables.only_matrix(shown))
    return RunView(
        box=box,
        name=name,
        summary=summary,
        answer=headline.answer(shown),
        matrix=tables.make_matrix(shown, numbered),
        notes=numbered,
        sections=[]
        if depth == "head"
        else _sections(
            shown, numbered, found, charts or make_charts(summary, depth), depth == "brief"
        ),
        findings=list(found.values()),
        facts=who_and_where(summary),
        units=sorted({r.unit for r in summary.runtimes}),
        languages=sorted({r.language for r in summary.runtimes}),
        quick="" if summary.claims else unclaimed(summary.profile),
    )


def of_a_million(summary: RunSummary) -> tuple[Question, Chart]:
    """What a run says of a million tasks, and its picture."""
    shown = presentable(summary)
    asked = headline.answer(shown).questions[0]
    return asked, answer_chart(asked.column, core_cells(shown, asked), base.palette(shown))


ANSWER = ""  # the key of the charts of the answer, beside the names of workloads
_MOST = 14  # rows of a picture on the first screen


def core_cells(summary: RunSummary, asked: Question) -> list[Cell]:
    """The numbers of a picture on the first screen: all of them, or those of the core runtimes and
    the two that the sentence names, or the least of these.
    """
    if len(asked.cells) <= _MOST:
        return asked.cells
    least, *_, most = asked.cells
    shown = {r.name for r in summary.runtimes if tables.is_core(r)} | {least.runtime, most.runtime}
    chosen = [cell for cell in asked.cells if cell.runtime in shown]
    return chosen if len(chosen) <= _MOST else [*chosen[: _MOST - 1], most]


def presentable(summary: RunSummary) -> RunSummary:
    """For the page only: a run without claims is not greyed for having few blocks, which is what
    "no claims" means.
    """
    if summary.claims:
        return summary
    return msgspec.structs.replace(summary, cells=[_unmarked(cell) for cell in summary.cells])


def _unmarked(cell: Cell) -> Cell:
    return msgspec.structs.replace(
        cell, flags=[flag for flag in cell.flags if flag.name != _IMPLIED], group=None
    )


def _sections(
    summary: RunSummary,
    numbered: Notes,
    findings: Mapping[str, Found],
    charts: dict[str, list[Chart]],
    brief: bool,
) -> list[Section]:
    found: dict[str, list[Part]] = {}
    for workload in headline.ordered_workloads(summary):
        column = headline.column(summary, workload)
        cells = [c for c in summary.cells if c.workload == workload.name]
        part = Part(
            workload=workload,
            column=column,
            found=findings.get(workload.name),
            shape=scenarios.queue_fit(summary, workload),
            charts=charts.get(workload.name, []),
            tables=[] if brief else tables.tables(summary, workload, numbered),
            quoted=quotations(summary, workload),
            advised=advised(summary, workload),
            noted=[] if brief else notes.noted(numbered, cells),
            commands=reproduce.commands(
                summary,
                workload.name,
                [t for t in TRACKS if any(c.track == t for c in cells)],
                [c.runtime for c in cells],
            ),
        )
        found.setdefault(workload.family, []).append(part)
    return [
        Section(family=family, title=parts[0].workload.title, parts=parts)
        for family, parts in found.items()
    ]
