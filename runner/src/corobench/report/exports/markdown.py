"""The answer, the matrix and the notes as Markdown, for a README or an issue."""

from __future__ import annotations

import re

from corobench import store
from corobench.report import view
from corobench.report.exports.format import Exporter, claims
from corobench.report.headline import Column, short_point
from corobench.report.matrix import TRACK_TITLES, Matrix, Row, Shown
from corobench.report.wording import counted
from corobench.statistics.values import RunSummary

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#!~])")


def export(run: store.Run, summary: RunSummary) -> str:
    """The page of a run."""
    return page(run.folder.parent.name, summary)


def page(box: str, summary: RunSummary) -> str:
    """One table a track: unlike tracks are not ranked together."""
    shown = view.make_view(box, summary.run, summary, "head")
    parts = [f"# {_text(shown.answer.sentence)}", ""]
    if shown.answer.among:
        parts += [_text(shown.answer.among), ""]
    if claims(summary):
        parts += [f"**{claims(summary)}**", ""]
    facts = [f"{name} {value}" for name, value in shown.facts]
    where = [
        shown.box,
        *facts,
        f"run {shown.name}",
        summary.created[:10],
        f"{summary.profile}, {counted(summary.blocks, 'block')}",
    ]
    parts += [_text(" · ".join(part for part in where if part)), ""]
    for track, rows in shown.matrix.bodies.items():
        parts += [f"## {TRACK_TITLES[track]}", "", *_table(shown.matrix, rows), ""]
    shared = "none that shares one is shown to differ from its best by more than delta"
    parts += [f"Value (95 % interval); [g] is the group: {shared}; *italic*: not ranked.", ""]
    parts += [f"- {_text(finding)}" for finding in shown.answer.findings] + [""]
    parts += [f"{n.number}. {_text(n.text + ': ' + '; '.join(n.places))}" for n in shown.notes.notes]
    return "\n".join(parts) + "\n"


def plain_table(matrix: Matrix, rows: list[Row]) -> list[str]:
    """A track's rows without the numbers of notes, for where no notes stand below."""
    return [re.sub(r" <sup>[^<]*</sup>", "", line) for line in _table(matrix, rows)]


def _table(matrix: Matrix, rows: list[Row]) -> list[str]:
    heads = [_head(column) for column in matrix.columns]
    lines = [f"| Runtime | Unit | {' | '.join(map(_text, heads))} |", f"|---|---|{'---:|' * len(heads)}"]
    for row in rows:
        name = _text(row.runtime.name) + _marks(row.marks)
        lines.append(f"| {name} | {_text(row.runtime.unit)} | {' | '.join(map(_cell, row.cells))} |")
    return lines


def _head(column: Column) -> str:
    unit = " ".join(part for part in (column.scale.symbol, column.per) if part)
    what = f"{column.what}, {unit}" if unit else column.what
    return f"{column.title}, {short_point(column.point)}: {what} ({column.better} is better)"


def _cell(cell: Shown) -> str:
    if cell.state == "none":
        return ""
    if cell.value is None:
        return f"{cell.text}{_marks(cell.marks)}"
    text = f"{cell.text} ({cell.interval})"
    group = f" [{cell.group}]" if cell.group else ""
    return f"{f'*{text}*' if cell.state == 'flagged' else text}{group}{_marks(cell.marks)}"


def _marks(numbers: list[int]) -> str:
    return f" <sup>{', '.join(map(str, numbers))}</sup>" if numbers else ""


def _text(words: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(words.split()))


EXPORTER = Exporter(
    name="markdown", title="Matrix (Markdown)", suffix=".md", media_type="text/markdown", function=export, shipped=True
)
