"""A comparison of two runs as Markdown: what changed, by how much, and what spoils the comparison."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from corobench.report import units
from corobench.report.exports.format import NO_CLAIMS
from corobench.report.facts import flat
from corobench.statistics.values import Change, Difference, Estimate, RunComparison

_ONE = units.Scale(1.0, "")
_ABSENT = "(absent)"  # as the comparison says it
_HASH = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{20,}\b")


def markdown(found: RunComparison) -> str:
    """The verdicts counted, the numbers that changed, then everything that was not comparable or is missing."""
    lines = [f"# {found.before} -> {found.after}", "", _counts(found), ""]
    if not found.claims:
        lines += [f"**{NO_CLAIMS}**", ""]
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
    return [*lines, *(f"| {d.key} | {_text(d.before)} | {_text(d.after)} | {d.kind} |" for d in split(found.environment))]


def split(differences: Iterable[Difference]) -> Iterator[Difference]:
    """Those of a mapping key by key, only what differs in it; lists as words, hashes by their beginning."""
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
        f".{key}" if key else "": _HASH.sub(r"\1…", text) for key, text in flat(found if isinstance(found, dict) else {"": found})
    }


def _row(change: Change) -> str:
    mark = f"**{change.verdict}** (regression)" if change.regression else change.verdict
    shown = [units.bare(value.center, change.unit) for value in (change.before, change.after)]
    return f"| {change.key} | {shown[0]} | {shown[1]} | {_ratio(change.ratio)} | {mark} |"


def _ratio(ratio: Estimate | None) -> str:
    return f"{units.show(ratio, _ONE)} ({units.show_interval(ratio, _ONE)})" if ratio else ""


def _text(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")[:120]
