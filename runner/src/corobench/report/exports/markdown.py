"""A run, or a comparison of two, as Markdown: for a README or an issue."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from corobench.report import units, view
from corobench.report.counted import RULE, counted_view
from corobench.report.counted import Shown as ShownCount
from corobench.report.exports import NO_CLAIMS, Exporter, claims
from corobench.report.headline import Column, short_point
from corobench.report.scenarios import Found
from corobench.report.tables import Matrix, Row, Shown
from corobench.report.text import TRACK_TITLES, counted, flat
from corobench.results import log
from corobench.statistics.types import Change, Difference, Estimate, RunComparison, RunSummary

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#!~])")


def export(run: log.Run, summary: RunSummary) -> str:
    """The page of a run."""
    return page(run.folder.parent.name, summary)


def page(box: str, summary: RunSummary) -> str:
    """One table a track: unlike tracks are not ranked together."""
    shown = view.make_view(box, summary.run, summary, "head")
    parts = [f"# {_cell_text(shown.answer.title)}", ""]
    parts += [f"- {_cell_text(one.told)}" for one in shown.answer.questions] + [""]
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
    parts += [_cell_text(" · ".join(part for part in where if part)), ""]
    for track, rows in shown.matrix.bodies.items():
        parts += [f"## {TRACK_TITLES[track]}", "", *_table(shown.matrix, rows), ""]
    shared = "none that shares one is shown to differ from its best by more than delta"
    parts += [f"Value (95 % interval); [g] is the group: {shared}; *italic*: not ranked.", ""]
    parts += _counts_table(summary)
    parts += _found_table(shown.findings)
    parts += [
        f"{n.number}. {_cell_text(n.text + ': ' + '; '.join(n.places))}" for n in shown.notes.notes
    ]
    return "\n".join(parts) + "\n"


def _found_table(findings: list[Found]) -> list[str]:
    """What the scenarios of a run found."""
    head = ["| Scenario | Figure | Least | Most | Beside it |", "| :-- " * 5 + "|"]
    rows = [
        [f"{found.title}, on {found.place}", row.figure, row.least, row.most, row.beside]
        for found in findings
        for row in found.rows
    ]
    left = [f"- {_cell_text(f'{f.title}: {f.unranked}')}" for f in findings if f.unranked]
    lines = [f"| {' | '.join(map(_cell_text, row))} |" for row in rows]
    return [*([*head, *lines, ""] if rows else []), *([*left, ""] if left else [])]


def _counts_table(summary: RunSummary) -> list[str]:
    """The instructions of a run whose events were counted."""
    if (found := counted_view(summary)) is None:
        return []
    table = found.tables[0]
    heads = [f"{title}, {point}" for title, point, _ in table.heads]
    lines = [
        f"| Runtime | {' | '.join(map(_cell_text, heads))} |",
        f"|---|{'---:|' * len(heads)}",
        *(
            f"| {_cell_text(line.runtime.name)} | {' | '.join(map(_count, line.cells))} |"
            for line in table.lines
        ),
    ]
    return ["## Instructions an operation", "", *lines, "", RULE, ""]


def _count(cell: ShownCount | None) -> str:
    if cell is None:
        return ""
    group = f" [{cell.group}]" if cell.group else ""
    return f"{cell.text}{f' {cell.spread}' if cell.spread else ''}{group}"


def plain_table(matrix: Matrix, rows: list[Row]) -> list[str]:
    """A track's rows without the numbers of notes, for where no notes stand below."""
    return [re.sub(r" <sup>[^<]*</sup>", "", line) for line in _table(matrix, rows)]


def _table(matrix: Matrix, rows: list[Row]) -> list[str]:
    heads = [_head(column) for column in matrix.columns]
    lines = [
        f"| Runtime | Unit | {' | '.join(map(_cell_text, heads))} |",
        f"|---|---|{'---:|' * len(heads)}",
    ]
    for row in rows:
        name = _cell_text(row.runtime.name) + _marks(row.marks)
        lines.append(
            f"| {name} | {_cell_text(row.runtime.unit)} | {' | '.join(map(_cell, row.cells))} |"
        )
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


def _cell_text(words: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(words.split()))


EXPORTER = Exporter(
    name="markdown",
    title="Matrix (Markdown)",
    suffix=".md",
    media_type="text/markdown",
    function=export,
    shipped=True,
)

_ABSENT = "(absent)"  # as the comparison says it
_HASH = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{20,}\b")


def comparison_markdown(found: RunComparison) -> str:
    """The verdicts counted, the numbers that changed, then everything that was not comparable or is
    missing.
    """
    lines = [f"# {found.before} -> {found.after}", "", _counts(found), ""]
    if not found.claims:
        lines += [f"**{NO_CLAIMS}**", ""]
    if not found.same_box:
        lines += ["Two boxes: ratios to the reference runtime only, no absolute verdict.", ""]
    lines += [f"> {warning}" for warning in found.warnings]
    lines += _environment(found)
    changed = [change for change in found.changes if change.verdict in ("lower", "higher")]
    if changed:
        lines += [
            "",
            "| number | before | after | after / before | verdict |",
            "|---|---|---|---|---|",
        ]
        lines += [
            _row(change) for change in sorted(changed, key=lambda c: (not c.regression, c.key))
        ]
    withheld = Counter(change.reason for change in found.changes if change.reason)
    lines += [
        "",
        *[
            f"- {count} numbers not comparable: {reason}"
            for reason, count in withheld.most_common()
        ],
    ]
    lines += [f"- only in one of the runs: {name}" for name in found.missing]
    return "\n".join(lines).rstrip()


def _counts(found: RunComparison) -> str:
    counts = Counter(change.verdict for change in found.changes)
    words = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    regressions = len(found.regressions)
    counted_ones = sum(change.method == "counted" for change in found.changes)
    by_count = (
        f" Time could not tell {counted_ones} of them: instructions decided."
        if counted_ones
        else ""
    )
    return (
        f"{len(found.changes)} numbers: {words}. Regressions over {found.threshold:.0%}: "
        f"{regressions}.{by_count}"
    )


def _environment(found: RunComparison) -> list[str]:
    if not found.environment:
        return []
    lines = ["", "| what differs | before | after | kind |", "|---|---|---|---|"]
    return [
        *lines,
        *(
            f"| {d.key} | {_change_text(d.before)} | {_change_text(d.after)} | {d.kind} |"
            for d in split(found.environment)
        ),
    ]


def split(differences: Iterable[Difference]) -> Iterator[Difference]:
    """Those of a mapping key by key, only what differs in it; lists as words, hashes by their
    beginning.
    """
    for one in differences:
        before, after = (_parts(value) for value in (one.before, one.after))
        for name in dict.fromkeys([*before, *after]):
            first, second = (found.get(name, _ABSENT) for found in (before, after))
            if first != second:
                yield Difference(key=f"{one.key}{name}", before=first, after=second, kind=one.kind)


def _parts(value: str) -> dict[str, str]:
    """`.key` -> words, for a mapping as JSON; the value itself under no key for all else."""
    try:
        found = json.loads(value) if value[:1] in ("{", "[") else value
    except json.JSONDecodeError:  # a text that only begins like one
        found = value
    if value == _ABSENT:
        return {}
    return {
        f".{key}" if key else "": _HASH.sub(r"\1…", text)
        for key, text in flat(found if isinstance(found, dict) else {"": found})
    }


def _row(change: Change) -> str:
    mark = f"**{change.verdict}** (regression)" if change.regression else change.verdict
    if change.method == "counted":
        mark += ", by instructions"
    shown = [units.bare(value.center, change.unit) for value in (change.before, change.after)]
    told = change.instructions if change.method == "counted" else change.ratio
    return f"| {change.key} | {shown[0]} | {shown[1]} | {_ratio(told)} | {mark} |"


def _ratio(ratio: Estimate | None) -> str:
    return (
        f"{units.show(ratio, units.ONE)} ({units.show_interval(ratio, units.ONE)})" if ratio else ""
    )


def _change_text(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")[:120]
