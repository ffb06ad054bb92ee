"""The findings at the top of the README: the answer, one table that fits beside it and some charts, from a published run."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from corobench.errors import UserError
from corobench.report import scenarios, view
from corobench.report.collect import Entry
from corobench.report.exports.markdown import plain_table
from corobench.report.headline import NARROW, ordered_workloads
from corobench.report.matrix import TRACK_TITLES, Matrix, Row
from corobench.report.pages import controls
from corobench.report.quotations import Quotation, quotations
from corobench.report.wording import counted
from corobench.statistics.values import WorkloadFacts

_BLOCK = re.compile(r"(<!-- findings: .*? -->\n).*?(<!-- /findings -->)", re.DOTALL)
_CHARTS = ("switch", "memory")  # the first of each family's charts
_NAMES = 2  # columns of a table before its figures: runtime and unit


def with_findings(text: str, entry: Entry, entries: list[Entry], site: Path) -> str:
    """The README's text with its findings made anew; `site` is the site's folder, relative to the README.

    `entry` is the run that it shows; what that one lacks of the scenarios is from the others of its box among `entries`.
    UserError where the markers are missing.
    """
    if not _BLOCK.search(text):
        raise UserError("README.md: no findings block; it must hold <!-- findings: ... --> and <!-- /findings -->")
    return _BLOCK.sub(lambda match: match[1] + "\n" + findings(entry, entries, site) + "\n" + match[2], text)


def findings(entry: Entry, entries: list[Entry], site: Path) -> str:
    """Sentence, where, table of the first track, charts, what scenarios found, what agrees; every number links to its page."""
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
        *([shown.answer.among, ""] if shown.answer.among else []),
        f"{where}. Value (95 % interval) [group]; *italic*: not ranked, see the page.",
    ]
    parts += ["", f"{TRACK_TITLES[track]}:", "", *plain_table(*_narrow(shown.matrix, rows)), ""]
    for section in shown.sections:
        charts = [chart for part in section.parts for chart in part.charts]
        if section.family in _CHARTS and charts:
            picture = site / entry.place / "charts" / f"{charts[0].id}.svg"
            parts += [f"[![{charts[0].title}]({picture})]({page})", ""]
    told = _Runs(entry, entries, site)
    asked = [workload for workload in ordered_workloads(entry.summary) if workload.group == "scenario"]
    parts += _listed("What the scenarios found:", [_titled(text) for workload in asked if (text := told.finding(workload))])
    parts += _quoted(told, ordered_workloads(entry.summary))
    if agreed := controls.agreed(entry.summary):
        parts += [f"{agreed} Each is a number that was measured again under its language's own benchmark harness.", ""]
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


def _titled(finding: str) -> str:
    """Its title and where it ran stand out."""
    title, _, found = finding.partition(": ")
    return f"**{title}:** {found}"


def _quoted(told: _Runs, asked: list[WorkloadFacts]) -> list[str]:
    """What published documents say, beside what was measured; nothing where none of it was measured."""
    quoted = [found for workload in asked for found in told.quoted(workload)]
    if all(q.measured is None for q, _ in quoted):
        return []
    rows = [f"| {_document(q)} | {q.claim} | {q.here if q.measured else 'not measured'} | {q.place}{of} |" for q, of in quoted]
    return [
        f"<details><summary>What documents say, next to what was measured here: {counted(len(rows), 'claim')}</summary>",
        "",
        "| document | it says | measured here | of |",
        "|---|---|---|---|",
        *rows,
        "",
        "</details>",
        "",
    ]


def _document(quotation: Quotation) -> str:
    return f"[{quotation.source}]({quotation.url})" if quotation.url else quotation.source


class _Runs:
    """The run that is shown, and after it those of its box that may tell of a scenario what it can't, newest first."""

    def __init__(self, entry: Entry, entries: list[Entry], site: Path) -> None:
        others = (e for e in entries if e.box == entry.box and e.card.claims and e.key != entry.key)
        self._first, self._site = entry, site
        self._runs = [entry, *others]

    def finding(self, workload: WorkloadFacts) -> str:
        """What the run with most numbers of it found, of those that can say anything; and which that is, if not the one shown."""
        asked = [(run, next((w for w in run.summary.workloads if w.name == workload.name), workload)) for run in self._runs]
        fullest, known = max(asked, key=lambda of: (scenarios.tells(of[0].summary, of[1]), _ranked(of[0], workload.name)))
        found = scenarios.finding(fullest.summary, known)
        return found and f"{found}{self._source(fullest)}"

    def quoted(self, workload: WorkloadFacts) -> list[tuple[Quotation, str]]:
        """Each claim with the first number of these runs that can be ranked, else the first one; and the run it is from."""
        by_run = [quotations(run.summary, workload) for run in self._runs]
        found = []
        for told in zip(*by_run, strict=True):
            best = min(range(len(told)), key=lambda place: _doubt(told[place]))
            found.append((told[best], self._source(self._runs[best])))
        return found

    def _source(self, run: Entry) -> str:
        """A link to the run; nothing for the one that is shown."""
        return "" if run is self._first else f" ([{run.name}]({self._site / run.place / 'index.html'}))"


def _ranked(run: Entry, workload: str) -> int:
    return sum(c.workload == workload and c.typical is not None and c.trusted for c in run.summary.cells)


def _doubt(quotation: Quotation) -> int:
    """0 for a number that can be ranked, 1 for another, 2 for none."""
    return 2 if quotation.measured is None else 1 - quotation.measured.trusted
