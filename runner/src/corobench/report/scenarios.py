"""What a scenario shows: its answer, what its load does, what remedies bring back, which runtimes
deviate from queueing.

c requests at a time, each of some CPU time and some waiting, are served at min(c / (CPU + wait), 1
/ CPU) and answered after max(CPU + wait, c x CPU): a core that is always busy serves all others
once before it serves the same chain again. That is arithmetic; such a queue itself, simulated with
overhead (tests/statistics/test_queue_fit.py), stays within the bounds below but where the two bend
into each other: there chains still meet in the bunches in which they began, and nothing is said.

A number that can't be ranked is in no range, but who reads outside of one is named. What is only
known as a bound is in it.

Modes with a cost and a gain: how much worse the load makes it, and what remedies bring back and
leave of the load. A sweep of requests at a time: the plateau and the knee beside their limits.
Advice: the least number that was worth it beside the rules. Differences between points: the range
of each. Anything else: the range of the headline, and of CPU time beside it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec

from corobench.report import sweeps, text, units
from corobench.report.charts import curves
from corobench.report.citations import WORTH, Advised, advised
from corobench.report.headline import Column, column, ordered_workloads, short_point
from corobench.report.sweeps import Limit, along, modes, parameters, swept, value
from corobench.report.text import (
    HARD,
    TRACK_TITLES,
    bracketed,
    ends,
    inside,
    joined,
    kinded,
    kinds_of,
    number,
    reading,
    unlike,
)
from corobench.statistics import estimates
from corobench.statistics.flags import doubted
from corobench.statistics.types import (
    Cell,
    Estimate,
    RunSummary,
    RuntimeFacts,
    WorkloadFacts,
)
from corobench.suite.workload import Advice, Track

NOT_ESTABLISHED = "not established"
NOT_RECORDED = "not recorded: the run was made before runtimes gave their reasons"
_TRACK: Track = "one-cpu"
_BELOW, _FULL = 0.75, 1.5  # of what fills the core: between them it bends
_RATE, _MEDIAN, _WORST = 0.95, 1.1, 1.25  # times the ideal: at least, within, at most
# of all that are under way: where fewer fit into the window, its edges alone move the rate by 3 %
# and more (tested)
_ROUNDS = 4
# red flags that are about where in its interval a number is, and not about the interval
_BORNE = frozenset({"modes", "wide"})


_UNCLEAR = "an interval lies on both sides of a bound, or a number is missing"


class Extent(msgspec.Struct, frozen=True, kw_only=True):
    """A figure with the least and the most of the runtimes, each with whom it is of; `most` is
    empty where there is one alone. `beside`: a limit, a rule, or who can't be ranked.
    """

    figure: str
    least: str
    most: str = ""
    beside: str = ""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a scenario found, and where it ran. `unranked`: how many of its numbers can't be ranked;
    where these are too many there are no rows.
    """

    title: str
    place: str
    rows: list[Extent]
    unranked: str = ""


class Departure(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime that departs. `how`: each figure at its furthest; `why`: what its manifest says of
    that.
    """

    runtime: str
    how: str
    why: str


class QueueFit(msgspec.Struct, frozen=True, kw_only=True):
    """The runtimes that keep the shape with all of their intervals, that depart with one as a
    whole, and the others.

    `key` is the parameter that says how many at a time.
    """

    key: str
    kept: list[str]
    unclear: list[str]
    departures: list[Departure]

    @property
    def bounds(self) -> list[tuple[str, str, str]]:
        """What such a queue does, by arithmetic, and how far from it a runtime may be."""
        return [
            (
                "rate",
                f"min({self.key} / (CPU + wait), 1 / CPU)",
                f"less {units.percent(1 - _RATE)} at most",
            ),
            (
                "median response",
                f"max(CPU + wait, {self.key} x CPU)",
                f"within {units.percent(_MEDIAN - 1)}",
            ),
            (
                "worst response",
                f"max(CPU + wait, {self.key} x CPU)",
                f"{_WORST:g} times that at most",
            ),
        ]

    @property
    def rows(self) -> list[Departure]:
        """Runtimes, how they compare with it, and why."""
        told = [(self.kept, "keep it", ""), (self.unclear, "can't be told", _UNCLEAR)]
        return [
            *(Departure(runtime=joined(who), how=how, why=why) for who, how, why in told if who),
            *self.departures,
        ]


class _Promise(NamedTuple):
    """What arithmetic says of a metric at so many at a time, and between which ratios to it the
    shape is kept.

    `rounds`: of as many requests as are under way, how many a window must have room for.
    """

    metric: str
    ideal: Callable[[float], float]
    least: float
    most: float
    rounds: int = 0

    def holds(self, ratio: Estimate) -> bool:
        """With all of its interval."""
        return self.least <= ratio.low and ratio.high <= self.most

    def fails(self, ratio: Estimate) -> bool:
        """With all of its interval."""
        return ratio.high < self.least or ratio.low > self.most


def queue_fit(summary: RunSummary, workload: WorkloadFacts) -> QueueFit | None:
    """None where a workload has no such sweep on one core, or where none of it kept the core busy
    all the time.
    """
    key = workload.curve
    head = column(summary, workload) if key else None
    limit = sweeps.limits_of(summary, head, {_TRACK}).get(_TRACK) if head else None
    if head is None or key is None or limit is None or limit.cores != 1:
        return None
    judged = _judged(summary, head, key, limit)
    promises = _promises(workload, [cell for cells in judged.values() for cell in cells], limit)
    why = {r.name: _why(r, workload) for r in summary.runtimes}
    kept, unclear, gone = list[str](), list[str](), list[Departure]()
    for name, cells in judged.items():
        ratios = {promise: _ratios(cells, promise, key) for promise in promises}
        if said := [
            text
            for promise, here in ratios.items()
            if (text := _outside(workload, promise, here, key))
        ]:
            gone.append(Departure(runtime=name, how="; ".join(said), why=why[name]))
        elif all(
            here and all(promise.holds(ratio) for _, ratio in here)
            for promise, here in ratios.items()
        ):
            kept.append(name)
        else:
            unclear.append(name)
    return QueueFit(key=key, kept=kept, unclear=unclear, departures=gone) if judged else None


def _why(runtime: RuntimeFacts, workload: WorkloadFacts) -> str:
    return (
        NOT_RECORDED
        if runtime.deviates is None
        else runtime.deviates.get(workload.name, NOT_ESTABLISHED)
    )


def _judged(summary: RunSummary, head: Column, key: str, limit: Limit) -> dict[str, list[Cell]]:
    """By runtime, the numbers away from the bend, of those that have one where the core is busy all
    the time.
    """
    ours = [
        c
        for c in summary.cells
        if (c.workload, c.track) == (head.workload, _TRACK) and _is_usable(c)
    ]
    swept = [(c, _filled(c, key, limit)) for c in along(ours, head.point, key)]
    found: dict[str, list[Cell]] = {}
    for runtime in summary.runtimes:
        here = [
            (c, filled)
            for c, filled in swept
            if c.runtime == runtime.name and not _BELOW < filled < _FULL
        ]
        if any(filled >= _FULL for _, filled in here):
            found[runtime.name] = [c for c, _ in here]
    return found


def _is_usable(cell: Cell) -> bool:
    return cell.median is not None and all(
        flag.name in _BORNE for flag in cell.flags if flag.level == "red"
    )


def _filled(cell: Cell, key: str, limit: Limit) -> float:
    """So many at a time, of those that fill the core."""
    return (value(cell, key) or 0.0) * limit.cpu / (limit.cpu + limit.wait)


def _promises(workload: WorkloadFacts, cells: list[Cell], limit: Limit) -> list[_Promise]:
    """Of the first rate of a workload, and of its first median and worst time."""
    kinds = {c.metric: c.unit for c in cells}

    def first(unit: str, word: str = "") -> str | None:
        return next(
            (m for m, title in workload.metrics.items() if kinds.get(m) == unit and word in title),
            None,
        )

    rate, median, worst = first("1/s"), first("s", "median"), first("s", "worst")
    return [
        *([_Promise(rate, limit.rate, _RATE, math.inf, _ROUNDS)] if rate else []),
        *([_Promise(median, limit.response, 2 - _MEDIAN, _MEDIAN)] if median else []),
        *([_Promise(worst, limit.response, 0.0, _WORST)] if worst else []),
    ]


def _ratios(cells: list[Cell], promise: _Promise, key: str) -> list[tuple[Cell, Estimate]]:
    own = [
        (c, c.median)
        for c in cells
        if c.metric == promise.metric and c.median and _rounds(c, key) >= promise.rounds
    ]
    return [(c, found.times(1 / promise.ideal(value(c, key) or 0.0))) for c, found in own]


def _rounds(cell: Cell, key: str) -> float:
    """That fit into the steady window, by the contract of mixed."""
    requests, at_once = number(parameters(cell.point).get("requests", "")), value(cell, key)
    return (requests - 2 * at_once - 1) // at_once if requests and at_once else math.inf


def _outside(
    workload: WorkloadFacts, promise: _Promise, ratios: list[tuple[Cell, Estimate]], key: str
) -> str:
    """What is outside of its bounds, where it is furthest from the ideal; empty where nothing
    is.
    """
    outside = [(cell, ratio) for cell, ratio in ratios if promise.fails(ratio)]
    if not outside:
        return ""
    cell, ratio = max(outside, key=lambda pair: abs(math.log(pair[1].center)))
    return _said(workload.metrics[promise.metric], cell, key, ratio)


def _said(title: str, cell: Cell, key: str, ratio: Estimate) -> str:
    scale = units.scale_of_estimates([cell.median], cell.unit)
    shown = f"{units.show(cell.median, scale)}{HARD}{scale.symbol}"
    times = units.show(ratio, units.ONE)
    return (
        f"{inside(title)} {shown} at {key} = {value(cell, key):g}, {times} times what such "
        "a queue gives"
    )


_IDLE, _LOADED = "idle", "naive"  # the modes that every spec of this shape has
_FEWEST, _FEW = 20, 50  # counted an invocation: one more or less is over 5 %, and over 2 %

Compared = tuple[Estimate, Cell]
"""A ratio, and the number that was set beside another for it."""


def remedies(
    summary: RunSummary, workload: WorkloadFacts, head: Column, cells: list[Cell]
) -> list[Extent]:
    """`naive` against `idle`, and the best other mode of each runtime against both; none where
    these were not measured.

    `cells`: the numbers of the workload on one track, with their samples of whole blocks.
    """
    key = modes(cells)
    if key is None:
        return []
    times = _compared(workload, cells, head.metric, head.point, key, _IDLE, head.better)
    loaded = [pair for pair in times if _mode(pair[1], key) == _LOADED]
    known = _known(loaded)
    if not known:
        return []
    what, kinds = bracketed(workload.metrics[head.metric]), kinds_of(summary)
    rows = [
        _extent(
            f"{what} under load ({_LOADED}), times that of {_IDLE}",
            _times(known, kinds),
            _beyond(known, _unknown(loaded)),
        )
    ]
    tried = [pair for pair in times if _mode(pair[1], key) not in (_IDLE, _LOADED)]
    best = _best(_known(tried))
    if not best:
        return rows
    better = [
        p
        for name, p in _best(_unknown(tried)).items()
        if name not in best or _ratio_center(p) < _ratio_center(best[name])
    ]
    rows.append(
        _extent(
            "the same with the best remedy measured here",
            _times(best.values(), kinds, key),
            _beyond(best.values(), better, key),
        )
    )
    places = {name: cell.point for name, (_, cell) in best.items()}
    return [*rows, *_kept(summary, workload, cells, head.point, key, places)]


def _extent(figure: str, ends: list[str], beside: str = "") -> Extent:
    return Extent(figure=figure, least=ends[0], most="".join(ends[1:]), beside=beside)


def _compared(
    workload: WorkloadFacts,
    cells: list[Cell],
    metric: str,
    point: str,
    key: str,
    base: str,
    better: str,
) -> list[Compared]:
    """Each mode against the mode `base` of its runtime: by the spec's own ratio, where it has one,
    else block by block.
    """
    own = next(
        (
            one.name
            for one in workload.ratio
            if (one.over, one.base, one.better) == (key, base, better)
        ),
        None,
    )
    ratios = [
        (c.median, c) for c in along([c for c in cells if c.metric == own], point, key) if c.median
    ]
    return ratios or _against(
        along([c for c in cells if c.metric == metric], point, key), key, base
    )


def _against(cells: list[Cell], key: str, base: str) -> list[Compared]:
    bases = {c.runtime: c for c in cells if c.trusted and _mode(c, key) == base}
    others = [c for c in cells if c.runtime in bases and _mode(c, key) != base]
    ratios = [(estimates.paired_estimate(c.samples, bases[c.runtime].samples), c) for c in others]
    return [(_bounded(ratio, c), c) for ratio, c in ratios if ratio]


def _bounded(ratio: Estimate, cell: Cell) -> Estimate:
    return msgspec.structs.replace(ratio, bound=cell.median is not None and cell.median.bound)


def _known(found: Iterable[Compared]) -> list[Compared]:
    """Those that can be ranked, or can't only because they are bounds; least first."""
    return sorted((pair for pair in found if _is_known(pair[1])), key=_ratio_center)


def _unknown(found: Iterable[Compared]) -> list[Compared]:
    return sorted((pair for pair in found if not _is_known(pair[1])), key=_ratio_center)


def _is_known(cell: Cell) -> bool:
    return all(flag.bound for flag in cell.flags if flag.level == "red")


def _ratio_center(pair: Compared) -> float:
    return pair[0].center


def _mode(cell: Cell, key: str) -> str:
    return parameters(cell.point)[key]


def _best(ordered: Iterable[Compared]) -> dict[str, Compared]:
    """The first of each runtime."""
    found: dict[str, Compared] = {}
    for pair in ordered:
        found.setdefault(pair[1].runtime, pair)
    return found


def _times(
    found: Iterable[Compared], kinds: Mapping[str, str], key: str | None = None
) -> list[str]:
    """The least and the most of these ratios, each with its runtime and, where there is a key, its
    mode.

    `kinds`: what each runtime schedules, said where it isn't the same at both ends.
    """
    both = _ends(found)
    shown = units.show_alike((ratio for ratio, _ in both), units.ONE)
    known = zip(shown, both, unlike([cell for _, cell in both], kinds), strict=True)
    return [f"{text} ({kinded(_who(cell, key), kind)})" for text, (_, cell), kind in known]


def _ends(found: Iterable[Compared]) -> list[Compared]:
    """The least and the most, or the one that there is."""
    ordered = sorted(found, key=_ratio_center)
    return [ordered[0], *ordered[1:][-1:]]


def _who(cell: Cell, key: str | None, mark: str = ", ") -> str:
    return f"{cell.runtime}{mark}{_mode(cell, key).replace('-', ' ')}" if key else cell.runtime


def _beyond(known: Collection[Compared], others: list[Compared], key: str | None = None) -> str:
    """Who of the others reads outside of the range of those that are known; empty where nobody
    does.
    """
    low, high = min(map(_ratio_center, known)), max(map(_ratio_center, known))
    sides = {
        "lower": [_who(cell, key, " with ") for ratio, cell in others if ratio.center < low],
        "higher": [_who(cell, key, " with ") for ratio, cell in others if ratio.center > high],
    }
    said = [reading(names, side) for side, names in sides.items() if names]
    return f"{joined(said)}, but can't be ranked" if said else ""


def _kept(
    summary: RunSummary,
    workload: WorkloadFacts,
    cells: list[Cell],
    point: str,
    key: str,
    places: dict[str, str],
) -> list[Extent]:
    """What the remedies at these points, by runtime, leave of the load's progress: of the first
    metric that should be high.
    """
    gain = next(
        (m for m in workload.metrics for c in cells if (c.metric, c.better) == (m, "higher")), None
    )
    if gain is None:
        return []
    shares = _compared(workload, cells, gain, point, key, _LOADED, "higher")
    ours = [(ratio, c) for ratio, c in shares if c.trusted and c.point == places.get(c.runtime)]
    told = [pair for pair in ours if _counted(summary, workload, pair[1]) >= _FEWEST]
    if not told:
        return []
    both = _ends(told)
    known = zip(both, unlike([cell for _, cell in both], kinds_of(summary)), strict=True)
    left = [_share(pair, kind, _counted(summary, workload, pair[1])) for pair, kind in known]
    what = inside(workload.metrics[gain]).split(",")[0]
    return [_extent(f"what that leaves of the {what}", left)]


def _counted(summary: RunSummary, workload: WorkloadFacts, cell: Cell) -> float:
    """How many an invocation counted for a number; infinitely many for one that is no count."""
    found = summary.distributions.get(cell.key.removesuffix(f"/{cell.metric}"), {})
    counts = [found[name].count for name in workload.counted.get(cell.metric, []) if name in found]
    return min(counts, default=math.inf) / cell.median.n if cell.median else 0.0


def _share(pair: Compared, kind: str, counted: float) -> str:
    """With its interval where few were counted: the last one then shows in it."""
    ratio, cell = pair
    between = (
        f"; {units.percent(ratio.low)} to {units.percent(ratio.high)}" if counted < _FEW else ""
    )
    return f"{units.percent(ratio.center)} ({kinded(cell.runtime, kind)}{between})"


def findings(summary: RunSummary) -> dict[str, Found]:
    """What each scenario found, by its name, in the order of the page."""
    every = {w.name: finding(summary, w) for w in ordered_workloads(summary)}
    return {name: found for name, found in every.items() if found}


def finding(summary: RunSummary, workload: WorkloadFacts) -> Found | None:
    """What a scenario found; None for a core workload and for one without a number."""
    head = column(summary, workload) if workload.group == "scenario" else None
    if head is None:
        return None
    track, here = _here(summary, workload, head)
    trusted = [c for c in here if c.trusted]
    ranked, every = _ranked(here, head)
    place = inside(text.place_title(summary, workload.name, track))
    if not _is_enough(ranked, every):
        return Found(
            title=workload.title,
            place=place,
            rows=[],
            unranked=f"Only {len(ranked)} of {len(every)} numbers can be ranked: too few.",
        )
    kinds = kinds_of(summary)
    left = len(every) - len(ranked)
    return Found(
        title=workload.title,
        place=place,
        rows=remedies(summary, workload, head, here)
        or _plateau(summary, workload, head, here)
        or _worth(summary, workload, track)
        or _differences(workload, trusted, kinds)
        or _ranges(workload, head, trusted, kinds),
        unranked=f"{left} of {len(every)} numbers can't be ranked." if left else "",
    )


def _is_enough(ranked: list[Cell], every: list[Cell]) -> bool:
    return 2 * len(ranked) > len(every)


def _here(summary: RunSummary, workload: WorkloadFacts, head: Column) -> tuple[str, list[Cell]]:
    """The track of which most can be said, and the numbers there."""
    measured = _measured(summary, workload)
    track = _track(head, [c for c in measured if c.trusted])
    return track, [c for c in measured if c.track == track]


def _ranked(here: list[Cell], head: Column) -> tuple[list[Cell], list[Cell]]:
    """The numbers of the headline that may be ranked, and all of them."""
    every = [c for c in here if c.metric == head.metric]
    return [c for c in every if c.trusted], every


def _measured(summary: RunSummary, workload: WorkloadFacts) -> list[Cell]:
    """Its numbers, with their samples of whole blocks; of a floor nothing is said."""
    whole = set(summary.whole_blocks)
    cells = (
        c for c in summary.cells if c.workload == workload.name and c.median and not c.lower_bound
    )
    return [msgspec.structs.replace(c, samples=estimates.within(c.samples, whole)) for c in cells]


def _track(head: Column, cells: list[Cell]) -> str:
    """The one with most figures of the headline."""
    found = Counter(c.track for c in cells if c.metric == head.metric)
    return max(TRACK_TITLES, key=lambda track: found[track])


def _plateau(
    summary: RunSummary, workload: WorkloadFacts, head: Column, cells: list[Cell]
) -> list[Extent]:
    """Where each runtime levelled off over the sweep, and where its responses began to wait, of the
    values measured.
    """
    key = (
        swept([c for c in cells if c.metric == head.metric], workload.curve)
        if workload.curve
        else None
    )
    everyone = along(cells, head.point, key) if key else []
    chosen = [c for c in everyone if c.trusted]
    limits = sweeps.limits_of(summary, head, {c.track for c in chosen})
    if key is None or not limits:
        return []
    limit = next(iter(limits.values()))
    reached = _levels([c for c in chosen if c.metric == head.metric], key, limit)
    if not reached:
        return []
    most = units.bare(limit.cores / limit.cpu, head.unit).replace(" ", HARD)
    level = f"{bracketed(workload.metrics[head.metric])}, where it levels off"
    rows = [_extent(level, ends(reached, kinds_of(summary)), f"limit: {most}")]
    knees = [at for at in curves.knee(workload, chosen, key, limits).values() if at != "none"]
    if not knees:
        return rows
    both = sorted(map(float, {min(knees, key=float), max(knees, key=float)}))
    over = units.percent(curves.KNEE - 1).replace(" ", HARD)
    tried = _values(everyone, key)
    below = [max(less) for end in both if (less := [at for at in tried if at < end])]
    ideal = f"theory: above {limit.cores * (limit.cpu + limit.wait) / limit.cpu:g}"
    fewer = f"next fewer measured: {joined(map(_plain, below))}" if below else ""
    waits = f"{key} at which the median response is over {over} above CPU and waiting"
    beside = "; ".join(filter(None, [ideal, fewer]))
    return [*rows, _extent(waits, [*map(_plain, both)], beside)]


def _levels(cells: list[Cell], key: str, limit: sweeps.Limit) -> list[Cell]:
    """Of each runtime the middle one of its numbers that fill the cores, or else the highest; from
    low to high.

    Not the highest of all: where many ask at a time few rounds of them fit into a run, and what the
    edges of the window cut off makes single numbers higher than the cores allow.
    """
    found: dict[str, list[Cell]] = {}
    for cell in sorted(cells, key=_center):
        found.setdefault(cell.runtime, []).append(cell)
    full = {
        name: [c for c in own if limit.filled(value(c, key) or 0.0)] for name, own in found.items()
    }
    return sorted(
        (
            full[name][(len(full[name]) - 1) // 2] if full[name] else own[-1]
            for name, own in found.items()
        ),
        key=_center,
    )


def _values(cells: list[Cell], key: str) -> list[float]:
    return sorted({at for c in cells if (at := value(c, key)) is not None})


def _worth(summary: RunSummary, workload: WorkloadFacts, track: str) -> list[Extent]:
    """The least number that was worth it, at each setting, beside what the rules say there."""
    if workload.advice is None:
        return []
    settings: dict[str, list[Advised]] = {}
    for row in advised(summary, workload):
        if row.ranked and row.track == track:
            settings.setdefault(row.setting, []).append(row)
    what = f"fewest {workload.advice.over} that gave {units.percent(WORTH)} of the best"
    return [
        _extent(
            f"{what}, {apart}" if apart else what,
            _enough(settings[setting]),
            _ruled(workload.advice, settings[setting]),
        )
        for setting, apart in _apart(list(settings)).items()
    ]


def _apart(settings: list[str]) -> dict[str, str]:
    """Each setting without what all of them share, of which there is nothing to tell apart."""
    parts = {setting: setting.split(", ") for setting in settings}
    shared = set[str].intersection(*map(set, parts.values())) if len(parts) > 1 else set()
    return {
        setting: ", ".join(part for part in own if part not in shared)
        for setting, own in parts.items()
    }


def _enough(rows: list[Advised]) -> list[str]:
    """`1`, or the ends with whom they are of: `1 (a)`, `10 (b and c)`."""
    found: dict[float, list[str]] = {}
    for row in rows:
        found.setdefault(float(row.knee), []).append(row.runtime)
    if len(found) == 1:
        return [f"{min(found):g}"]
    return [f"{end:g} ({joined(found[end])})" for end in (min(found), max(found))]


def _ruled(advice: Advice, rows: list[Advised]) -> str:
    """What each rule says of them; nothing where the run did not record the CPUs."""
    told = []
    for place, rule in enumerate(advice.rule):
        parts = [row.rules[place].partition(":") for row in rows]
        numbers = [float(number) for number, mark, _ in parts if mark]
        if numbers:
            told.append(f"{rule.title}: {_numbers(sorted({min(numbers), max(numbers)}))}")
    return "; ".join(told)


def _numbers(ends: list[float]) -> str:
    return " to ".join(map(_plain, ends))


def _plain(value: float) -> str:
    return f"{value:g}"


def _differences(
    workload: WorkloadFacts, cells: list[Cell], kinds: Mapping[str, str]
) -> list[Extent]:
    """The range of each metric that is a difference of two points, where these are all but the
    first.
    """
    first, *others = workload.metrics
    plain = {c.point for c in cells if c.metric == first}
    found = {m: sorted((c for c in cells if c.metric == m), key=_center) for m in others}
    if not others or any(c.point in plain for here in found.values() for c in here):
        return []
    return [
        _extent(inside(workload.metrics[m]).split(" (")[0], ends(here, kinds))
        for m, here in found.items()
        if here
    ]


def _ranges(
    workload: WorkloadFacts, head: Column, cells: list[Cell], kinds: Mapping[str, str]
) -> list[Extent]:
    """The headline's range, and that of CPU time where it stands beside another: a generator may
    limit the one only.

    What the spec doubts of the headline's ends is marked there, and told beside it: what sets the
    limit does not set the CPU time.
    """
    cpu = next(
        (m for m, title in workload.metrics.items() if "CPU" in title and "per" in title.split()),
        None,
    )
    rows = []
    for metric in dict.fromkeys(m for m in (head.metric, cpu) if m):
        here = sorted(
            (c for c in cells if (c.metric, c.point) == (metric, head.point)), key=_center
        )
        if not here:
            continue
        leads, what = metric == head.metric, bracketed(workload.metrics[metric].split(" (")[0])
        first = [c.runtime for c in here if c.group == 1]
        group = f"first group: {joined(first)}" if first and len(first) < len(here) else ""
        doubts = dict.fromkeys(doubted(end.flags) for end in (here[0], here[-1]) if leads)
        why = "; ".join(filter(None, doubts))
        beside = "; ".join(filter(None, [group, f"in doubt: {why}" if why else ""]))
        where = f"{what}, at {short_point(head.point)}"
        rows.append(_extent(where, ends(here, kinds, doubts=leads, brief=True), beside))
    return rows


def _center(cell: Cell) -> float:
    return cell.median.center if cell.median else 0.0
