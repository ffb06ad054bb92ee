"""What a run found, as text for a terminal: its numbers, and what has none and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from corobench.report import notes, tables, text
from corobench.report.headline import NARROW, Column
from corobench.report.units import SINGLE
from corobench.report.view import presentable
from corobench.results import log
from corobench.statistics.summary import NO_CLAIMS, summarise
from corobench.statistics.types import RunSummary

_GAP = "  "
_LINES = 12  # failures or gaps that are told
_LETTERS = 160  # of a reason
_UNSURE = "*"


def found(run: log.Run, width: int) -> Iterator[str]:
    """The core figures of a run in a table of this width, then a line for each failure and gap, the
    first of many.
    """
    yield from table(presentable(summarise(run)), width)
    yield from _without("failed", _failures(run))
    yield from _without("no number", _gaps(run))


def table(summary: RunSummary, width: int) -> Iterator[str]:
    """The core figure of each workload by runtime, a table a track; as many columns side by side as
    the width takes.
    """
    made = tables.make_matrix(summary, notes.number_notes(tables.only_matrix(summary)))
    heads = made.columns[:NARROW]
    if not heads:
        yield "no case has a number"
        return
    hidden = set()
    for track, rows in made.bodies.items():
        shown = _shown(rows)
        hidden |= {row.runtime.name for row in rows} - {row.runtime.name for row in shown}
        named = [
            (row.runtime.name, [_cell(cell, claims=summary.claims) for cell in row.cells])
            for row in shown
        ]
        yield from _parts(text.TRACK_TITLES[track], heads, named, width)
    yield _legend(summary)
    yield from _units(
        summary, [row.runtime.name for rows in made.bodies.values() for row in _shown(rows)]
    )
    rest = [column.title for column in made.columns[NARROW:]]
    if rest or hidden:
        more = [f"{len(rest)} of the workloads ({', '.join(rest)})"] if rest else []
        more += [f"{len(hidden)} of the runtimes"] if hidden else []
        yield f"not shown here, but on the page: {' and '.join(more)}"


def _shown(rows: list[tables.Row]) -> list[tables.Row]:
    """All, or the core of many."""
    if len(rows) <= tables.MANY:
        return rows
    return [row for row in rows if row.core][: tables.MANY] or rows[: tables.MANY]


def _cell(cell: tables.Shown, *, claims: bool) -> str:
    """The number with its interval, and in a run with claims its group or that it can't be
    ranked.
    """
    if cell.value is None:
        return cell.text
    interval = f" ({cell.interval})" if cell.interval and cell.interval != SINGLE else ""
    group = f" [{cell.group}]" if cell.group else ""
    return f"{cell.text}{interval}{_UNSURE if claims and cell.state == 'flagged' else group}"


def _parts(
    title: str, heads: list[Column], rows: list[tuple[str, list[str]]], width: int
) -> Iterator[str]:
    """A table of each track in parts, none wider than the width where a column isn't."""
    texts = [
        [*_head(column), *(cells[place] for _, cells in rows)] for place, column in enumerate(heads)
    ]
    widths = [max(map(len, column)) for column in texts]
    names = [title, "", "", *(name for name, _ in rows)]
    left = max(map(len, names))
    places = list(range(len(heads)))
    while places:
        taken = [places.pop(0)]
        while (
            places
            and left + sum(len(_GAP) + widths[place] for place in [*taken, places[0]]) <= width
        ):
            taken.append(places.pop(0))
        for number, name in enumerate(names):
            cells = (texts[place][number].rjust(widths[place]) for place in taken)
            yield f"{name:{left}}{_GAP}{_GAP.join(cells)}".rstrip()
        yield ""


def _head(column: Column) -> tuple[str, str, str]:
    unit = " ".join(part for part in (column.scale.symbol, column.per or column.what) if part)
    return column.title, column.where, unit


def _legend(summary: RunSummary) -> str:
    """What the figures are; in a run of one process a case there is no interval to speak of."""
    if not summary.claims and summary.blocks > 1:
        return f"median of {summary.blocks} blocks (lowest to highest); {NO_CLAIMS}"
    if not summary.claims:
        return f"one process a case; {NO_CLAIMS}"
    return f"median (95 % interval) [group]; {_UNSURE} too uncertain to rank: the page says why"


def _units(summary: RunSummary, shown: list[str]) -> Iterator[str]:
    """Unlike units are not one comparison without a word."""
    units: dict[str, list[str]] = {}
    for runtime in summary.runtimes:
        if runtime.name in shown:
            units.setdefault(runtime.unit, []).append(runtime.name)
    if len(units) > 1:
        told = (f"{unit}: {', '.join(names)}" for unit, names in units.items())
        yield f"units differ: {'; '.join(told)}"


def _failures(run: log.Run) -> Iterator[str]:
    """A line a case; of one that has a number all the same, how many of its processes failed."""
    failed = Counter(failure.case for failure in run.failures)
    measured = Counter(invocation.case for invocation in run.invocations)
    reasons = {failure.case: failure.reason for failure in run.failures}
    for case, count in failed.items():
        some = f" ({count} of {count + measured[case]} processes)" if measured[case] else ""
        yield f"{case}{some}: {reasons[case]}"


def _gaps(run: log.Run) -> Iterator[str]:
    """A line for what a runtime lacks for one reason."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for gap in run.header.plan.gaps:
        found.setdefault((gap.runtime, gap.reason), {})[gap.workload] = None
    for (runtime, reason), workloads in found.items():
        yield f"{runtime} in {', '.join(workloads)}: {reason}"


def _without(word: str, reasons: Iterable[str]) -> Iterator[str]:
    told = [" ".join(reason.split()) for reason in reasons]
    if told:
        yield ""
    for reason in islice(told, _LINES):
        yield f"{word}: {reason if len(reason) <= _LETTERS else reason[: _LETTERS - 1] + '…'}"
    if len(told) > _LINES:
        yield f"{word}: {len(told) - _LINES} more; the page shows each with its reason"
