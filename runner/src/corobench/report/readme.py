"""The findings at the top of the README: the answer, one table and one chart, from a published run."""

from __future__ import annotations

import re
from pathlib import Path

from corobench.errors import UserError
from corobench.report import view
from corobench.report.collect import Entry
from corobench.report.exports.markdown import plain_table
from corobench.report.matrix import TRACK_TITLES

_BLOCK = re.compile(r"(<!-- findings: .*? -->\n).*?(<!-- /findings -->)", re.DOTALL)
_CHARTS = ("switch", "memory")  # the first of each family's charts


def with_findings(text: str, entry: Entry, site: Path) -> str:
    """The README's text with its findings made anew; `site` is the site's folder, relative to the README.

    UserError where the markers are missing.
    """
    if not _BLOCK.search(text):
        raise UserError("README.md: no findings block; it must hold <!-- findings: ... --> and <!-- /findings -->")
    return _BLOCK.sub(lambda match: match[1] + "\n" + findings(entry, site) + "\n" + match[2], text)


def findings(entry: Entry, site: Path) -> str:
    """Sentence, where, table of the first track, charts; every number links to its page."""
    shown = view.make_view(entry.box, entry.name, entry.summary)
    page = site / entry.place / "index.html"
    where = " · ".join(
        [*(f"{name} {value}" for name, value in shown.facts), f"{entry.summary.created[:10]}, {entry.summary.blocks} blocks"]
    )
    track, rows = next(iter(shown.matrix.bodies.items()))
    parts = [
        f"**{shown.answer.sentence}**",
        "",
        f"{where}. Lower is better; value (95 % interval) [group]; *italic*: not ranked, see the page.",
    ]
    parts += ["", f"{TRACK_TITLES[track]}:", "", *plain_table(shown.matrix, rows), ""]
    for section in shown.sections:
        charts = [chart for part in section.parts for chart in part.charts]
        if section.family in _CHARTS and charts:
            picture = site / entry.place / "charts" / f"{charts[0].id}.svg"
            parts += [f"[![{charts[0].title}]({picture})]({page})", ""]
    parts += _quoted(shown)
    parts += [f"> {warning}" for warning in entry.summary.warnings] + [""] * bool(entry.summary.warnings)
    return "\n".join([*parts, f"All numbers, charts, notes, raw data: [{page}]({page}).", ""])


def _quoted(shown: view.RunView) -> list[str]:
    """What the documents behind the scenarios say, beside what was measured; nothing where none of it was measured."""
    quoted = [q for section in shown.sections for part in section.parts for q in part.quoted]
    rows = [f"| {q.mark} | {q.claim} | {q.here} | {q.place} |" for q in quoted]
    if not rows:
        return []
    return [
        "What documents that people quote say, and what was found here:",
        "",
        "| document | it says | here | measured |",
        "|---|---|---|---|",
        *rows,
        "",
    ]
