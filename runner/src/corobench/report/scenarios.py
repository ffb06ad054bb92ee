"""What a scenario found, in one sentence made of figures that may be ranked; chosen by what the workload yields, not by its name.

Modes with a cost and a gain: how much worse the load makes it, and what the best remedy brings back and leaves of the load.
A sweep of requests at a time: the plateau and the knee beside their limits. Advice: the least number that was worth it beside
the rules. Differences between points: the range of each. Anything else: the range of the headline, and of CPU time beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from corobench.remembered import by_identity
from corobench.report import units
from corobench.report.advice import advised
from corobench.report.charts import multiples
from corobench.report.headline import Column, column, short_point
from corobench.report.matrix import TRACK_TITLES
from corobench.report.sweep import along, modes, parameters, swept
from corobench.report.units import Scale
from corobench.report.wording import HARD, inside, joined, span
from corobench.statistics import paired
from corobench.statistics.values import Cell, Estimate, RunSummary, WorkloadFacts

IDLE, LOADED = "idle", "naive"  # the modes that every spec of this shape has
_ONE = Scale(1.0, "")

Compared = tuple[Estimate, Cell]


@by_identity(256)
def finding(summary: RunSummary, workload: WorkloadFacts) -> str:
    """The sentence of a scenario, with its title; empty for a core workload and for one without a number."""
    head = column(summary, workload) if workload.group == "scenario" else None
    if head is None:
        return ""
    whole = set(summary.whole_blocks)
    trusted = (c for c in summary.cells if c.workload == workload.name and c.trusted)
    cells = [msgspec.structs.replace(c, samples=paired.within(c.samples, whole)) for c in trusted]
    track = _track(head, cells)
    here = [c for c in cells if c.track == track]
    every = [c for c in summary.cells if (c.workload, c.metric, c.track) == (workload.name, head.metric, track) and c.typical]
    ranked = sum(c.trusted for c in every)
    where = f"{workload.title}, on {inside(TRACK_TITLES[track])}"
    if 2 * ranked <= len(every):
        return f"{where}: only {ranked} of {len(every)} numbers can be ranked, too few to say what it found."
    found = (
        _remedies(workload, head, here)
        or _plateau(summary, workload, head, here)
        or _worth(summary, workload, track)
        or _differences(workload, here)
        or _ranges(workload, head, here)
    )
    among = f", of the {ranked} of {len(every)} numbers that can be ranked" if ranked < len(every) else ""
    return f"{where}{among}: {found}"


def _track(head: Column, cells: list[Cell]) -> str:
    """The one with most figures of the headline."""
    found = Counter(c.track for c in cells if c.metric == head.metric)
    return max(TRACK_TITLES, key=lambda track: found[track])


def _remedies(workload: WorkloadFacts, head: Column, cells: list[Cell]) -> str:
    """`naive` against `idle`, and the best other mode of each runtime against both."""
    key = modes(cells)
    points = along([c for c in cells if c.metric == head.metric], head.point, key) if key else []
    lateness = {(c.runtime, parameters(c.point)[key]): c for c in points} if key else {}
    idle = {runtime: c for (runtime, mode), c in lateness.items() if mode == IDLE}
    loaded = _against(idle, [c for (_, mode), c in lateness.items() if mode == LOADED])
    if key is None or not loaded:
        return ""
    what = _bracketed(workload.metrics[head.metric])
    text = f"under load ({LOADED}), {what} is {_times(loaded)} times that of {IDLE}"
    remedies = [c for (_, mode), c in lateness.items() if mode not in (IDLE, LOADED)]
    best: dict[str, Compared] = {}
    for ratio, cell in sorted(_against(idle, remedies), key=lambda pair: pair[0].center):
        best.setdefault(cell.runtime, (ratio, cell))
    if not best:
        return f"{text}."
    gains = along([c for c in cells if c.metric == _gain(workload, cells)], head.point, key)
    naive = {c.runtime: c for c in gains if parameters(c.point)[key] == LOADED}
    left = _against(naive, [c for c in gains if c.runtime in best and c.point == best[c.runtime][1].point])
    of = inside(workload.metrics[left[0][1].metric]).split(",")[0] if left else ""
    kept = f", which leaves {_shares(left)} of the {of}" if left else ""
    return f"{text}; with each runtime's best remedy {_times(list(best.values()), key)} times{kept}."


def _gain(workload: WorkloadFacts, cells: list[Cell]) -> str | None:
    """The first metric that should be high: what a remedy takes from the load."""
    return next((m for m in workload.metrics for c in cells if (c.metric, c.better) == (m, "higher")), None)


def _against(base: dict[str, Cell], cells: Iterable[Cell]) -> list[Compared]:
    """Each cell against that of its runtime, paired by block; least first."""
    pairs = [(paired.log_ratios(c.samples, base[c.runtime].samples), c) for c in cells if c.runtime in base]
    ratios = ((paired.ratio(logs), c) for logs, c in pairs if logs)
    return sorted((pair for pair in ratios if paired.is_finite(pair[0])), key=lambda pair: pair[0].center)


def _times(found: list[Compared], key: str | None = None) -> str:
    """The least and the most of these ratios, each with its runtime and, where there is a key, its mode."""
    return " to ".join(f"{units.show(ratio, _ONE)} ({_who(cell, key)})" for ratio, cell in _ends(found))


def _shares(found: list[Compared]) -> str:
    return " to ".join(f"{units.percent(ratio.center)} ({cell.runtime})" for ratio, cell in _ends(found))


def _ends(found: list[Compared]) -> list[Compared]:
    """The least and the most, or the one that there is."""
    ordered = sorted(found, key=lambda pair: pair[0].center)
    return [ordered[0], *ordered[1:][-1:]]


def _bracketed(title: str) -> str:
    """`lateness (99th percentile)`: a title inside a sentence, where its comma would part it."""
    what, _, which = inside(title).partition(", ")
    return f"{what} ({which})" if which else what


def _who(cell: Cell, key: str | None) -> str:
    return f"{cell.runtime}, {parameters(cell.point)[key].replace('-', ' ')}" if key else cell.runtime


def _plateau(summary: RunSummary, workload: WorkloadFacts, head: Column, cells: list[Cell]) -> str:
    """The most that each runtime reached over the sweep, and where its responses began to wait."""
    key = swept([c for c in cells if c.metric == head.metric], workload.curve) if workload.curve else None
    chosen = along(cells, head.point, key) if key else []
    limits = multiples.limits_of(summary, head, {c.track for c in chosen})
    best: dict[str, Cell] = {}
    for cell in sorted((c for c in chosen if c.metric == head.metric), key=_center):
        best[cell.runtime] = cell
    if key is None or not best or not limits:
        return ""
    reached = sorted(best.values(), key=_center)
    limit = next(iter(limits.values()))
    most = units.bare(limit.cores / limit.cpu, head.unit).replace(" ", HARD)
    text = f"{_bracketed(workload.metrics[head.metric])} levels off at {span(reached)}, where {most} is the limit"
    knees = [at for at in multiples.knee(workload, chosen, key, limits).values() if at != "none"]
    ideal = f"{limit.cores * (limit.cpu + limit.wait) / limit.cpu:g}"
    if not knees:
        return f"{text}."
    ends = sorted(map(float, {min(knees, key=float), max(knees, key=float)}))
    return f"{text}; requests begin to wait at {key} = {_numbers(ends)}, and arithmetic says after {ideal}."


def _worth(summary: RunSummary, workload: WorkloadFacts, track: str) -> str:
    """The least number that was worth it, at each setting, beside what the rules say there."""
    if workload.advice is None:
        return ""
    settings: dict[str, list[tuple[float, list[str]]]] = {}
    for row in advised(summary, workload):
        if row.ranked and TRACK_TITLES[track] in row.where:
            settings.setdefault(row.where, []).append((float(row.knee), [said.split(":")[0] for said in row.rules]))
    told = []
    for where, rows in settings.items():
        rules = [_said(rule.title, [said[place] for _, said in rows]) for place, rule in enumerate(workload.advice.rule)]
        worth = _numbers(sorted({min(rows)[0], max(rows)[0]}))
        told.append(f"at {where} {worth} {workload.advice.over} were worth it ({'; '.join(rules)})")
    return f"{joined(told)}." if told else ""


def _said(title: str, numbers: list[str]) -> str:
    return f"{title} says {_numbers(sorted({float(min(numbers, key=float)), float(max(numbers, key=float))}))}"


def _numbers(ends: list[float]) -> str:
    return " to ".join(f"{end:g}" for end in ends)


def _differences(workload: WorkloadFacts, cells: list[Cell]) -> str:
    """The range of each metric that is a difference of two points, where these are all but the first."""
    first, *others = workload.metrics
    plain = {c.point for c in cells if c.metric == first}
    found = {m: sorted((c for c in cells if c.metric == m), key=_center) for m in others}
    if not others or any(c.point in plain for here in found.values() for c in here):
        return ""
    told = [f"{inside(workload.metrics[m]).split(' (')[0]} costs {span(here)}" for m, here in found.items() if here]
    return f"{joined(told)}." if told else ""


def _ranges(workload: WorkloadFacts, head: Column, cells: list[Cell]) -> str:
    """The headline's range, and that of CPU time where it stands beside another: a generator may limit the one only."""
    cpu = next((m for m, title in workload.metrics.items() if "CPU" in title and "per" in title.split()), None)
    told = []
    for metric in dict.fromkeys(m for m in (head.metric, cpu) if m):
        here = sorted((c for c in cells if (c.metric, c.point) == (metric, head.point)), key=_center)
        if here:
            first = [c.runtime for c in here if c.group == 1]
            group = f", in the first group {joined(first)}" if first and len(first) < len(here) else ""
            told.append(f"{_bracketed(workload.metrics[metric])} {span(here)}{group}")
    return f"at {short_point(head.point)}, {'; '.join(told)}."


def _center(cell: Cell) -> float:
    return cell.typical.center if cell.typical else 0.0
