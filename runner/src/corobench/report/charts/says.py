"""What is not ranked, what failed and what was not run, in words: a shape or a grey alone would not say it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corobench.report import units
from corobench.report.charts.style import shortened
from corobench.report.matrix import TRACK_TITLES
from corobench.statistics.flagwords import flag_words
from corobench.statistics.values import Cell, Estimate

SAYS = "Says"
HOLLOW = "Hollow and grey: not ranked."
_NAMED = 6
_REASON = 560.0  # pixels of a reason in a caption: the table has the whole of it


def says(cell: Cell) -> str:
    """What the table of a chart says beside a number, or in its place; empty for one that may be ranked."""
    return _sentence(*_said(cell))


def says_of(cells: Sequence[Cell], titles: Mapping[str, str]) -> str:
    """What it says beside several metrics of a case: each thing once, and of which metrics where it isn't said of all.

    `titles`: of the metrics by name.
    """
    metrics: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        what, why = _said(cell)
        for reason in dict.fromkeys((why or [""]) if what else []):
            metrics.setdefault((what, reason), []).append(titles[cell.metric])
    reasons: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (what, reason), about in metrics.items():
        reasons.setdefault((what, tuple(about)), []).append(reason)
    return "; ".join(
        _sentence(what if len(about) == len(cells) else f"{what} ({'; '.join(about)})", why)
        for (what, about), why in reasons.items()
    )


def interval_words(estimates: Iterable[Estimate | None]) -> str:
    """What the bars of these numbers are: too few blocks have no 95 % interval."""
    known = {estimate.confidence > 0 for estimate in estimates if estimate}
    if known == {False}:
        return "lowest to highest, since so few blocks have no 95 % interval"
    return "95 % interval, or lowest to highest where blocks are too few for one" if False in known else "95 % interval"


def with_caveats(caption: str, cells: Iterable[Cell]) -> str:
    """A caption with who is not ranked, and who has no number, and why; as it is where nothing of that is to be said."""
    seen = list(cells)
    unranked = _names((c.runtime, flag_words(flag)) for c in seen if c.typical for flag in c.flags if flag.level == "red")
    missing = _names((c.runtime, shortened(says(c), _REASON)) for c in seen if c.typical is None)
    told = [
        *([f"{HOLLOW} {'; '.join(f'{names}: {name}' for name, names in unranked.items())}."] if unranked else []),
        *([f"No number: {'; '.join(f'{names} ({why})' for why, names in missing.items())}."] if missing else []),
    ]
    return " ".join([caption, *told])


def gap_rows(cells: Iterable[Cell], head: list[str]) -> list[list[str]]:
    """A row for each runtime and track that was not run, once and not at each point; `head` begins with these two."""
    found = {(c.runtime, c.track): says(c) for c in cells if c.gap}
    empty = [units.NONE] * (len(head) - 3)
    return [[runtime, TRACK_TITLES[track], *empty, why] for (runtime, track), why in found.items()]


def _said(cell: Cell) -> tuple[str, list[str]]:
    """What is to be said of a number, and why; nothing of one that may be ranked."""
    if cell.gap:
        return "not run", [cell.gap]
    if cell.typical is None:
        return "failed" if cell.failures else "no number", cell.failures
    reds = [flag.text for flag in cell.flags if flag.level == "red"]
    return "not ranked" if reds else "", reds


def _sentence(what: str, why: list[str]) -> str:
    return ": ".join(filter(None, [what, "; ".join(why)]))


def _names(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Reason -> the runtimes that it is about, each once."""
    found: dict[str, dict[str, None]] = {}
    for runtime, reason in pairs:
        found.setdefault(reason, {})[runtime] = None
    return {reason: _listed(list(names)) for reason, names in found.items()}


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
