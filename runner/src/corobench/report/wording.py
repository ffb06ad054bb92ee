"""Words that the sentences of a page share: lists, values in one unit, names inside a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corobench.report import units
from corobench.statistics.flagwords import doubted
from corobench.statistics.values import Cell, RunSummary

HARD = "\N{NO-BREAK SPACE}"  # a number is not parted from its unit at the end of a line
_UNCLAIMED = {"smoke": "Smoke run: no claims.", "scale": "Scale run: no claims."}
_ACRONYM = 2  # capitals at the start of a title that is no ordinary word


def joined(words: Iterable[str]) -> str:
    """`a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def counted(number: int, word: str) -> str:
    """`1 block`, `9 blocks`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def inside(title: str) -> str:
    """A title in the middle of a sentence: `Context switch` begins small there, `HTTP servers` and `I/O switch` don't."""
    word = title.split(maxsplit=1)[0] if title else ""
    return title if word[:_ACRONYM].isupper() or "/" in word else title[:1].lower() + title[1:]


def direction(cell: Cell) -> str:
    """Which numbers of a column are better, where any is."""
    return f"{cell.better} is better" if cell.claims else "no claim"


def reading(names: Sequence[str], way: str) -> str:
    """`node and gevent read lower`."""
    return f"{joined(names)} read{'s' if len(names) == 1 else ''} {way}"


def bracketed(title: str) -> str:
    """`lateness (99th percentile)`: a title inside a sentence, where its comma would part it."""
    what, _, which = inside(title).partition(", ")
    return f"{what} ({which})" if which else what


def unclaimed(profile: str) -> str:
    """What stands on everything that is made from a run without claims."""
    return _UNCLAIMED.get(profile, "Quick run: no claims.")


def kinds_of(summary: RunSummary) -> dict[str, str]:
    """What each runtime schedules."""
    return {runtime.name: runtime.unit for runtime in summary.runtimes}


def unlike(cells: Sequence[Cell], kinds: Mapping[str, str]) -> list[str]:
    """What the runtime of each of these schedules, where that isn't the same for all of them; else nothing for any."""
    found = [kinds.get(cell.runtime, "") for cell in cells]
    return found if len(set(found)) > 1 else [""] * len(found)


def kinded(who: str, kind: str) -> str:
    """`node, stackless task`; the name alone where there is no kind."""
    return f"{who}, {kind}" if kind else who


def span(
    cells: Sequence[Cell],
    kinds: Mapping[str, str] | None = None,
    named: bool = True,
    doubts: bool = True,
    brief: bool = False,
) -> str:
    """The least and the most of some cells (by value, ascending) in one unit: `60 ns (node) to 640 ns (uvloop)`.

    `kinds`: what each runtime schedules, said where it isn't the same at both: `60 ns (node, stackless task) to ...`. Both ends
    are alike in digits, and beside its name stands what the spec itself doubts of a number (`doubts`), or only that it does
    (`brief`).
    """
    ends = [cells[0], *cells[-1:]] if len(cells) > 1 else [cells[0]]
    found = [cell.typical for cell in ends if cell.typical]
    scale = units.scale_of_estimates(found, ends[0].unit)
    shown = [f"{text}{HARD if scale.symbol else ''}{scale.symbol}" for text in units.show_alike(found, scale)]
    names = [kinded(cell.runtime, kind) for cell, kind in zip(ends, unlike(ends, kinds or {}), strict=True)]
    reasons = [doubted(cell.flags) if doubts else "" for cell in ends]
    beside = ["in doubt" if brief and reason else reason for reason in reasons]
    who = ["; ".join(filter(None, pair)) for pair in zip(names, beside, strict=True)]
    return " to ".join(f"{text} ({name})" if named else text for text, name in zip(shown, who, strict=True))
