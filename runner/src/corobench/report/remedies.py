"""What the load of a scenario does to the runtimes, and what the remedies measured bring back and leave of it, in words.

A number that can't be ranked is in no range, but who reads outside of one is named. What is only known as a bound is in it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

import msgspec

from corobench.report import units
from corobench.report.headline import Column
from corobench.report.sweep import along, modes, parameters
from corobench.report.units import Scale
from corobench.report.wording import bracketed, inside, joined, kinded, kinds_of, reading, unlike
from corobench.statistics import paired
from corobench.statistics.values import Cell, Estimate, RunSummary, WorkloadFacts

_IDLE, _LOADED = "idle", "naive"  # the modes that every spec of this shape has
_FEWEST, _FEW = 20, 50  # counted an invocation: one more or less is over 5 %, and over 2 %
_ONE = Scale(1.0, "")

Compared = tuple[Estimate, Cell]
"""A ratio, and the number that was set beside another for it."""


def remedies(summary: RunSummary, workload: WorkloadFacts, head: Column, cells: list[Cell]) -> str:
    """`naive` against `idle`, and the best other mode of each runtime against both; empty where these were not measured.

    `cells`: the numbers of the workload on one track, with their samples of whole blocks.
    """
    key = modes(cells)
    if key is None:
        return ""
    times = _compared(workload, cells, head.metric, head.point, key, _IDLE, head.better)
    loaded = [pair for pair in times if _mode(pair[1], key) == _LOADED]
    known = _known(loaded)
    if not known:
        return ""
    what, kinds = bracketed(workload.metrics[head.metric]), kinds_of(summary)
    text = f"under load ({_LOADED}), {what} is {_times(known, kinds)} times that of {_IDLE}{_beyond(known, _unknown(loaded))}"
    tried = [pair for pair in times if _mode(pair[1], key) not in (_IDLE, _LOADED)]
    best = _best(_known(tried))
    if not best:
        return f"{text}."
    better = [p for name, p in _best(_unknown(tried)).items() if name not in best or _center(p) < _center(best[name])]
    brought = f"{_times(best.values(), kinds, key)} times{_beyond(best.values(), better, key)}"
    kept = _kept(summary, workload, cells, head.point, key, {name: cell.point for name, (_, cell) in best.items()})
    return f"{text}. With the best remedy measured here it is {brought}{kept}."


def _compared(
    workload: WorkloadFacts, cells: list[Cell], metric: str, point: str, key: str, base: str, better: str
) -> list[Compared]:
    """Each mode against the mode `base` of its runtime: by the spec's own ratio, where it has one, else block by block."""
    own = next((one.name for one in workload.ratio if (one.over, one.base, one.better) == (key, base, better)), None)
    ratios = [(c.typical, c) for c in along([c for c in cells if c.metric == own], point, key) if c.typical]
    return ratios or _against(along([c for c in cells if c.metric == metric], point, key), key, base)


def _against(cells: list[Cell], key: str, base: str) -> list[Compared]:
    bases = {c.runtime: c for c in cells if c.trusted and _mode(c, key) == base}
    others = [c for c in cells if c.runtime in bases and _mode(c, key) != base]
    ratios = [(paired.compared(c.samples, bases[c.runtime].samples), c) for c in others]
    return [(_bounded(ratio, c), c) for ratio, c in ratios if ratio]


def _bounded(ratio: Estimate, cell: Cell) -> Estimate:
    return msgspec.structs.replace(ratio, bound=cell.typical is not None and cell.typical.bound)


def _known(found: Iterable[Compared]) -> list[Compared]:
    """Those that can be ranked, or can't only because they are bounds; least first."""
    return sorted((pair for pair in found if _is_known(pair[1])), key=_center)


def _unknown(found: Iterable[Compared]) -> list[Compared]:
    return sorted((pair for pair in found if not _is_known(pair[1])), key=_center)


def _is_known(cell: Cell) -> bool:
    return all(flag.bound for flag in cell.flags if flag.level == "red")


def _center(pair: Compared) -> float:
    return pair[0].center


def _mode(cell: Cell, key: str) -> str:
    return parameters(cell.point)[key]


def _best(ordered: Iterable[Compared]) -> dict[str, Compared]:
    """The first of each runtime."""
    found: dict[str, Compared] = {}
    for pair in ordered:
        found.setdefault(pair[1].runtime, pair)
    return found


def _times(found: Iterable[Compared], kinds: Mapping[str, str], key: str | None = None) -> str:
    """The least and the most of these ratios, each with its runtime and, where there is a key, its mode.

    `kinds`: what each runtime schedules, said where it isn't the same at both ends.
    """
    ends = _ends(found)
    shown = units.show_alike((ratio for ratio, _ in ends), _ONE)
    known = zip(shown, ends, unlike([cell for _, cell in ends], kinds), strict=True)
    return " to ".join(f"{text} ({kinded(_who(cell, key), kind)})" for text, (_, cell), kind in known)


def _ends(found: Iterable[Compared]) -> list[Compared]:
    """The least and the most, or the one that there is."""
    ordered = sorted(found, key=_center)
    return [ordered[0], *ordered[1:][-1:]]


def _who(cell: Cell, key: str | None, mark: str = ", ") -> str:
    return f"{cell.runtime}{mark}{_mode(cell, key).replace('-', ' ')}" if key else cell.runtime


def _beyond(known: Collection[Compared], others: list[Compared], key: str | None = None) -> str:
    """Who of the others reads outside of the range of those that are known, in brackets; empty where nobody does."""
    low, high = min(map(_center, known)), max(map(_center, known))
    sides = {
        "lower": [_who(cell, key, " with ") for ratio, cell in others if ratio.center < low],
        "higher": [_who(cell, key, " with ") for ratio, cell in others if ratio.center > high],
    }
    said = [reading(names, side) for side, names in sides.items() if names]
    return f" ({joined(said)}, but can't be ranked)" if said else ""


def _kept(summary: RunSummary, workload: WorkloadFacts, cells: list[Cell], point: str, key: str, places: dict[str, str]) -> str:
    """What the remedies at these points, by runtime, leave of the load's progress: of the first metric that should be high."""
    gain = next((m for m in workload.metrics for c in cells if (c.metric, c.better) == (m, "higher")), None)
    if gain is None:
        return ""
    shares = _compared(workload, cells, gain, point, key, _LOADED, "higher")
    ours = [(ratio, c) for ratio, c in shares if c.trusted and c.point == places.get(c.runtime)]
    told = [pair for pair in ours if _counted(summary, workload, pair[1]) >= _FEWEST]
    if not told:
        return ""
    ends = _ends(told)
    known = zip(ends, unlike([cell for _, cell in ends], kinds_of(summary)), strict=True)
    left = " to ".join(_share(pair, kind, _counted(summary, workload, pair[1])) for pair, kind in known)
    return f", which leaves {left} of the {inside(workload.metrics[gain]).split(',')[0]}"


def _counted(summary: RunSummary, workload: WorkloadFacts, cell: Cell) -> float:
    """How many an invocation counted for a number; infinitely many for one that is no count."""
    found = summary.distributions.get(cell.key.removesuffix(f"/{cell.metric}"), {})
    counts = [found[name].count for name in workload.counted.get(cell.metric, []) if name in found]
    return min(counts, default=math.inf) / cell.typical.n if cell.typical else 0.0


def _share(pair: Compared, kind: str, counted: float) -> str:
    """With its interval where few were counted: the last one then shows in it."""
    ratio, cell = pair
    between = f"; {units.percent(ratio.low)} to {units.percent(ratio.high)}" if counted < _FEW else ""
    return f"{units.percent(ratio.center)} ({kinded(cell.runtime, kind)}{between})"
