"""What the controls of a run show: carry-over, the native cross-check, how close in time cases were
measured.

Assumption: the order of cases is random enough (a Williams design: each runtime of a cell follows
each other one equally often) that, without carry-over, what follows a program is as often above as
below its own median. The residual of an invocation is the log of the value that its column shows
(seconds, bytes, requests a second turned over) over the median of its case and over the median
residual of its block, so that neither the case nor a slow block shows as carry-over; then over the
median of its case again, which was that of a few blocks where the box drifted (median polish; Tukey
1977, Exploratory Data Analysis, chapter 11). A sign test a predecessor, and one for all that held
much memory, whatever they are; held to 5 % over all of these by Holm.

A control line named "crosscheck" carries runtime, workload, params, harness and `per_op_ns` (one
value a sample; per resume for switch, so that our figure is multiplied by the share of true
switches again). A line is one process of the harness, and its value the median of its samples.
Where the harness ran in blocks enough, each line is paired with our value of its block, as every
comparison here is. Where it ran in fewer, the ratio lies between its least value over our k-th
largest and its largest over our k-th least. If n values of ours and m of theirs scatter alike, all
orders of them are equally likely (Wilcoxon 1945, Biometrics Bulletin 1), and both bounds hold in 1
- 2 C(k - 1 + m, m) / C(n + m, m) of cases; k is the largest that leaves 95 %. One line proves
nothing, unless we have 39 blocks. Over 10 % apart asks for an explanation: a different operation is
a bug in one of the two.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

import msgspec

from corobench.results import log
from corobench.statistics import estimates, flags, samples
from corobench.statistics.cells import Column
from corobench.statistics.estimates import median
from corobench.statistics.samples import NS
from corobench.statistics.types import Agreement, CarryOver, Cell, Estimate
from corobench.suite.workload import parse_case, point_name

LEAST_FOLLOWERS = 9
LEAST_EFFECT = 0.01
HUNGRY_BYTES = 256 << 20
HUNGRY = "any program that held over 256 MiB"

Position = tuple[str, int]
"""A case and a block."""


def carry_over_effects(
    run: log.Run, found: Mapping[str, samples.Series], columns: Sequence[Column]
) -> list[CarryOver]:
    """For each predecessor with enough followers, the ratio by which what ran next was dearer (1 =
    not at all).
    """
    residuals = _residuals({**dict(_held_live(run, found)), **dict(_shown(found, columns))})
    after: dict[str, list[float]] = defaultdict(list)
    for previous, line in _neighbours(run.lines):
        if (line.case, line.block) in residuals:
            for name in _predecessor_names(previous):
                after[name].append(residuals[line.case, line.block])
    names = sorted(name for name, values in after.items() if len(values) >= LEAST_FOLLOWERS)
    adjusted = estimates.holm([estimates.sign_test(after[name]) for name in names])
    most = _most_held(run)
    return [
        CarryOver(
            after=name,
            ratio=(ratio := estimates.paired_ratio(after[name])),
            adjusted_p=p,
            memory=most.get(name),
            found=p <= 0.05 and abs(ratio.center - 1) > LEAST_EFFECT,
        )
        for name, p in zip(names, adjusted, strict=True)
    ]


def carry_over_warnings(effects: Sequence[CarryOver]) -> Iterator[str]:
    """What was found of a run."""
    for effect in effects:
        if effect.found:
            change = effect.ratio.center - 1
            size = f"{abs(change):.0%} {'more' if change > 0 else 'less'}"
            much = (
                ""
                if effect.memory is None
                else f", which held up to {effect.memory / (1 << 20):,.0f} MiB,"
            )
            yield (
                f"carry-over: what ran right after {effect.after}{much} took {size} than otherwise"
            )


def _neighbours(
    lines: Sequence[log.Line],
) -> Iterator[tuple[log.Invocation | log.Failure, log.Invocation]]:
    """What ran before an invocation, in the same block and without a pause."""
    previous: log.Invocation | log.Failure | None = None
    for line in lines:
        if isinstance(line, log.Mark) and line.event in ("interrupted", "resumed"):
            previous = None
        if (
            isinstance(line, log.Invocation)
            and previous is not None
            and previous.block == line.block
        ):
            yield previous, line
        if isinstance(line, log.Invocation | log.Failure):
            previous = line


def _predecessor_names(previous: log.Invocation | log.Failure) -> list[str]:
    """workload/runtime: what ran before, whatever its point; and what it is besides."""
    hungry = isinstance(previous, log.Invocation) and (_held(previous) or 0) > HUNGRY_BYTES
    return [_program(previous.case), HUNGRY] if hungry else [_program(previous.case)]


def _program(key: str) -> str:
    case = parse_case(key)
    return f"{case.workload}/{case.runtime}"


def _held(invocation: log.Invocation) -> int | None:
    """The most memory that a program was seen to hold, in bytes (high-water mark); None where it
    was not looked at.
    """
    seen = [memory.rss_high for memory in invocation.holds.values()]
    if "memory_high" in invocation.observed:
        seen.append(int(invocation.observed["memory_high"]))
    return max(seen, default=None)


def _most_held(run: log.Run) -> dict[str, int]:
    most: dict[str, int] = {}
    for invocation in run.invocations:
        if (held := _held(invocation)) is not None:
            for name in _predecessor_names(invocation):
                most[name] = max(most.get(name, 0), held)
    return most


def _residuals(values: Mapping[Position, float]) -> dict[Position, float]:
    logs = {place: math.log(value) for place, value in values.items() if value > 0}
    logs = _over_median(logs, lambda place: place[0])
    logs = _over_median(logs, lambda place: (place[0].split("/")[0], place[1]))
    return _over_median(logs, lambda place: place[0])


def _over_median(
    values: Mapping[Position, float], of: Callable[[Position], Hashable]
) -> dict[Position, float]:
    """Each value without the median of those that have the same of this."""
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for place, value in values.items():
        groups[of(place)].append(value)
    medians = {group: median(members) for group, members in groups.items()}
    return {place: value - medians[of(place)] for place, value in values.items()}


def _shown(
    found: Mapping[str, samples.Series], columns: Sequence[Column]
) -> Iterator[tuple[Position, float]]:
    """The first number that the pages show of a case, lower being better: not one that several
    points make together.
    """
    for column in columns:
        for sample in [*column.samples, *([column.twin] if column.twin else [])]:
            if sample.case.key in found and sample.metric.name == sample.workload.metric[0].name:
                for block, value in sample.ranked(set(sample.values)).items():
                    yield (sample.case.key, block), value


def _held_live(
    run: log.Run, found: Mapping[str, samples.Series]
) -> Iterator[tuple[Position, float]]:
    """What the cases of memory held, of which the pages show only what a ladder of them makes."""
    specs = run.header.specs
    for key, part in found.items():
        if specs[part.case.workload].kind == "memory":
            for block, value in part.by_block(lambda i: samples.held_bytes(i, "live")).items():
                yield (key, block), value


DISAGREE = 0.10
CROSS_CHECK = "crosscheck"
UNEXPLAINED = "not explained"


class _Checked(NamedTuple):
    """What a cross-check is about."""

    runtime: str
    workload: str
    point: str
    track: str
    harness: str


def cross_check_agreement(run: log.Run, cells: Sequence[Cell]) -> list[Agreement]:
    """One row for each number that was cross-checked and that we have, too."""
    metrics = {name: workload.metric[0].name for name, workload in run.header.specs.items()}
    known = {
        (c.runtime, c.workload, c.point, c.track): c
        for c in cells
        if c.median and c.metric == metrics[c.workload]
    }
    rows = []
    for checked, theirs in _cross_check_lines(run).items():
        if (cell := known.get(checked[:4])) is not None:
            share = run.header.true_switches.get(
                f"{checked.runtime}/{checked.workload}/{checked.point}", 1.0
            )
            rows.append(_agreement_row(run, checked, cell, share, theirs))
    return rows


def _cross_check_lines(run: log.Run) -> dict[_Checked, list[tuple[int | None, float]]]:
    """The blocks and values (seconds) of the lines of each cross-check."""
    found: dict[_Checked, list[tuple[int | None, float]]] = {}
    for line in run.controls:
        if line.name == CROSS_CHECK and line.values.get("per_op_ns"):
            said = line.values
            track, harness = str(said.get("track", "one-cpu")), str(said.get("harness", ""))
            checked = _Checked(
                str(said["runtime"]),
                str(said["workload"]),
                point_name(said["params"]),
                track,
                harness,
            )
            found.setdefault(checked, []).append(
                (line.block, NS * estimates.median(map(float, said["per_op_ns"])))
            )
    return found


def _agreement_row(
    run: log.Run, checked: _Checked, cell: Cell, share: float, lines: list[tuple[int | None, float]]
) -> Agreement:
    assert cell.median is not None
    ours = {block: value * share for block, value in cell.samples.items()}
    theirs = [value for _, value in lines]
    logs = estimates.log_ratios({block: value for block, value in lines if block is not None}, ours)
    are_enough = bool(estimates.rank(len(logs)))
    interval = estimates.paired_ratio(logs) if are_enough else by_ranks(theirs, list(ours.values()))
    state = _state(interval)
    explained = run.header.runtimes.get(checked.runtime, {}).get("explained", {})
    return Agreement(
        **checked._asdict(),
        metric=cell.metric,
        ours=cell.median.times(share),
        theirs=estimates.median_interval(theirs),
        ratio=interval.center,
        interval=interval,
        method="paired" if are_enough else "ranks",
        state=state,
        agrees=state == "agrees",
        explanation=explained.get(checked.workload, "") if state == "disagrees" else "",
    )


def by_ranks(theirs: Sequence[float], ours: Sequence[float]) -> Estimate:
    """Theirs / ours: their extremes over ranks of ours; over our extremes, and confidence 0, where
    these are too few for 95 %.
    """
    ordered, n = sorted(ours), len(ours)
    known = [
        k for k in range(1, n // 2 + 1) if _coverage(n, len(theirs), k) >= estimates.CONFIDENCE
    ]
    k = max(known, default=1)
    return Estimate(
        center=estimates.median(theirs) / estimates.median(ours),
        low=min(theirs) / ordered[n - k],
        high=max(theirs) / ordered[k - 1],
        n=len(theirs),
        confidence=_coverage(n, len(theirs), k) if known else 0.0,
    )


def _coverage(n: int, m: int, k: int) -> float:
    """The probability that neither all m values of theirs are above our k-th largest, nor all below
    our k-th least.
    """
    return 1 - 2 * math.comb(k - 1 + m, m) / math.comb(n + m, m)


def _state(ratio: Estimate) -> Literal["agrees", "disagrees", "can't tell"]:
    least, most = 1 / (1 + DISAGREE), 1 + DISAGREE
    if ratio.confidence and least <= ratio.low and ratio.high <= most:
        return "agrees"
    return (
        "disagrees"
        if ratio.confidence and (ratio.high < least or ratio.low > most)
        else "can't tell"
    )


def cross_check_flagged(cells: Sequence[Cell], rows: Sequence[Agreement]) -> list[Cell]:
    """The cells, those with an amber flag that the language's own harness contradicts."""
    wrong = {
        "/".join((r.workload, r.point, r.track, r.runtime, r.metric)): r
        for r in rows
        if r.state == "disagrees"
    }
    return [
        msgspec.structs.replace(cell, flags=[*cell.flags, flags.crosscheck(_contradiction(row))])
        if (row := wrong.get(cell.key))
        else cell
        for cell in cells
    ]


def _contradiction(row: Agreement) -> str:
    return f"{row.harness} reads {row.ratio:.2f} times as much: {row.explanation or UNEXPLAINED}"


def cross_check_warnings(run: log.Run, rows: Sequence[Agreement]) -> Iterator[str]:
    """The disagreements of a run, and the cross-checks that gave no number."""
    for row in rows:
        if row.state == "disagrees":
            where = f"{row.runtime}, {row.workload} {row.point}"
            yield f"cross-check of {where}: {_contradiction(row)}"
    failed = {str(line.values.get("runtime")): str(line.values["failed"]) for line in _failed(run)}
    for runtime, reason in failed.items():
        yield f"cross-check of {runtime} failed: {reason}"


def _failed(run: log.Run) -> Iterator[log.Control]:
    return (line for line in run.controls if line.name == CROSS_CHECK and "failed" in line.values)


NEAR_S = 30.0


def time_spans(run: log.Run, whole: Collection[int]) -> dict[str, float]:
    """Cell -> seconds from the first start of its cases to the last in a block: the median over the
    whole blocks.
    """
    starts: dict[tuple[str, int], list[datetime]] = defaultdict(list)
    for line in run.invocations:
        if line.block in whole:
            starts[parse_case(line.case).cell, line.block].append(
                datetime.fromisoformat(line.started)
            )
    found: dict[str, list[float]] = defaultdict(list)
    for (cell, _), moments in starts.items():
        found[cell].append((max(moments) - min(moments)).total_seconds())
    return {cell: median(seconds) for cell, seconds in found.items()}


def spread_warnings(found: Mapping[str, float]) -> Iterator[str]:
    """Cells whose runtimes were measured so far apart that a busy spell may lie between: pairing
    can't take that out.
    """
    far = {cell: seconds for cell, seconds in found.items() if seconds > NEAR_S}
    if far:
        widest = max(far, key=far.__getitem__)
        workload, point, _ = widest.split("/")
        yield (
            f"in {len(far)} of {len(found)} cells the runtimes were measured over {NEAR_S:.0f} s "
            "apart in a block, "
            f"at most {far[widest]:.0f} s ({workload}, {point}): what the box did meanwhile is "
            "not the same for all of them"
        )


def seconds_between(before: log.Run, after: log.Run, whole: Collection[int]) -> float:
    """Seconds between the two measurements of a case in a block, in runs that took turns: the
    median over cases and blocks.
    """
    starts = [
        {
            (line.case, line.block): datetime.fromisoformat(line.started)
            for line in run.invocations
            if line.block in whole
        }
        for run in (before, after)
    ]
    both = starts[0].keys() & starts[1].keys()
    return median(abs((starts[1][place] - starts[0][place]).total_seconds()) for place in both)
