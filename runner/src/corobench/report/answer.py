"""The answer first: one sentence, hedged by the verdicts. Never an overall score, no weights.

"Lowest" and "fastest" are only said of a runtime that is alone in the first group of a trusted column. The sentence is about
runtimes: a variant that was made for one workload is named below it, as what it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from corobench.report import units
from corobench.report.headline import Column, columns, short_point
from corobench.report.matrix import TRACK_TITLES
from corobench.report.variants import special
from corobench.statistics.groups import blocks_needed
from corobench.statistics.values import Cell, RunSummary

QUICK = "Quick run: no claims."
_HARD = "\N{NO-BREAK SPACE}"  # a number is not parted from its unit at the end of a line
_MAIN = ("spawn", "switch", "memory")
_BEST = {"lower": "lowest", "higher": "highest"}
_PLAIN = {"spawn": "starting and joining a task", "switch": "a switch", "memory": "a parked task"}


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """`sentence` is the headline; `findings` what can be said of each column, with the groups, and what can't be."""

    sentence: str
    findings: list[str]


def answer(summary: RunSummary) -> Answer:
    """What this run says, of the first track that has numbers."""
    heads = columns(summary)
    track = next((t for t in TRACK_TITLES if any(c.track == t and c.typical for c in summary.cells)), None)
    if track is None or not heads:
        return Answer(sentence="This run has no number: no program finished, and each one's reason stands below.", findings=[])
    cells = {h.key: _measured(summary, h, track) for h in heads}
    main = [h for family in _MAIN if (h := next((h for h in heads if h.family == family), None))] or heads
    variants = special(summary)
    told = {h: [c for c in cells[h.key] if c.runtime not in variants] for h in main}
    ranges = [text for h in main if (text := _range(h, told[h]))]
    where = "one CPU of this box" if track == "one-cpu" else "all CPUs of this box"
    findings = _findings({h: cells[h.key] for h in heads}, summary.claims, variants.keys())
    if not ranges:
        trusted = any(cell.trusted for measured in cells.values() for cell in measured)
        why = "too few figures could be trusted to tell a range" if trusted else "no figure could be trusted"
        return Answer(sentence=f"On {where} {why}: each one's reason stands beside it.", findings=findings)
    hedge = "" if summary.claims else f"{QUICK} "
    rest = [head.title.lower() for head in main if told[head] and not _known(told[head])]
    unranked = f"; {_join(rest)} can't be ranked for most runtimes, and each one's reason stands beside it" if rest else ""
    return Answer(sentence=f"{hedge}On {where}, {_join(ranges)}{unranked}.", findings=findings)


def _measured(summary: RunSummary, head: Column, track: str) -> list[Cell]:
    place = (head.workload, head.point, head.metric, track)
    chosen = [c for c in summary.cells if (c.workload, c.point, c.metric, c.track) == place and c.typical]
    return sorted(chosen, key=lambda c: c.typical.center if c.typical else 0.0)


def _known(cells: list[Cell]) -> bool:
    """Whether a range can be told: most are trusted, the lowest among them. Else it would say what nobody knows."""
    return bool(cells) and cells[0].trusted and 2 * sum(cell.trusted for cell in cells) > len(cells)


def _range(head: Column, cells: list[Cell]) -> str:
    if not _known(cells):
        return ""
    trusted = [cell for cell in cells if cell.trusted]
    low, high = trusted[0], trusted[-1]
    what = _PLAIN.get(head.workload, head.title.lower())
    verb = "holds" if head.unit == "B" else "costs"
    first, last = (f"{_value(c)} ({c.runtime})" for c in (low, high))
    return f"{what} {verb} {first}" if low is high else f"{what} {verb} {first} to {last}"


def _value(cell: Cell) -> str:
    assert cell.typical is not None
    scale = units.scale_of([cell.typical.center], cell.unit)
    return f"{units.show(cell.typical, scale)}{_HARD}{scale.symbol}"


def _findings(columns: dict[Column, list[Cell]], claims: bool, variants: Collection[str]) -> list[str]:
    """What can be said, a sentence a column; what can't be, a sentence for each reason."""
    told, untold = [], dict[str, list[str]]()
    for head, cells in columns.items():
        if reason := _untold(head, cells, claims):
            untold.setdefault(reason, []).append(head.title)
        else:
            told.append(_finding(head, cells, claims, variants))
    return told + [f"{', '.join(titles)}: {reason}" for reason, titles in untold.items()]


def _untold(head: Column, cells: list[Cell], claims: bool) -> str:
    """Why nothing can be said of the best of a column; empty where something can."""
    trusted = [cell for cell in cells if cell.trusted]
    if not trusted:
        return "no figure could be trusted."
    if not claims or len(trusted) == 1 or any(cell.group == 1 for cell in trusted):
        return ""
    blocks, needed = max(cell.typical.n for cell in trusted if cell.typical), blocks_needed(len(trusted))
    if blocks < needed:
        return f"no groups, because {blocks} blocks can't tell {len(trusted)} runtimes apart whatever they cost; {needed} could."
    return f"no groups, because the one that reads {_BEST[head.better]} can't be ranked."


def _finding(head: Column, cells: list[Cell], claims: bool, variants: Collection[str]) -> str:
    where = f"{head.title}, {short_point(head.point)}"
    trusted = [cell for cell in cells if cell.trusted]
    if not claims:
        return f"{where}: {_value(trusted[0])} to {_value(trusted[-1])}; which is lower, this run can't say."
    if len(trusted) == 1:
        return f"{where}: only {_named(trusted[0], variants)} has a number that can be trusted."
    first = [_named(c, variants) for c in trusted if c.group == 1]
    if len(first) == 1:
        return f"{where}: {first[0]} is the {_BEST[head.better]}, alone in the first group."
    return f"{where}: {_join(first)} can't be told apart from the best."


def _named(cell: Cell, variants: Collection[str]) -> str:
    return f"{cell.runtime} (a variant made for this workload)" if cell.runtime in variants else cell.runtime


def _join(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
