"""What a run measured beside its cases, as rows of tables: canary, null programs, wake-ups, looks, carry-over, cross-checks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from corobench.report import units
from corobench.report.headline import short_point
from corobench.report.templating import show
from corobench.report.wording import counted
from corobench.statistics import crosscheck, noise, order, paired
from corobench.statistics.values import CarryOver, Estimate, RunSummary

_NS = 1e-9
_ONE = units.Scale(1.0, units.TIMES)
_NAMED = 8  # numbers that are the farthest from precise enough
_STATES = {"agrees": "agree", "disagrees": "disagree", "can't tell": "can't be told"}

Rows = list[list[str]]


def values(summary: RunSummary) -> dict[str, Any]:
    """What the templates take, by name."""
    return {
        "spins": spins(summary),
        "wakeups": wake_ups(summary),
        "looks": looks(summary),
        "carried": carried(summary),
        "agreement": agreement(summary),
        "agreed": agreed(summary),
        "near": near(summary),
        "noise_floor": noise_floor(summary),
        "failing": failing(summary),
        "least_delta": noise.LEAST_DELTA,
        "disagree": crosscheck.DISAGREE,
    }


def noise_floor(summary: RunSummary) -> str:
    """The run's, with its sign; empty where it was not measured."""
    return "" if summary.noise_floor is None else f"±{units.percent(summary.noise_floor)}"


def failing(summary: RunSummary) -> str:
    """How many A/A controls failed, of those that can: the noise floor is made of these."""
    claimed = {(c.workload, c.point, c.track, c.metric) for c in summary.cells if c.claims}
    controls = [one.ratio for one in summary.noise if (one.workload, one.point, one.track, one.metric) in claimed]
    usable = [ratio for ratio in controls if noise.usable(ratio)]
    return f"{sum(map(noise.failed, usable))} of {counted(len(usable), 'control')} failed"


def spins(summary: RunSummary) -> Rows:
    """What, typical, interval, n: the canary's fixed work, and the harness of each runtime around no task at all."""
    canary = summary.controls.get("canary", [])
    rows = [
        ["Canary: a fixed spin of the CPU, wall time", *_typical([line["wall_ns"] for line in canary if "wall_ns" in line])],
        ["Canary, CPU time", *_typical([line["cpu_ns"] for line in canary if "cpu_ns" in line])],
    ]
    null: dict[str, list[float]] = {}
    for line in summary.controls.get("null", []):
        if warm := line.get("elapsed_ns", [])[1:]:
            null.setdefault(str(line.get("runtime", "")), []).append(order.median(warm))
    rows += [[f"Null: the harness of {name} around no task", *_typical(found)] for name, found in null.items()]
    return [row for row in rows if len(row) > 1]


def _typical(nanoseconds: list[float]) -> list[str]:
    """Nothing for no value."""
    if not nanoseconds:
        return []
    found = order.estimate(value * _NS for value in nanoseconds)
    scale = units.scale_of([found.center], "s")
    return [f"{units.show(found, scale)} {scale.symbol}", units.show_interval(found, scale), str(found.n)]


def wake_ups(summary: RunSummary) -> list[tuple[str, str]]:
    """What a wake-up costs on this box: setting -> median round trip."""
    found = []
    for line in summary.controls.get("wake-up", []):
        times = line.get("round_trip_ns") or []
        value = units.bare(order.median(times) * _NS, "s") if times else f"failed: {line.get('failed', 'no value')}"
        found.append((str(line.get("setting", "")), value))
    return found


def looks(summary: RunSummary) -> list[tuple[str, list[str]]]:
    """What each look at the run said, and the numbers that would have needed the most blocks."""
    found = []
    for look in summary.controls.get("looks", []):
        wanted = sorted((look.get("predicted_blocks") or {}).items(), key=lambda item: (-item[1], item[0]))
        far = [f"{key}: about {counted(int(blocks), 'block')}" for key, blocks in wanted[:_NAMED]]
        after = f"after {counted(int(look['block']) + 1, 'block')}: " if look.get("block") is not None else ""
        found.append((f"{after}{look.get('reason', '')}", far))
    return found


def near(summary: RunSummary) -> str:
    """How close in time the runtimes of a cell were measured, in a sentence; empty where no block is whole."""
    spans: dict[str, float] = summary.controls.get("spans", {})
    if not spans:
        return ""
    widest = max(spans, key=spans.__getitem__)
    usual, most = (units.bare(seconds, "s") for seconds in (order.median(spans.values()), spans[widest]))
    workload, point, _ = widest.split("/")
    of = f"median of {counted(len(spans), 'cell')}; at most {most}, {workload}, {short_point(point)}"
    return f"In a block the runtimes of a cell were started within {usual} of each other ({of})."


def carried(summary: RunSummary) -> tuple[int, Rows]:
    """How many predecessors were looked at, and a row for each after which a program took longer or less."""
    effects = [msgspec.convert(row, CarryOver) for row in summary.controls.get("carry_over", [])]
    rows = [
        [effect.after, units.show(effect.ratio, _ONE), units.show_interval(effect.ratio, _ONE), units.bare(effect.memory, "B")]
        for effect in effects
        if effect.found and paired.is_finite(effect.ratio)
    ]
    return len(effects), rows


def agreed(summary: RunSummary) -> str:
    """How many cross-checks agree, in a sentence; empty where there was none."""
    states = Counter(row["state"] for row in summary.controls.get("agreement", []))
    told = ", ".join(f"{states[state]} {words}" for state, words in _STATES.items())
    return f"Of {counted(states.total(), 'cross-check')} {told}." if states else ""


def agreement(summary: RunSummary) -> Rows:
    """The rows of the native cross-check, with what the interval of each ratio is made of."""
    found = []
    for row in summary.controls.get("agreement", []):
        ours, theirs, ratio = (msgspec.convert(row[name], Estimate) for name in ("ours", "theirs", "interval"))
        case = f"{row['runtime']}: {row['workload']}, {row['point']}"
        times = f"{units.show(ratio, _ONE)}{units.TIMES} ({units.show_interval(ratio, _ONE)})"
        basis = counted(ratio.n, "pair") if row["method"] == "paired" else _ranks(theirs.n, ours.n, ratio.confidence > 0)
        found.append([case, str(row["harness"]), show(ours, "s"), show(theirs, "s"), times, basis, _state(row)])
    return found


def _ranks(theirs: int, ours: int, are_enough: bool) -> str:
    return f"ranks of {theirs} and {ours}" if are_enough else f"extremes of {theirs} and {ours}, too few for 95 %"


def _state(row: dict[str, Any]) -> str:
    if row["state"] != "disagrees":
        return str(row["state"])
    return f"disagrees by over {units.percent(crosscheck.DISAGREE)}: {row.get('explanation') or crosscheck.UNEXPLAINED}"
