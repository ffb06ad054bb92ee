"""The counted columns of a run's page: what an operation takes in events, in place of time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import msgspec

from corobench.report import headline, units
from corobench.report.headline import short_point
from corobench.statistics import counts
from corobench.statistics.types import Cell, Counted, RunSummary, RuntimeFacts, WorkloadFacts

_NAMES = {
    "instructions": "Instructions",
    "system-calls": "System calls",
    "switches": "Voluntary context switches",
    "faults": "Page faults",
    "allocations": "Allocations by malloc",
    "allocated-bytes": "Bytes allocated by malloc",
    "cycles": "Cycles, user space",
    "kernel-cycles": "Cycles, kernel",
    "retired": "Instructions, by the processor's counter",
    "kernel-instructions": "Instructions of the kernel",
    "branch-misses": "Branch misses",
    "cache-misses": "Cache misses",
}
_PER_CYCLE = "Instructions a cycle, user space"
RULE = (
    "Instructions of user space, which don't depend on how busy the box is. Two counts differ when "
    "they are apart by more than 1 %, and by more than their own processes are, which is shown "
    "where it exceeds that. The kernel's instructions are not seen."
)
_STARTS = "startup"
_MOST_AGAINST = 5  # pairs that are told, the farthest apart
_LEAST_EVENTS = 0.005  # an operation: of less it is said that there are hardly any
_FEW = "<0.01"


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One count. `spread`: how far its processes are apart, where that is told."""

    raw: float | None
    text: str
    spread: str
    group: int | None
    reason: str


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime's counts, one for each column; None where it was not asked for one."""

    runtime: RuntimeFacts
    cells: list[Shown | None]


class CountTable(msgspec.Struct, frozen=True, kw_only=True):
    """One event for all runtimes. `heads`: workload, point and operation of each column.
    `missing`: why there is no number at all; empty where there is one.
    """

    event: str
    title: str
    heads: list[tuple[str, str, str]]
    lines: list[Line]
    missing: str = ""


class Against(msgspec.Struct, frozen=True, kw_only=True):
    """Two runtimes of which one takes fewer instructions and more time: ratios of the first to the
    second.
    """

    what: str
    fewer: str
    other: str
    instructions: str
    time: str


class CountedView(msgspec.Struct, frozen=True, kw_only=True):
    """All that a page shows of the counts of a run; `tables` begin with the instructions.
    `prepared`: workload -> what its counts include, and its times do not.
    """

    rule: str
    prepared: dict[str, str]
    tables: list[CountTable]
    against: list[Against]


def counted_view(summary: RunSummary) -> CountedView | None:
    """None for a run whose events were not counted."""
    if not summary.counts:
        return None
    return CountedView(
        rule=RULE,
        prepared=_prepared(summary),
        tables=_tables(summary),
        against=_against(summary),
    )


def _prepared(summary: RunSummary) -> dict[str, str]:
    counted = {one.workload for one in summary.counts}
    return {w.title: w.prepared for w in summary.workloads if w.prepared and w.name in counted}


def _tables(summary: RunSummary) -> list[CountTable]:
    """One an event that was asked for; and instructions a cycle where cycles are known."""
    by_event: dict[str, list[Counted]] = {event: [] for event in _NAMES}
    for one in summary.counts:
        by_event[one.event].append(one)
    tables = [
        _table(summary, event, _NAMES[event], found) for event, found in by_event.items() if found
    ]
    cycles = {one.key.rpartition("/")[0]: one.value for one in by_event["cycles"] if one.value}
    rates = [
        msgspec.structs.replace(one, event="per-cycle", value=one.value / each, samples=[])
        for one in by_event["retired"]
        if one.value and (each := cycles.get(one.key.rpartition("/")[0]))
    ]
    return [*tables, *([_table(summary, "per-cycle", _PER_CYCLE, rates)] if rates else [])]


def _table(summary: RunSummary, event: str, title: str, found: list[Counted]) -> CountTable:
    order = headline.ordered_workloads(summary)
    columns = [
        (workload, point)
        for workload in order
        for point in dict.fromkeys(one.point for one in found if one.workload == workload.name)
    ]
    known = {(one.runtime, one.workload, one.point): one for one in found}
    lines = [
        Line(
            runtime=runtime,
            cells=[
                _shown(one) if (one := known.get((runtime.name, workload.name, point))) else None
                for workload, point in columns
            ],
        )
        for runtime in summary.runtimes
        if any(one.runtime == runtime.name for one in found)
    ]
    reasons = dict.fromkeys(one.reason for one in found)
    return CountTable(
        event=event,
        title=title,
        heads=[(w.title, short_point(point), w.operation) for w, point in columns],
        lines=_by_count(lines, [workload for workload, _ in columns]),
        missing="; ".join(reasons) if all(one.value is None for one in found) else "",
    )


def _by_count(lines: list[Line], columns: Sequence[WorkloadFacts]) -> list[Line]:
    """Sorted by the first column, but for starts of a process, that most runtimes have; those
    without a number there come last.
    """
    numbers = {
        at: sum(1 for line in lines if (cell := line.cells[at]) and cell.raw is not None)
        for at, workload in enumerate(columns)
        if workload.family != _STARTS or len({one.family for one in columns}) == 1
    }
    first = max(numbers, key=lambda at: (numbers[at], -at))

    def place(line: Line) -> tuple[bool, float]:
        cell = line.cells[first]
        known = cell is not None and cell.raw is not None
        return (not known, (cell.raw or 0.0) if cell else 0.0)

    return sorted(lines, key=place)


def _shown(one: Counted) -> Shown:
    told = one.event == "instructions" and one.spread > counts.LEAST_SPREAD
    return Shown(
        raw=one.value,
        text=units.NONE if one.value is None else number(one.value, one.value * one.spread / 2),
        spread=f"{units.percent(one.spread)} apart" if told else "",
        group=one.group,
        reason=one.reason,
    )


def number(events: float, half_width: float = 0.0) -> str:
    """Events an operation, with the digits that they deserve."""
    if abs(events) < _LEAST_EVENTS:
        return _FEW if events > 0 else "0"
    factor, symbol = (1e6, " M") if events >= 1e6 else (1.0, "")
    shown = events / factor
    return units.plain(shown, units.decimals(shown, half_width / factor)) + symbol


def _against(summary: RunSummary) -> list[Against]:
    """Where instructions and time order two runtimes differently, both beyond doubt: the farthest
    apart. Not where they are of different things.
    """
    prepared = {workload.name for workload in summary.workloads if workload.prepared}
    timed = _ranked(summary.cells)
    columns: dict[tuple[str, str], list[Counted]] = {}
    for one in summary.counts:
        countable = one.event == "instructions" and one.workload not in prepared
        if countable and one.group is not None:
            columns.setdefault((one.workload, one.point), []).append(one)
    titles = {workload.name: workload.title for workload in summary.workloads}
    found: list[tuple[float, Against]] = []
    for (workload, point), column in columns.items():
        for pair in combinations(column, 2):
            fewer, more = sorted(pair, key=lambda one: one.value or 0.0)
            slower, faster = (timed.get((workload, point, one.runtime)) for one in (fewer, more))
            if slower and faster and _reversed(fewer, more, slower, faster):
                counted = (fewer.value or 0.0) / (more.value or 1.0)
                time = _center(slower) / _center(faster)
                told = Against(
                    what=f"{titles[workload]}, {short_point(point)}",
                    fewer=fewer.runtime,
                    other=more.runtime,
                    instructions=units.plain(counted, 2),
                    time=units.plain(time, 2),
                )
                found.append((time / counted, told))
    found.sort(key=lambda item: -item[0])
    return [told for _, told in found[:_MOST_AGAINST]]


def _ranked(cells: Iterable[Cell]) -> Mapping[tuple[str, str, str], Cell]:
    """The times on one CPU that have a group."""
    return {
        (cell.workload, cell.point, cell.runtime): cell
        for cell in cells
        if cell.track == "one-cpu" and cell.metric == "time" and cell.group is not None
    }


def _reversed(fewer: Counted, more: Counted, slower: Cell, faster: Cell) -> bool:
    """Groups of time tell two apart; `slower` is the time of who takes fewer instructions."""
    assert slower.group is not None
    assert faster.group is not None
    return counts.differ(fewer, more) and slower.group > faster.group


def _center(cell: Cell) -> float:
    assert cell.median is not None
    return cell.median.center
