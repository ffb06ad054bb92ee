"""What a scenario found, in one sentence made of figures that may be ranked; chosen by what the workload yields, not by its name.

Modes with a cost and a gain: how much worse the load makes it, and what remedies bring back and leave of the load (remedies.py).
A sweep of requests at a time: the plateau and the knee beside their limits. Advice: the least number that was worth it beside
the rules. Differences between points: the range of each. Anything else: the range of the headline, and of CPU time beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from corobench.quoting import Advice
from corobench.remembered import by_identity
from corobench.report import places, units
from corobench.report.advice import WORTH, Advised, advised
from corobench.report.charts import multiples
from corobench.report.headline import Column, column, short_point
from corobench.report.matrix import TRACK_TITLES
from corobench.report.remedies import remedies
from corobench.report.sweep import along, swept, value
from corobench.report.wording import HARD, bracketed, inside, joined, kinds_of, span
from corobench.statistics import paired
from corobench.statistics.flagwords import doubted
from corobench.statistics.values import Cell, RunSummary, WorkloadFacts


@by_identity(256)
def finding(summary: RunSummary, workload: WorkloadFacts) -> str:
    """The sentence of a scenario, with its title; empty for a core workload and for one without a number."""
    head = column(summary, workload) if workload.group == "scenario" else None
    if head is None:
        return ""
    track, here = _here(summary, workload, head)
    trusted = [c for c in here if c.trusted]
    ranked, every = _ranked(here, head)
    where = f"{workload.title}, on {inside(places.title(summary, workload.name, track))}"
    if not _is_enough(ranked, every):
        return f"{where}: only {len(ranked)} of {len(every)} numbers can be ranked, too few to say what it found."
    kinds = kinds_of(summary)
    found = (
        remedies(summary, workload, head, here)
        or _plateau(summary, workload, head, here)
        or _worth(summary, workload, track)
        or _differences(workload, trusted, kinds)
        or _ranges(workload, head, trusted, kinds)
    )
    left = f" {len(every) - len(ranked)} of {len(every)} numbers can't be ranked." if len(ranked) < len(every) else ""
    return f"{where}: {found}{left}"


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
    cells = (c for c in summary.cells if c.workload == workload.name and c.typical and not c.floor)
    return [msgspec.structs.replace(c, samples=paired.within(c.samples, whole)) for c in cells]


def _track(head: Column, cells: list[Cell]) -> str:
    """The one with most figures of the headline."""
    found = Counter(c.track for c in cells if c.metric == head.metric)
    return max(TRACK_TITLES, key=lambda track: found[track])


def _plateau(summary: RunSummary, workload: WorkloadFacts, head: Column, cells: list[Cell]) -> str:
    """Where each runtime levelled off over the sweep, and where its responses began to wait, of the values measured."""
    key = swept([c for c in cells if c.metric == head.metric], workload.curve) if workload.curve else None
    everyone = along(cells, head.point, key) if key else []
    chosen = [c for c in everyone if c.trusted]
    limits = multiples.limits_of(summary, head, {c.track for c in chosen})
    if key is None or not limits:
        return ""
    limit = next(iter(limits.values()))
    reached = _levels([c for c in chosen if c.metric == head.metric], key, limit)
    if not reached:
        return ""
    most = units.bare(limit.cores / limit.cpu, head.unit).replace(" ", HARD)
    between = span(reached, kinds_of(summary))
    text = f"{bracketed(workload.metrics[head.metric])} levels off at {between}, where {most} is the limit"
    knees = [at for at in multiples.knee(workload, chosen, key, limits).values() if at != "none"]
    ideal = f"{limit.cores * (limit.cpu + limit.wait) / limit.cpu:g}"
    if not knees:
        return f"{text}."
    ends = sorted(map(float, {min(knees, key=float), max(knees, key=float)}))
    over = units.percent(multiples.KNEE - 1).replace(" ", HARD)
    tried = _values(everyone, key)
    below = [max(less) for end in ends if (less := [at for at in tried if at < end])]
    fewer = f"; next fewer measured: {joined(map(_plain, below))}" if below else ""
    which = f"median response over {over} above CPU and waiting{fewer}"
    return f"{text}; requests begin to wait at {key} = {_numbers(ends)} ({which}), and arithmetic says after {ideal}."


def _levels(cells: list[Cell], key: str, limit: multiples.Limit) -> list[Cell]:
    """Of each runtime the middle one of its numbers that fill the cores, or else the highest; from low to high.

    Not the highest of all: where many ask at a time few rounds of them fit into a run, and what the edges of the window cut off
    makes single numbers higher than the cores allow.
    """
    found: dict[str, list[Cell]] = {}
    for cell in sorted(cells, key=_center):
        found.setdefault(cell.runtime, []).append(cell)
    full = {name: [c for c in own if limit.filled(value(c, key) or 0.0)] for name, own in found.items()}
    return sorted((full[name][(len(full[name]) - 1) // 2] if full[name] else own[-1] for name, own in found.items()), key=_center)


def _values(cells: list[Cell], key: str) -> list[float]:
    return sorted({at for c in cells if (at := value(c, key)) is not None})


def _worth(summary: RunSummary, workload: WorkloadFacts, track: str) -> str:
    """The least number that was worth it, at each setting, beside what the rules say there."""
    if workload.advice is None:
        return ""
    settings: dict[str, list[Advised]] = {}
    for row in advised(summary, workload):
        if row.ranked and row.track == track:
            settings.setdefault(row.setting, []).append(row)
    over = workload.advice.over
    where = {setting: f" at {apart}" if apart else "" for setting, apart in _apart(list(settings)).items()}
    told = [f"{_enough(rows)}{where[at]}{_ruled(workload.advice, rows)}" for at, rows in settings.items()]
    return f"the fewest {over} that gave {units.percent(WORTH)} of the best: {'; '.join(told)}." if told else ""


def _apart(settings: list[str]) -> dict[str, str]:
    """Each setting without what all of them share, of which there is nothing to tell apart."""
    parts = {setting: setting.split(", ") for setting in settings}
    shared = set[str].intersection(*map(set, parts.values())) if len(parts) > 1 else set()
    return {setting: ", ".join(part for part in own if part not in shared) for setting, own in parts.items()}


def _enough(rows: list[Advised]) -> str:
    """`1`, or the ends with whom they are of: `1 (a) to 10 (b and c)`."""
    found: dict[float, list[str]] = {}
    for row in rows:
        found.setdefault(float(row.knee), []).append(row.runtime)
    if len(found) == 1:
        return f"{min(found):g}"
    return " to ".join(f"{end:g} ({joined(found[end])})" for end in (min(found), max(found)))


def _ruled(advice: Advice, rows: list[Advised]) -> str:
    """What each rule says of them, in brackets; nothing where the run did not record the CPUs."""
    told = []
    for place, rule in enumerate(advice.rule):
        parts = [row.rules[place].partition(":") for row in rows]
        numbers = [float(number) for number, mark, _ in parts if mark]
        if numbers:
            told.append(f"{rule.title} says {_numbers(sorted({min(numbers), max(numbers)}))}")
    return f" ({'; '.join(told)})" if told else ""


def _numbers(ends: list[float]) -> str:
    return " to ".join(map(_plain, ends))


def _plain(value: float) -> str:
    return f"{value:g}"


def _differences(workload: WorkloadFacts, cells: list[Cell], kinds: Mapping[str, str]) -> str:
    """The range of each metric that is a difference of two points, where these are all but the first."""
    first, *others = workload.metrics
    plain = {c.point for c in cells if c.metric == first}
    found = {m: sorted((c for c in cells if c.metric == m), key=_center) for m in others}
    if not others or any(c.point in plain for here in found.values() for c in here):
        return ""
    told = [f"{inside(workload.metrics[m]).split(' (')[0]} costs {span(here, kinds)}" for m, here in found.items() if here]
    return f"{joined(told)}." if told else ""


def _ranges(workload: WorkloadFacts, head: Column, cells: list[Cell], kinds: Mapping[str, str]) -> str:
    """The headline's range, and that of CPU time where it stands beside another: a generator may limit the one only.

    What the spec doubts of the headline's ends is marked there, and told last: what sets the limit does not set the CPU time.
    """
    cpu = next((m for m, title in workload.metrics.items() if "CPU" in title and "per" in title.split()), None)
    told, doubts = [], list[str]()
    for metric in dict.fromkeys(m for m in (head.metric, cpu) if m):
        here = sorted((c for c in cells if (c.metric, c.point) == (metric, head.point)), key=_center)
        if here:
            first = [c.runtime for c in here if c.group == 1]
            group = f", in the first group {joined(first)}" if first and len(first) < len(here) else ""
            leads, title = metric == head.metric, bracketed(workload.metrics[metric].split(" (")[0])
            told.append(f"{title} {span(here, kinds, doubts=leads, brief=True)}{group}")
            doubts += [doubted(end.flags) for end in (here[0], here[-1]) if leads]
    why = "; ".join(dict.fromkeys(filter(None, doubts)))
    return f"{'; '.join(told)}, at {short_point(head.point)}.{f' In doubt: {why}.' if why else ''}"


def _center(cell: Cell) -> float:
    return cell.typical.center if cell.typical else 0.0
