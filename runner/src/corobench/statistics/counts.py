"""What an operation takes, counted: events an operation, their spread over processes, and groups.

Counts have no noise of the box, so that no test is asked of them: two differ where they are apart
by more than 1 % and by more than either varies from process to process.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

import msgspec

from corobench.results.log import EVENTS, Count, Event, Run, RunHeader, Tally, between
from corobench.statistics.estimates import median
from corobench.statistics.flags import too_fast
from corobench.statistics.types import Cell, Counted, Estimate
from corobench.suite.workload import Workload, parse_case

GROUPED: tuple[Event, ...] = ("instructions",)  # of the others many are 0, or close to it
# The widest core of today finishes 10 instructions a cycle, the highest clock that is sold is 6.2
# GHz; none has both.
MOST_A_SECOND = 62e9
LEAST_AGREEMENT = 0.02  # of Valgrind's instructions with those that the processor counts
LEAST_SPREAD = 0.01  # what differs by less is the same: compilers and versions move by as much


def per_operation(tallies: Sequence[Tally], share: float = 1.0) -> float:
    """Events an operation, by one tally or the difference of two; `share` of the operations are
    true ones (switches).
    """
    one = between(tallies)
    return one.events / (one.ops * share)


def counts(run: Run, cells: Iterable[Cell]) -> list[Counted]:
    """Those of a run by case and event, in the order of its plan, with the groups of each column.
    `cells` tell which runtimes are no contestants.
    """
    floors = {(cell.workload, cell.runtime) for cell in cells if cell.lower_bound}
    known = run.counts
    columns: dict[tuple[str, str, str], list[Counted]] = {}
    for key in run.header.plan.cases:
        for one in _of_case(run.header, known[key]) if key in known else ():
            columns.setdefault((one.workload, one.point, one.event), []).append(one)
    return [
        one
        for (workload, _, event), column in columns.items()
        for one in (
            _grouped(column, {runtime for of, runtime in floors if of == workload})
            if event in GROUPED
            else column
        )
    ]


def disagreements(found: Iterable[Counted]) -> Iterator[str]:
    """Where Valgrind's instructions are not those that the processor has counted, in a sentence
    each.
    """
    values = {one.key: one.value for one in found if one.value}
    for key, counted in values.items():
        case, _, event = key.rpartition("/")
        retired = values.get(f"{case}/retired")
        if event == "instructions" and retired and abs(counted / retired - 1) > LEAST_AGREEMENT:
            yield (
                f"{case}: Valgrind counts {counted:,.0f} instructions an operation, and the "
                f"processor {retired:,.0f}"
            )


def _of_case(header: RunHeader, line: Count) -> Iterator[Counted]:
    case = parse_case(line.case)
    share = header.true_switches.get(f"{case.runtime}/{case.workload}/{case.point}", 1.0)
    for event in (one for one in EVENTS if one in line.told):
        samples = [per_operation(tallies, share) for tallies in line.tallies.get(event, [])]
        yield Counted(
            workload=case.workload,
            point=case.point,
            track=case.track,
            runtime=case.runtime,
            event=event,
            value=median(samples) if samples else None,
            samples=samples,
            reason=line.reasons.get(event, ""),
        )


def _grouped(column: Sequence[Counted], floors: Collection[str]) -> list[Counted]:
    """With groups: a number begins a new one where it differs from the best of the group before."""
    order = sorted(
        (one for one in column if (one.value or 0.0) > 0 and one.runtime not in floors),
        key=lambda one: one.value or 0.0,
    )
    groups: dict[str, int] = {}
    best: Counted | None = None
    for one in order:
        if best is None or differ(best, one):
            best = one
            group = max(groups.values(), default=0) + 1
        groups[one.runtime] = group
    return [msgspec.structs.replace(one, group=groups.get(one.runtime)) for one in column]


def differ(one: Counted, other: Counted) -> bool:
    """Whether two counts are apart by more than what counts as equal."""
    if not one.value or not other.value:
        return one.value != other.value
    zone = max(LEAST_SPREAD, one.spread, other.spread)
    return abs(math.log(other.value / one.value)) > math.log1p(zone)


def time_flagged(
    cells: Sequence[Cell], found: Iterable[Counted], specs: Mapping[str, Workload]
) -> list[Cell]:
    """The cells, those out of every group that claim less time than their instructions take on
    the fastest CPU there is. Not where what is prepared before the clock starts is counted, too.
    """
    floors = {
        "/".join((one.workload, one.point, one.track, one.runtime, "time")): one.value
        for one in found
        if one.event == "instructions" and one.value and specs[one.workload].prepared == ""
    }
    return [
        _too_fast(cell, instructions)
        if (instructions := floors.get(cell.key))
        and cell.median
        and cell.median.center < instructions / MOST_A_SECOND
        else cell
        for cell in cells
    ]


def _too_fast(cell: Cell, instructions: float) -> Cell:
    text = (
        f"an operation takes {instructions:,.0f} instructions, for which the fastest CPU needs "
        f"{instructions / MOST_A_SECOND * 1e9:,.1f} ns"
    )
    flags = [*cell.flags, too_fast(text)]
    return msgspec.structs.replace(cell, flags=flags, group=None, comparison=None)


def counted_estimate(one: Counted) -> Estimate | None:
    """A count with its lowest and its highest process, which is no interval of any confidence."""
    if one.value is None:
        return None
    return Estimate(
        center=one.value,
        low=min(one.samples),
        high=max(one.samples),
        n=len(one.samples),
        confidence=0.0,
    )


def ratio(before: Sequence[float], after: Sequence[float]) -> Estimate:
    """after / before of positive samples, process by process: those of one number were started with
    the same seed. The ends are the lowest and the highest, so that it has no confidence.
    """
    found = [later / earlier for earlier, later in zip(before, after, strict=False)]
    return Estimate(
        center=median(found), low=min(found), high=max(found), n=len(found), confidence=0.0
    )


def changed(ratio: Estimate) -> bool:
    """Whether every process says so, and the middle one by more than what counts as equal."""
    one_side = ratio.low > 1 or ratio.high < 1
    return one_side and abs(math.log(ratio.center)) > math.log1p(LEAST_SPREAD)


def count_line(header: RunHeader, line: Count, said: Container[str]) -> str:
    """A count as it is told while others are taken: `switch/k=2/one-cpu/asyncio 15,223 instructions
    ...`. `said`: the events of which it was told already that nothing counts them.
    """
    told = [
        f"{one.event}: {one.reason}" if one.value is None else f"{_rounded(one.value)} {one.event}"
        for one in _of_case(header, line)
        if one.value is not None or (one.reason and one.event not in said)
    ]
    return f"{line.case} {', '.join(told) or 'nothing more to count'}"


def _rounded(value: float) -> str:
    places = 0 if value >= 100 else 2
    return f"{round(value, places) + 0.0:,.{places}f}"  # not -0.00
