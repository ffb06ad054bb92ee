"""Words that the sentences of a page share: lists, values in one unit, names inside a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corobench.report import units
from corobench.statistics.values import Cell

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


def unclaimed(profile: str) -> str:
    """What stands on everything that is made from a run without claims."""
    return _UNCLAIMED.get(profile, "Quick run: no claims.")


def span(cells: Sequence[Cell], named: bool = True) -> str:
    """The least and the most of some cells (by value, ascending) in one unit: `60 ns (node) to 640 ns (uvloop)`."""
    ends = [cells[0], *cells[-1:]] if len(cells) > 1 else [cells[0]]
    scale = units.scale_of_estimates((cell.typical for cell in ends), ends[0].unit)
    shown = [f"{units.show(cell.typical, scale)}{HARD if scale.symbol else ''}{scale.symbol}" for cell in ends]
    return " to ".join(f"{text} ({cell.runtime})" if named else text for text, cell in zip(shown, ends, strict=True))
