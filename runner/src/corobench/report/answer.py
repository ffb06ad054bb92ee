"""The answer first: one sentence, hedged by the verdicts. Never an overall score, no weights.

It stands above the first number on a phone, so it has three ranges at most; of how many runtimes
they are is told below. "Lowest" and "highest" are only said of a runtime that is alone in the first
group of a trusted column. The sentence is about runtimes: a variant that was made for one workload
is named below it, as what it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from corobench.report import scenarios, units
from corobench.report.headline import Column, columns, short_point
from corobench.report.sweeps import special
from corobench.report.text import TRACK_TITLES, inside, joined, kinds_of, reading, span, unclaimed
from corobench.statistics.flags import doubted
from corobench.statistics.types import Cell, RunSummary
from corobench.statistics.verdicts import group_blocks_needed

_MAIN = ("spawn", "switch", "memory")
_BEST = {"lower": "lowest", "higher": "highest"}
_WORSE = {"lower": "higher", "higher": "lower"}
_BEYOND = {"lower": "above", "higher": "below"}  # where what is worse than the best lies
_PLAIN = {
    "spawn": "starting and joining a task costs",
    "switch": "a switch costs",
    "memory": "a parked task holds",
}


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """`sentence` is the headline; `findings` what can be said of each column and scenario, and what
    can't be.

    `among`: of how many runtimes the headline speaks, and why it is in doubt; empty where it speaks
    of all, without doubt.
    """

    sentence: str
    among: str = ""
    findings: list[str]


def answer(summary: RunSummary, found: Mapping[str, str] | None = None) -> Answer:
    """What this run says, of the first track that has numbers.

    `found`: what its scenarios found, where that is known already (scenarios.findings).
    """
    heads = columns(summary)
    track = next(
        (t for t in TRACK_TITLES if any(c.track == t and c.median for c in summary.cells)), None
    )
    if track is None or not heads:
        return Answer(
            sentence=(
                "This run has no number: no program finished, and each one's reason stands below."
            ),
            findings=[],
        )
    cells = {h.key: _measured(summary, h, track) for h in heads}
    main = [
        h for family in _MAIN if (h := next((h for h in heads if h.family == family), None))
    ] or heads[: len(_MAIN)]
    variants = special(summary)
    told = {h: [c for c in cells[h.key] if c.runtime not in variants] for h in main}
    findings = _findings({h: cells[h.key] for h in heads}, summary.claims, variants.keys()) + list(
        (scenarios.findings(summary) if found is None else found).values()
    )
    known = {head: found for head, found in told.items() if _known(found)}
    return Answer(
        sentence=_sentence(summary, track, told, known), among=_among(known), findings=findings
    )


def _sentence(
    summary: RunSummary, track: str, told: dict[Column, list[Cell]], known: dict[Column, list[Cell]]
) -> str:
    where = "one CPU of this box" if track == "one-cpu" else "all CPUs of this box"
    kinds = kinds_of(summary)
    ranges = [_range(head, cells, kinds) for head, cells in known.items()]
    if not ranges:
        trusted = any(cell.trusted for cells in told.values() for cell in cells)
        why = (
            "too few figures could be trusted to tell a range"
            if trusted
            else "no figure could be trusted"
        )
        return f"On {where} {why}; the table gives each reason."
    rest = [inside(head.title) for head, cells in told.items() if cells and not _known(cells)]
    verb = "is" if len(rest) == 1 else "are"
    unranked = (
        f"; {joined(rest)} {verb} unranked for most runtimes, and the table gives each reason"
        if rest
        else ""
    )
    hedge = "" if summary.claims else f"{unclaimed(summary.profile)} "
    of = ", of the runtimes that can be ranked" if any(map(_in_part, known.values())) else ""
    return f"{hedge}On {where}, {joined(ranges)}{of}{unranked}."


def _among(known: dict[Column, list[Cell]]) -> str:
    """Of how many runtimes each range is, where that isn't all, and what the specs doubt of its
    ends.
    """
    some = [_ranked(head, cells) for head, cells in known.items() if _in_part(cells)]
    told = [f"Of the runtimes measured, these can be ranked: {joined(some)}."] if some else []
    for head, cells in known.items():
        told += [
            f"In doubt, {inside(head.title)}: {doubt}."
            for doubt in _doubts([cell for cell in cells if cell.trusted])
        ]
    return " ".join(told)


def _doubts(trusted: list[Cell]) -> list[str]:
    """What stands in the headline as in doubt: the ends of a range, each with its reason."""
    ends = {cell.runtime: cell for cell in (trusted[0], trusted[-1])}
    return [f"{name}, {doubt}" for name, cell in ends.items() if (doubt := doubted(cell.flags))]


def _in_part(cells: list[Cell]) -> bool:
    """Whether a range is of some of what was measured."""
    return not all(cell.trusted for cell in cells)


def _measured(summary: RunSummary, head: Column, track: str) -> list[Cell]:
    """The cells of a column with a number, by value; without a floor, which is no contestant."""
    place = (head.workload, head.point, head.metric, track)
    chosen = [
        c
        for c in summary.cells
        if (c.workload, c.point, c.metric, c.track) == place and c.median and not c.lower_bound
    ]
    return sorted(chosen, key=lambda c: c.median.center if c.median else 0.0)


def _known(cells: list[Cell]) -> bool:
    """Whether a range can be told: most of what was measured is trusted."""
    return 2 * sum(cell.trusted for cell in cells) > len(cells)


def _range(head: Column, cells: list[Cell], kinds: Mapping[str, str]) -> str:
    trusted = [cell for cell in cells if cell.trusted]
    begin = _PLAIN.get(
        head.workload, f"the {f'{head.what} {head.per}'.strip()} in {inside(head.title)} is"
    )
    return f"{begin} {span(trusted, kinds, brief=True)}"


def _ranked(head: Column, cells: list[Cell]) -> str:
    """Of how many runtimes a range is, where that isn't all, and which of the others lie outside of
    it.
    """
    outside = [
        reading(names, way)
        for names, way in zip(_outside(cells), ("lower", "higher"), strict=True)
        if names
    ]
    beside = f" ({', '.join(outside)})" if outside else ""
    return f"{sum(cell.trusted for cell in cells)} of {len(cells)} in {inside(head.title)}{beside}"


def _outside(cells: list[Cell]) -> tuple[list[str], list[str]]:
    """Those that read lower than all that can be ranked, of which there are some, and those that
    read higher.
    """
    places = [place for place, cell in enumerate(cells) if cell.trusted]
    low, high = cells[: places[0]], cells[places[-1] + 1 :]
    return [cell.runtime for cell in low], [cell.runtime for cell in high]


def _findings(
    columns: dict[Column, list[Cell]], claims: bool, variants: Collection[str]
) -> list[str]:
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
    blocks, needed = (
        max(cell.median.n for cell in trusted if cell.median),
        group_blocks_needed(len(trusted)),
    )
    if blocks < needed:
        return (
            f"no groups, because {blocks} blocks can't tell {len(trusted)} runtimes apart "
            f"whatever they cost; {needed} could."
        )
    better = _better(head, cells)
    if not better:
        return "no groups."
    verb = "reads" if len(better) == 1 else "read"
    return (
        f"no groups, because {joined(better)}, which {verb} {_BEST[head.better]}, can't be ranked."
    )


def _better(head: Column, cells: list[Cell]) -> list[str]:
    """Those that read better than the best that can be ranked, and can't be."""
    low, high = _outside(cells)
    return low if head.better == "lower" else high


def _finding(head: Column, cells: list[Cell], claims: bool, variants: Collection[str]) -> str:
    where = f"{head.title}, {short_point(head.point)}"
    trusted = [cell for cell in cells if cell.trusted]
    if not claims:
        return f"{where}: {span(trusted, named=False)}; which is {head.better}, this run can't say."
    if len(trusted) == 1:
        return f"{where}: only {_named(trusted[0], variants)} has a number that can be trusted."
    first = [c for c in trusted if c.group == 1]
    better, best = _better(head, cells), _BEST[head.better]
    beside = f"; {reading(better, head.better)}, but can't be ranked" if better else ""
    among = " of those that can be ranked" if better else ""
    if len(first) == 1:
        return (
            f"{where}: {_named(first[0], variants)} is the {best}{among}, alone in the first "
            f"group{beside}."
        )
    shared = f"{joined(_named(c, variants) for c in first)} share the first group"
    worse, told = _told_apart(head, first)
    left = [c.runtime for c in first if c.runtime not in worse]
    which = (
        f"; which of {joined(left) if told else 'them'} is the {best}{among} can't be told"
        if len(left) > 1
        else ""
    )
    return f"{where}: {shared}{told}{which}{beside}."


def _told_apart(head: Column, first: list[Cell]) -> tuple[list[str], str]:
    """Those of the first group that a verdict calls worse than another of it, and that in words.

    A verdict is against the reference alone, and asks less than a group does: not that the whole
    interval clears delta.
    """
    said = [(c.runtime, c.comparison) for c in first if c.comparison]
    reference = next(
        (found.other for _, found in said if found.other in {c.runtime for c in first}), None
    )
    ahead = [name for name, found in said if found.verdict == head.better]
    behind = [name for name, found in said if found.verdict == _WORSE[head.better]]
    if reference is None or not ahead + behind:
        return [], ""
    pairs = [([reference], ahead), (behind, [reference])]
    told = [
        f"{_being(names, _WORSE[head.better])} than {joined(others)}"
        for names, others in pairs
        if names and others
    ]
    delta = units.plain(100 * next(found.delta for _, found in said), 1)
    limit = f"but not shown to be over {delta} % {_BEYOND[head.better]} the group's best"
    return [*([reference] if ahead else []), *behind], f"; {joined(told)}, {limit}"


def _being(names: list[str], what: str) -> str:
    return f"{joined(names)} {'is' if len(names) == 1 else 'are'} {what}"


def _named(cell: Cell, variants: Collection[str]) -> str:
    return (
        f"{cell.runtime} (a variant made for this workload)"
        if cell.runtime in variants
        else cell.runtime
    )
