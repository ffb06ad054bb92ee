"""The findings at the top of the README: the answer, one table that fits beside it and some charts, from a published run."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from corobench.errors import UserError
from corobench.report import view
from corobench.report.collect import Entry
from corobench.report.exports.markdown import plain_table
from corobench.report.headline import NARROW
from corobench.report.matrix import TRACK_TITLES, Matrix, Row
from corobench.report.quotations import NOT_MEASURED
from corobench.report.wording import counted

_BLOCK = re.compile(r"(<!-- findings: .*? -->\n).*?(<!-- /findings -->)", re.DOTALL)
_CHARTS = ("switch", "memory")  # the first of each family's charts
_NAMES = 2  # columns of a table before its figures: runtime and unit


def with_findings(text: str, entry: Entry, site: Path) -> str:
    """The README's text with its findings made anew; `site` is the site's folder, relative to the README.

    UserError where the markers are missing.
    """
    if not _BLOCK.search(text):
        raise UserError("README.md: no findings block; it must hold <!-- findings: ... --> and <!-- /findings -->")
    return _BLOCK.sub(lambda match: match[1] + "\n" + findings(entry, site) + "\n" + match[2], text)


def findings(entry: Entry, site: Path) -> str:
    """Sentence, where, table of the first track, charts, what the scenarios found; every number links to its page."""
    shown = view.make_view(entry.box, entry.name, entry.summary)
    page = site / entry.place / "index.html"
    where = " · ".join(
        [
            *(f"{name} {value}" for name, value in shown.facts),
            f"{entry.summary.created[:10]}, {counted(entry.summary.blocks, 'block')}",
        ]
    )
    track, rows = next(iter(shown.matrix.bodies.items()))
    parts = [
        f"**{shown.answer.sentence}**",
        "",
        f"{where}. Value (95 % interval) [group]; *italic*: not ranked, see the page.",
    ]
    parts += ["", f"{TRACK_TITLES[track]}:", "", *plain_table(*_narrow(shown.matrix, rows)), ""]
    for section in shown.sections:
        charts = [chart for part in section.parts for chart in part.charts]
        if section.family in _CHARTS and charts:
            picture = site / entry.place / "charts" / f"{charts[0].id}.svg"
            parts += [f"[![{charts[0].title}]({picture})]({page})", ""]
    parts += _listed("What the scenarios found:", [part.finding for s in shown.sections for part in s.parts if part.finding])
    parts += _quoted(shown)
    parts += _listed("Warnings of this run:", entry.summary.warnings)
    return "\n".join([*parts, f"All numbers, charts, notes, raw data: [{page}]({page}).", ""])


def _narrow(matrix: Matrix, rows: list[Row]) -> tuple[Matrix, list[Row]]:
    """The first columns, as many as stand side by side with a runtime and its unit, and the rows with a number there."""
    kept = NARROW - _NAMES
    cut = [msgspec.structs.replace(row, cells=row.cells[:kept]) for row in rows]
    told = [row for row in cut if any(cell.value is not None for cell in row.cells)]
    return msgspec.structs.replace(matrix, columns=matrix.columns[:kept]), told


def _listed(title: str, lines: list[str]) -> list[str]:
    """A list with its title; nothing for no lines."""
    return [title, "", *(f"- {line}" for line in lines), ""] if lines else []


def _quoted(shown: view.RunView) -> list[str]:
    """What the documents behind the scenarios say, beside what was measured; nothing where none of it was measured."""
    quoted = [q for section in shown.sections for part in section.parts for q in part.quoted]
    if all(q.here == NOT_MEASURED for q in quoted):
        return []
    rows = [f"| {f'[{q.source}]({q.url})' if q.url else q.source} | {q.claim} | {q.here} | {q.place} |" for q in quoted]
    return [
        "Often-cited claims next to what we measured:",
        "",
        "| document | it says | measured here | of |",
        "|---|---|---|---|",
        *rows,
        "",
    ]
