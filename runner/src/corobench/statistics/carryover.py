"""Carry-over: is a case dearer right after some other one, after a memory-hungry one for instance?

Assumption: the order of cases is random enough (a Williams design: each runtime of a cell follows each other one equally
often) that, without carry-over, what follows a program is as often above as below its own median. The residual of an
invocation is the log of the value that its column shows (seconds, bytes, requests a second turned over) over the median of its
case and over the median residual of its block, so that neither the case nor a slow block shows as carry-over; then over the
median of its case again, which was that of a few blocks where the box drifted (median polish; Tukey 1977, Exploratory Data
Analysis, chapter 11). A sign test a predecessor, and one for all that held much memory, whatever they are; held to 5 % over
all of these by Holm.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from corobench import store
from corobench.case import parse_case
from corobench.statistics import facts, holm, paired, series
from corobench.statistics.columns import Column
from corobench.statistics.order import median
from corobench.statistics.values import CarryOver

LEAST_FOLLOWERS = 9
LEAST_EFFECT = 0.01
HUNGRY_BYTES = 256 << 20
HUNGRY = "any program that held over 256 MiB"

Place = tuple[str, int]
"""A case and a block."""


def effects(run: store.Run, found: Mapping[str, series.Series], columns: Sequence[Column]) -> list[CarryOver]:
    """For each predecessor with enough followers, the ratio by which what ran next was dearer (1 = not at all)."""
    residuals = _residuals({**dict(_held_live(run, found)), **dict(_shown(found, columns))})
    after: dict[str, list[float]] = defaultdict(list)
    for previous, line in _neighbours(run.lines):
        if (line.case, line.block) in residuals:
            for name in _names(previous):
                after[name].append(residuals[line.case, line.block])
    names = sorted(name for name, values in after.items() if len(values) >= LEAST_FOLLOWERS)
    adjusted = holm.adjust([paired.sign_test(after[name]) for name in names])
    most = _most_held(run)
    return [
        CarryOver(
            after=name,
            ratio=(ratio := paired.ratio(after[name])),
            adjusted_p=p,
            memory=most.get(name),
            found=p <= 0.05 and abs(ratio.center - 1) > LEAST_EFFECT,
        )
        for name, p in zip(names, adjusted, strict=True)
    ]


def warnings(effects: Sequence[CarryOver]) -> Iterator[str]:
    """What was found of a run."""
    for effect in effects:
        if effect.found:
            change = effect.ratio.center - 1
            size = f"{abs(change):.0%} {'more' if change > 0 else 'less'}"
            much = "" if effect.memory is None else f", which held up to {effect.memory / (1 << 20):,.0f} MiB,"
            yield f"carry-over: what ran right after {effect.after}{much} took {size} than otherwise"


def _neighbours(lines: Sequence[store.Line]) -> Iterator[tuple[store.Invocation | store.Failure, store.Invocation]]:
    """What ran before an invocation, in the same block and without a pause."""
    previous: store.Invocation | store.Failure | None = None
    for line in lines:
        if isinstance(line, store.Mark) and line.event in ("interrupted", "resumed"):
            previous = None
        if isinstance(line, store.Invocation) and previous is not None and previous.block == line.block:
            yield previous, line
        if isinstance(line, store.Invocation | store.Failure):
            previous = line


def _names(previous: store.Invocation | store.Failure) -> list[str]:
    """workload/runtime: what ran before, whatever its point; and what it is besides."""
    hungry = isinstance(previous, store.Invocation) and (_held(previous) or 0) > HUNGRY_BYTES
    return [_program(previous.case), HUNGRY] if hungry else [_program(previous.case)]


def _program(key: str) -> str:
    case = parse_case(key)
    return f"{case.workload}/{case.runtime}"


def _held(invocation: store.Invocation) -> int | None:
    """The most memory that a program was seen to hold, in bytes (high-water mark); None where it was not looked at."""
    seen = [memory.rss_high for memory in invocation.holds.values()]
    if "memory_high" in invocation.observed:
        seen.append(int(invocation.observed["memory_high"]))
    return max(seen, default=None)


def _most_held(run: store.Run) -> dict[str, int]:
    most: dict[str, int] = {}
    for invocation in run.invocations:
        if (held := _held(invocation)) is not None:
            for name in _names(invocation):
                most[name] = max(most.get(name, 0), held)
    return most


def _residuals(values: Mapping[Place, float]) -> dict[Place, float]:
    logs = {place: math.log(value) for place, value in values.items() if value > 0}
    logs = _over_median(logs, lambda place: place[0])
    logs = _over_median(logs, lambda place: (place[0].split("/")[0], place[1]))
    return _over_median(logs, lambda place: place[0])


def _over_median(values: Mapping[Place, float], of: Callable[[Place], Hashable]) -> dict[Place, float]:
    """Each value without the median of those that have the same of this."""
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for place, value in values.items():
        groups[of(place)].append(value)
    medians = {group: median(members) for group, members in groups.items()}
    return {place: value - medians[of(place)] for place, value in values.items()}


def _shown(found: Mapping[str, series.Series], columns: Sequence[Column]) -> Iterator[tuple[Place, float]]:
    """The first number that the pages show of a case, lower being better: not one that several points make together."""
    for column in columns:
        for sample in [*column.samples, *([column.twin] if column.twin else [])]:
            if sample.case.key in found and sample.metric.name == sample.workload.metric[0].name:
                for block, value in sample.ranked(set(sample.values)).items():
                    yield (sample.case.key, block), value


def _held_live(run: store.Run, found: Mapping[str, series.Series]) -> Iterator[tuple[Place, float]]:
    """What the cases of memory held, of which the pages show only what a ladder of them makes."""
    specs = facts.workloads(run.header)
    for key, part in found.items():
        if specs[part.case.workload].kind == "memory":
            for block, value in part.by_block(lambda i: series.held(i, "live")).items():
                yield (key, block), value
