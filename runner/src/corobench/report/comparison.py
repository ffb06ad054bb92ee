"""A comparison of two runs as Markdown: what changed, by how much, and what spoils the comparison."""

from __future__ import annotations

from collections import Counter

from corobench.report import units
from corobench.statistics.values import Change, Estimate, RunComparison


def markdown(found: RunComparison) -> str:
    """The verdicts counted, the numbers that changed, then everything that was not comparable or is missing."""
    lines = [f"# {found.before} -> {found.after}", "", _counts(found), ""]
    if not found.same_box:
        lines += ["Two boxes: ratios to the reference runtime only, no absolute verdict.", ""]
    lines += [f"> {warning}" for warning in found.warnings]
    lines += _environment(found)
    changed = [change for change in found.changes if change.verdict in ("lower", "higher")]
    if changed:
        lines += ["", "| number | before | after | after / before | verdict |", "|---|---|---|---|---|"]
        lines += [_row(change) for change in sorted(changed, key=lambda c: (not c.regression, c.key))]
    withheld = Counter(change.reason for change in found.changes if change.reason)
    lines += ["", *[f"- {count} numbers not comparable: {reason}" for reason, count in withheld.most_common()]]
    lines += [f"- only in one of the runs: {name}" for name in found.missing]
    return "\n".join(lines).rstrip()


def _counts(found: RunComparison) -> str:
    counts = Counter(change.verdict for change in found.changes)
    words = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    regressions = len(found.regressions)
    return f"{len(found.changes)} numbers: {words}. Regressions over {found.threshold:.0%}: {regressions}."


def _environment(found: RunComparison) -> list[str]:
    if not found.environment:
        return []
    lines = ["", "| what differs | before | after | kind |", "|---|---|---|---|"]
    return [*lines, *(f"| {d.key} | {_text(d.before)} | {_text(d.after)} | {d.kind} |" for d in found.environment)]


def _row(change: Change) -> str:
    mark = f"**{change.verdict}** (regression)" if change.regression else change.verdict
    shown = [units.bare(value.center, change.unit) for value in (change.before, change.after)]
    return f"| {change.key} | {shown[0]} | {shown[1]} | {_ratio(change.ratio)} | {mark} |"


def _ratio(ratio: Estimate | None) -> str:
    return f"{ratio.center:.3f} [{ratio.low:.3f}, {ratio.high:.3f}]" if ratio else ""


def _text(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")[:120]
