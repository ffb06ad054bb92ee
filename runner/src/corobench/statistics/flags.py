"""Every warning that a number can carry: its threshold and its words.

A red flag keeps the case out of verdicts and groups: a contaminated case is never ranked (Method,
What keeps a number out of the groups). One with a margin only says by how much the number may be
off, and so grades: it is told from what is further away. What cannot concern a kind of workload is
not asked: bytes do not depend on load or on steady times, and a process start has no warm
iterations.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from corobench.contract.traces import ALL_AT_ONCE
from corobench.results import log
from corobench.statistics import diagnostics, estimates, samples, verdicts
from corobench.statistics.estimates import median
from corobench.statistics.samples import Sample, Series
from corobench.statistics.types import Estimate, Flag, Level
from corobench.suite import expression, variables
from corobench.suite.workload import BY_KERNEL, Kind, Point, Workload

# A flag's name, for those who don't know it; what a spec doubts says so in its own words.
WORDS = {
    "wide": "wide interval",
    "few": "few blocks",
    "steal": "CPU time taken by the hypervisor",
    "other-cpu": "other programs ran",
    "drift": "drift",
    "modes": "two modes",
    "control": "the reference differs from itself",
    "run control": "the reference differs from itself elsewhere in this run",
    "control flagged": "the A/A control can't be ranked itself",
    "no control": "no A/A control",
    "no ratio": "no ratio to the reference",
    "cross-check": "the language's own harness disagrees",
    "steadiness": "steadiness not shown",
    "not steady": "not steady yet",
    "not linear": "not linear",
    "unfinished": "without the upper end of the ladder",
    "failed": "invocations failed",
    "retried": "invocations were repeated",
    "short": "too short to time",
    "quota": "a CPU quota",
    "plain call": "no dearer than a plain call",
    "untimed": "work outside of what is timed",
    "alive": "its tasks were not alive at once",
    "too fast": "faster than its instructions can run",
}
_COUNTED = re.compile(r" \([\d,]+ of [\d,]+ invocations\)$")


# of a number that has no place for it; one that has a place is only wide
TOO_NOISY = "too noisy on this box to order"


def flag_words(flag: Flag) -> str:
    """What a flag is about, without its figures."""
    if flag.name == "wide" and flag.level == "red":
        return TOO_NOISY
    return WORDS.get(flag.name) or _COUNTED.sub("", flag.text)


def doubted(flags: Iterable[Flag]) -> str:
    """What a spec itself doubts of a number, in its words (what else may have set the limit, say);
    empty where it does not.

    That it is a bound is shown with the number.
    """
    return "; ".join(
        dict.fromkeys(
            flag_words(flag) for flag in flags if flag.name not in WORDS and not flag.bound
        )
    )


DOUBT_SHARE = 0.2

Held = dict[tuple[str, str], tuple[int, int]]
"""Case, doubt -> in how many invocations it held, of how many."""


def held_doubts(workload: Workload, points: Mapping[str, Point], cases: Iterable[Series]) -> Held:
    """What the doubts of a spec say of each invocation, once for all of its numbers; `points` are
    its points by name.
    """
    return {
        (part.case.key, asked.name): (
            sum(
                bool(
                    samples.expression_value(asked.when, points[part.case.point].params, invocation)
                )
                for invocation in part.invocations.values()
            ),
            len(part.invocations),
        )
        for part in cases
        for asked in workload.caution
    }


def doubt_flags(sample: Sample, known: Held) -> Iterator[Flag]:
    """The doubts of a spec that are about a number, and hold for it."""
    name = sample.metric.name
    for asked in (doubt for doubt in sample.workload.caution if name in (doubt.metrics or [name])):
        holding, of = map(
            sum, zip(*(known[part.case.key, asked.name] for part in sample.parts), strict=True)
        )
        if holding > DOUBT_SHARE * of:
            text = f"{asked.text} ({holding} of {of} invocations)"
            yield Flag(name=asked.name, level=asked.level, text=text, bound=asked.bound)


LEAST_N = 9
WIDE_RED = verdicts.NOISY_DELTA
WIDE_AMBER = 0.10
UNSTEADY_SHARE = 0.5
REGION_NS = 20_000_000
ITERATION_STEPS = 100
# what clock_gettime costs through the vDSO, at most: where a run has no null control that tells
TIMER_STEP_NS = 50
TICKS_RED = 5
TICKS_AMBER = 20
PRECISION = frozenset({"few", "wide"})


def of_case(
    kind: Kind,
    samples: Mapping[int, float],
    typical: Estimate,
    parts: Sequence[samples.Series],
    disagreement: float | None = None,
    step_ns: float = TIMER_STEP_NS,
) -> list[Flag]:
    """The flags of a number made from what these cases gave; `samples` are its values by block.

    `step_ns`: the least time that the clock of the program's harness can tell.
    """
    found = [*_of_sample(samples, typical), *_of_failures(parts)]
    if kind != "memory":
        found += _of_neighbours([part.neighbours for part in parts])
    if kind == "timed":
        found += _of_iterations(parts, step_ns)
    if disagreement is not None and disagreement > estimates.NOT_LINEAR:
        apart = _over(disagreement, estimates.NOT_LINEAR)
        found.append(
            _red(
                "not linear",
                f"the upper half of the ladder differs from the lower by {apart}: see the curve",
                disagreement,
            )
        )
    return found


UNTIMED_SHARE = 0.75  # of what is timed; the most that an honest program has shown is 0.66
ALIVE_SHARE = 0.3  # of what so many parked tasks hold: a task that only starts may hold less
UNSTARTED_SHARE = 0.1  # of a stackful one: a greenlet that was not resumed yet holds 0.15
_LEAST_GROWTH = 8 << 20


class Plain(msgspec.Struct, frozen=True, kw_only=True):
    """What a runtime has shown on a track of what its tasks cost at least; None: not measured.

    `call_ns`: a plain call of its language. `untimed_ns` and `untimed_cpu_ns`: time and CPU time of
    a process outside of its iterations, where these are plain calls. `base_bytes`: the resident
    high-water mark before the first task. `task_bytes`: private bytes of a parked task.
    `alive_share`: how much of that a task may hold that only lives. `preempts`: the kernel runs its
    tasks when it likes.
    """

    call_ns: float | None = None
    untimed_ns: float | None = None
    untimed_cpu_ns: float | None = None
    base_bytes: float | None = None
    task_bytes: float | None = None
    alive_share: float = ALIVE_SHARE
    preempts: bool = False


def plain_costs(
    found: Iterable[samples.Series], points: Mapping[str, Point], units: Mapping[str, str]
) -> dict[tuple[str, str], Plain]:
    """By runtime and track, from the workloads baseline and memory of the run. `units`: the kind of
    task of each runtime. A stackful one has no stack before it was resumed first.
    """
    known: dict[tuple[str, str], dict[str, float]] = {}
    largest: dict[tuple[str, str], int] = {}
    for part in found:
        case = part.case
        if not part.invocations or case.twin or case.workload not in {"baseline", "memory"}:
            continue
        costs = known.setdefault((case.runtime, case.track), {})
        if case.workload == "baseline":
            costs["call_ns"] = part.pace
            costs["untimed_ns"] = median([float(elapsed) for elapsed, _ in part.untimed])
            costs["untimed_cpu_ns"] = median([float(cpu) for _, cpu in part.untimed])
            continue
        n = int(points[f"{case.workload}/{case.point}"].params["n"])
        held = [one.holds for one in part.invocations.values() if {"base", "live"} <= {*one.holds}]
        if held and n > largest.get((case.runtime, case.track), 0):
            largest[case.runtime, case.track] = n
            costs["base_bytes"] = median([float(holds["base"].rss_high) for holds in held])
            costs["task_bytes"] = median(
                [(holds["live"].private_dirty - holds["base"].private_dirty) / n for holds in held]
            )
    return {
        (name, track): Plain(
            **costs,
            alive_share=UNSTARTED_SHARE if units.get(name) == "stackful task" else ALIVE_SHARE,
            preempts=units.get(name) in BY_KERNEL,
        )
        for (name, track), costs in known.items()
    }


def _untimed_share(part: samples.Series, plain: Plain) -> float:
    """How much more time, or CPU time if that is more, the processes of a case have spent outside
    of their iterations than one of plain calls, as a share of what is timed: the median.
    """
    return median(
        [
            max(
                (elapsed - (plain.untimed_ns or 0)) / timed.elapsed_ns,
                (cpu - (plain.untimed_cpu_ns or 0)) / max(timed.cpu_ns, 1),
            )
            for timed, (elapsed, cpu) in zip(part.timed, part.untimed, strict=True)
        ]
    )


def of_plain_costs(sample: Sample, plain: Plain, points: Mapping[str, Point]) -> Iterator[Flag]:
    """What tasks can't have done: cost less than plain calls, be made before the clock starts, not
    be there at once.
    """
    if sample.workload.kind != "timed" or not sample.workload.trace:
        return
    for part in sample.parts:
        if not part.invocations:
            continue
        if plain.call_ns is not None:
            cpus = max(one.witness.here_cpus or 1 for one in part.invocations.values())
            if part.pace * cpus <= plain.call_ns:
                yield _red(
                    "plain call",
                    f"{part.pace:.3g} ns an operation, and a plain call of its language takes "
                    f"{plain.call_ns:.3g} ns here",
                )
        if plain.untimed_ns is not None and sample.workload.prepared == "":
            share = _untimed_share(part, plain)
            if share > UNTIMED_SHARE:
                yield _red(
                    "untimed",
                    f"{_over(share, UNTIMED_SHARE, 'as much')} time is spent outside of what is "
                    "timed as within, beyond what a program of plain calls needs there",
                )
        point = points[f"{part.case.workload}/{part.case.point}"]
        if missing := _missing_tasks(sample.workload, point, part, plain):
            yield missing


def _missing_tasks(
    workload: Workload, point: Point, part: samples.Series, plain: Plain
) -> Flag | None:
    """Where all tasks are alive at once, and the process has not grown by what they hold.

    Of tasks that are only started before any is collected, those on other CPUs may end meanwhile,
    and on one CPU threads, which need no turn of their starter; phases of a workload that are set
    against each other are not all about tasks.
    """
    may_end = part.case.track != "one-cpu" or plain.preempts
    if workload.difference or (may_end and "all-run-first" not in workload.trace):
        return None
    seen = [
        one.observed[variables.SEEN_HIGH]
        for one in part.invocations.values()
        if variables.SEEN_HIGH in one.observed
    ]
    if not ALL_AT_ONCE & {*workload.trace} or not seen or plain.base_bytes is None:
        return None
    tasks = int(expression.evaluate(workload.tasks, point.params))
    hold = tasks * (plain.task_bytes or 0.0)
    grown = median(seen) - plain.base_bytes
    if hold < _LEAST_GROWTH or grown >= plain.alive_share * hold:
        return None
    return _red(
        "alive",
        f"its tasks were not alive at once: {tasks:,} parked ones hold {hold / 1e6:.1f} MB, and "
        f"it grew by {grown / 1e6:.1f} MB",
    )


def control_failed(ratio: Estimate) -> Flag:
    """For every case of a cell whose A/A control failed."""
    off = _over(abs(ratio.center - 1), verdicts.CONTROL_OFF)
    return _red(
        "control",
        f"A/A failed: the reference differs from itself by {off} and the interval excludes 1",
    )


def no_control() -> Flag:
    """For every case of a cell, in a run that makes claims, whose A/A control has no 95 %
    interval.
    """
    return _red(
        "no control",
        "no A/A control: the reference has too few ratios to itself here to tell what this "
        "run can't see",
    )


def control_flagged(own: Sequence[Flag]) -> Flag:
    """For every case of a cell whose A/A control has red flags of its own."""
    said = ", ".join(dict.fromkeys(flag_words(flag) for flag in own))
    return _amber(
        "control flagged",
        f"the A/A control is itself flagged ({said}): what counts as equal rests on it",
    )


def no_ratio(pairs: int, blocks: int) -> Flag:
    """For a number that has no ratio to its reference, because values of the two are not positive
    in too many blocks.
    """
    return _amber(
        "no ratio",
        f"no ratio to the reference: in only {pairs} of {blocks} blocks are both values positive",
    )


def in_ticks(values: Sequence[str], invocations: Sequence[log.Invocation]) -> Iterator[Flag]:
    """For a number made from these observed times, which the kernel counts in ticks."""
    for name in values:
        known = [i.observed[name] for i in invocations if name in i.observed]
        ticks = median(known) * 1e9 / diagnostics.TICK_NS if known else TICKS_AMBER
        if ticks < TICKS_AMBER - 1e-6:
            level: Level = "red" if ticks < TICKS_RED - 1e-6 else "amber"
            text = (
                f"the kernel counts this time in ticks of {diagnostics.TICK_NS // 1_000_000} "
                f"ms, and saw {ticks:.0f} of them"
            )
            yield Flag(
                name="short",
                level=level,
                text=f"too short: {text} an invocation (at least {TICKS_AMBER})",
            )


def unfinished(what: str) -> Flag:
    """For a slope over the lower rungs only, because the program did not finish at the upper
    ones.
    """
    return _red("unfinished", f"without the upper end of the ladder: {what}")


def limited(quota: float) -> Flag:
    """For a number on several CPUs, of a run inside a CPU quota."""
    return _red(
        "quota",
        f"a CPU quota of {quota:g}: the kernel stops the programs for milliseconds when "
        "it is used up",
    )


def run_marked(cells: Sequence[str]) -> Flag:
    """For the other cases of a run of which an A/A control failed."""
    shown = f"{', '.join(cells[:3])}{' ...' if len(cells) > 3 else ''}"
    return _amber("run control", f"A/A failed elsewhere in this run ({shown})")


def too_fast(text: str) -> Flag:
    """For a time in which no CPU runs the instructions that were counted."""
    return _red("too fast", text)


def crosscheck(text: str) -> Flag:
    """For a number that the language's own harness contradicts."""
    return _amber("cross-check", text)


def trusted(flags: Sequence[Flag], except_precision: bool = False) -> bool:
    """No red flag (or none that more blocks wouldn't cure)."""
    return not any(
        flag.level == "red" and not (except_precision and flag.name in PRECISION) for flag in flags
    )


def margin(flags: Iterable[Flag]) -> float | None:
    """By how much a number may be off, as a share, where nothing else keeps it out of groups."""
    margins = [flag.margin for flag in flags if flag.level == "red"]
    known = [one for one in margins if one is not None]
    return max(known) if known and len(known) == len(margins) else None


def placed(flags: Iterable[Flag]) -> list[Flag]:
    """The flags of a number whose ratios tell its place, by however much it may be off."""
    return [
        flag if flag.margin is None else msgspec.structs.replace(flag, level="amber")
        for flag in flags
    ]


def _of_sample(samples: Mapping[int, float], typical: Estimate) -> Iterator[Flag]:
    if typical.n < LEAST_N:
        yield _red(
            "few",
            f"only {typical.n} invocation{'' if typical.n == 1 else 's'} (at least {LEAST_N} are "
            "needed for a claim)",
        )
    width = estimates.half_width(typical)
    if width > WIDE_AMBER:
        level: Level = "red" if width > WIDE_RED else "amber"
        yield Flag(
            name="wide",
            level=level,
            text=_wide(width, WIDE_RED if level == "red" else WIDE_AMBER),
            margin=WIDE_RED if level == "red" else None,
        )
    if (change := diagnostics.drift(samples)) is not None:
        text = f"the values drifted by {change:+.0%} from the first block to the last"
        yield _red("drift", text, abs(change))
    if (apart := diagnostics.modes(list(samples.values()))) is not None:
        yield _red(
            "modes",
            f"the invocations fall into two modes {_percent(apart - 1)} apart: the median "
            "stands for neither",
            apart - 1,
        )


def _wide(width: float, limit: float) -> str:
    """How wide an interval is; one around 0 is no share of anything."""
    if not math.isfinite(width):
        return (
            "the interval around a median of 0 is wider than any share of it (limit "
            f"{_whole(limit)})"
        )
    return f"the interval is {_over(width, limit, 'wide', '±')}"


def _of_failures(parts: Sequence[samples.Series]) -> Iterator[Flag]:
    failures, retried = (
        sum(len(part.failures) for part in parts),
        sum(part.retried for part in parts),
    )
    if failures:
        yield _red("failed", f"{failures} invocation{'s' if failures > 1 else ''} failed")
    if retried:
        yield _red("retried", f"{retried} invocation{'s were' if retried > 1 else ' was'} repeated")


def _of_neighbours(seen: Sequence[diagnostics.Neighbours]) -> Iterator[Flag]:
    share = diagnostics.disturbed_share(seen)
    if share is not None and share > diagnostics.OTHER_SHARE:
        often = _over(share, diagnostics.OTHER_SHARE, "of invocations")
        yield _red(
            "other-cpu", f"other programs used over {diagnostics.OTHER_CORES} cores in {often}"
        )
    steal = diagnostics.steal_share(seen)
    if steal is not None and steal > diagnostics.STEAL_SHARE:
        yield _red(
            "steal", f"the hypervisor took {_over(steal, diagnostics.STEAL_SHARE, 'of the time')}"
        )


def _of_iterations(parts: Sequence[samples.Series], step_ns: float) -> Iterator[Flag]:
    yield from _of_trends(
        [
            samples.measured_iterations(paces, "timed")
            for part in parts
            for paces in part.paces.values()
        ]
    )
    warm = [
        samples.measured_iterations(invocation.iterations, "timed")
        for part in parts
        for invocation in part.invocations.values()
    ]
    lengths = [[i.elapsed_ns for i in iterations] for iterations in warm]
    total = median(map(sum, lengths)) if lengths else REGION_NS
    if total < REGION_NS:
        yield _red(
            "short",
            f"region too short: {total / 1e6:.1f} ms of warm work an invocation (at least "
            f"{REGION_NS // 1_000_000} ms)",
        )
    least = ITERATION_STEPS * step_ns
    # Asked first, because it takes a tenth of the time of the median, and hardly any iteration is
    # so short.
    is_any_short = any(min(iterations) < least for iterations in lengths if iterations)
    if is_any_short and (usual := median(chain(*lengths))) < least:
        yield _red(
            "short",
            f"region too short: iterations of {usual / 1e3:.1f} µs, under {ITERATION_STEPS} "
            "timer steps "
            f"of {step_ns / 1e3:.2f} µs",
        )


def _of_trends(warm: Sequence[Sequence[float]]) -> Iterator[Flag]:
    trends = [diagnostics.trend(paces) for paces in warm]
    for sign, word in ((-1, "faster"), (1, "slower")):
        changes = [abs(change) for change in trends if change and change * sign > 0]
        share = len(changes) / len(trends) if trends else 0.0
        if share > UNSTEADY_SHARE:
            # The median of all lies half-way: so it may go on by half as much again.
            yield _red(
                "not steady",
                f"still getting {word} by over 10 % within the warm iterations of "
                f"{_percent(share)} of invocations",
                math.expm1(median(changes)),
            )
    untold = trends.count(None) / len(trends) if trends else 0.0
    if untold > UNSTEADY_SHARE:
        few = (
            f"fewer than {diagnostics.LEAST_WARM} warm iterations in {_percent(untold)} "
            "of invocations"
        )
        yield _amber(
            "steadiness", f"steadiness not shown: {few}, too few to tell whether they still change"
        )


def _red(name: str, text: str, margin: float | None = None) -> Flag:
    return Flag(name=name, level="red", text=text, margin=margin)


def _amber(name: str, text: str) -> Flag:
    return Flag(name=name, level="amber", text=text)


def _over(share: float, limit: float, of: str = "", sign: str = "") -> str:
    """A share over its limit, with that; one that would only be shown as its limit is said to be
    just over it.
    """
    shown = (
        f"{sign}{_percent(share)}"
        if _percent(share) != _percent(limit)
        else f"just over {sign}{_whole(limit)}"
    )
    return " ".join(filter(None, [shown, of, f"(limit {_whole(limit)})"]))


def _whole(limit: float) -> str:
    return f"{100 * limit:.0f} %"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.1f} %"
