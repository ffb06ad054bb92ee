"""The pages of a run: its figures, its cells, its controls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from corobench.report import exports, headline, reproduce, tables, units, view
from corobench.report.charts import base
from corobench.report.charts.base import Chart
from corobench.report.counted import counted_view
from corobench.report.headline import short_point
from corobench.report.render import Drawings, Drawn, of_another_run, render, show
from corobench.report.reproduce import Recipe
from corobench.report.runs import Entry, File, header, write
from corobench.report.text import counted, inside, slug, unclaimed
from corobench.report.view import Part, RunView
from corobench.results import log
from corobench.statistics import controls, estimates, verdicts
from corobench.statistics.flags import flag_words
from corobench.statistics.summary import BOX_FLAGS, LOUD, NO_CLAIMS
from corobench.statistics.types import CarryOver, Estimate, Flag, RunSummary

_NS = 1e-9
_NAMED = 8  # numbers that are the farthest from precise enough

Rows = list[list[str]]


def control_values(summary: RunSummary) -> dict[str, Any]:
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
        "least_delta": verdicts.LEAST_DELTA,
        "disagree": controls.DISAGREE,
    }


def noise_floor(summary: RunSummary) -> str:
    """The run's, with its sign; empty where it was not measured."""
    return "" if summary.noise_floor is None else f"±{units.percent(summary.noise_floor)}"


def failing(summary: RunSummary) -> str:
    """How many A/A controls failed, of those that can: the noise floor is made of these."""
    claimed = {(c.workload, c.point, c.track, c.metric) for c in summary.cells if c.claims}
    controls = [
        one.ratio
        for one in summary.noise
        if (one.workload, one.point, one.track, one.metric) in claimed
    ]
    usable = [ratio for ratio in controls if verdicts.usable_control(ratio)]
    return f"{sum(map(verdicts.noise_failed, usable))} of {counted(len(usable), 'control')} failed"


def spins(summary: RunSummary) -> Rows:
    """What, typical, interval, n: the canary's fixed work, and the harness of each runtime around
    no task at all.
    """
    canary = summary.controls.get("canary", [])
    rows = [
        [
            "Canary: a fixed spin of the CPU, wall time",
            *_typical([line["wall_ns"] for line in canary if "wall_ns" in line]),
        ],
        ["Canary, CPU time", *_typical([line["cpu_ns"] for line in canary if "cpu_ns" in line])],
    ]
    null: dict[str, list[float]] = {}
    for line in summary.controls.get("null", []):
        if warm := line.get("elapsed_ns", [])[1:]:
            null.setdefault(str(line.get("runtime", "")), []).append(estimates.median(warm))
    rows += [
        [f"Null: the harness of {name} around no task", *_typical(found)]
        for name, found in null.items()
    ]
    return [row for row in rows if len(row) > 1]


def _typical(nanoseconds: list[float]) -> list[str]:
    """Nothing for no value."""
    if not nanoseconds:
        return []
    found = estimates.median_interval(value * _NS for value in nanoseconds)
    scale = units.scale_of([found.center], "s")
    return [
        f"{units.show(found, scale)} {scale.symbol}",
        units.show_interval(found, scale),
        str(found.n),
    ]


def wake_ups(summary: RunSummary) -> list[tuple[str, str]]:
    """What a wake-up costs on this box: setting -> median round trip."""
    found = []
    for line in summary.controls.get("wake-up", []):
        times = line.get("round_trip_ns") or []
        value = (
            units.bare(estimates.median(times) * _NS, "s")
            if times
            else f"failed: {line.get('failed', 'no value')}"
        )
        found.append((str(line.get("setting", "")), value))
    return found


def looks(summary: RunSummary) -> list[tuple[str, list[str]]]:
    """What each look at the run said, and the numbers that would have needed the most blocks."""
    found = []
    for look in summary.controls.get("looks", []):
        wanted = sorted(
            (look.get("predicted_blocks") or {}).items(), key=lambda item: (-item[1], item[0])
        )
        far = [f"{key}: about {counted(int(blocks), 'block')}" for key, blocks in wanted[:_NAMED]]
        after = (
            f"after {counted(int(look['block']) + 1, 'block')}: "
            if look.get("block") is not None
            else ""
        )
        found.append((f"{after}{look.get('reason', '')}", far))
    return found


def near(summary: RunSummary) -> str:
    """How close in time the runtimes of a cell were measured, in a sentence; empty where no block
    is whole.
    """
    spans: dict[str, float] = summary.controls.get("spans", {})
    if not spans:
        return ""
    widest = max(spans, key=spans.__getitem__)
    usual, most = (
        units.bare(seconds, "s") for seconds in (estimates.median(spans.values()), spans[widest])
    )
    workload, point, _ = widest.split("/")
    of = (
        f"median of {counted(len(spans), 'cell')}; at most {most}, {workload}, {short_point(point)}"
    )
    return f"In a block the runtimes of a cell were started within {usual} of each other ({of})."


def carried(summary: RunSummary) -> tuple[int, Rows]:
    """How many predecessors were looked at, and a row for each after which a program took longer or
    less.
    """
    effects = [msgspec.convert(row, CarryOver) for row in summary.controls.get("carry_over", [])]
    rows = [
        [
            effect.after,
            units.show(effect.ratio, units.ONE),
            units.show_interval(effect.ratio, units.ONE),
            units.bare(effect.memory, "B"),
        ]
        for effect in effects
        if effect.found and estimates.is_finite(effect.ratio)
    ]
    return len(effects), rows


def agreed(summary: RunSummary) -> str:
    """How many cross-checks could be compared, and how many agree; empty where there was none."""
    states = Counter(row["state"] for row in summary.controls.get("agreement", []))
    agree, disagree = states["agrees"], states["disagrees"]
    if not states:
        return ""
    every = counted(states.total(), "cross-check")
    if not agree + disagree:
        return f"None of {every} was precise enough to compare."
    outcome = f"{agree} agree, {disagree} disagree" if disagree else "all agree"
    return f"{agree + disagree} of {every} could be compared; {outcome}."


def agreement(summary: RunSummary) -> Rows:
    """The rows of the native cross-check, with what the interval of each ratio is made of."""
    found = []
    for row in summary.controls.get("agreement", []):
        ours, theirs, ratio = (
            msgspec.convert(row[name], Estimate) for name in ("ours", "theirs", "interval")
        )
        case = f"{row['runtime']}: {row['workload']}, {row['point']}"
        times = (
            f"{units.show(ratio, units.ONE)}{units.TIMES} ({units.show_interval(ratio, units.ONE)})"
        )
        basis = (
            counted(ratio.n, "pair")
            if row["method"] == "paired"
            else _ranks(theirs.n, ours.n, ratio.confidence > 0)
        )
        found.append(
            [
                case,
                str(row["harness"]),
                show(ours, "s"),
                show(theirs, "s"),
                times,
                basis,
                _state(row),
            ]
        )
    return found


def _ranks(theirs: int, ours: int, are_enough: bool) -> str:
    return (
        f"ranks of {theirs} and {ours}"
        if are_enough
        else f"extremes of {theirs} and {ours}, too few for 95 %"
    )


def _state(row: dict[str, Any]) -> str:
    if row["state"] != "disagrees":
        return str(row["state"])
    return (
        f"disagrees by over {units.percent(controls.DISAGREE)}: "
        f"{row.get('explanation') or controls.UNEXPLAINED}"
    )


# of the shapes
GLYPHS = {
    "circle": "●",
    "square": "■",
    "triangle-up": "▲",
    "triangle-down": "▼",
    "diamond": "◆",
    "cross": "✚",
}
_OPEN = 4  # tables of a grid for each metric
NAMED = 3  # warnings that are named under the answer; all of them stand below, in full
KINDS = {
    "runtime": "runtime",
    "note": "note",
    "red": "not ranked",
    "amber": "caution",
    "failed": "failed",
    "gap": "no number",
}


class Started(NamedTuple):
    """A run whose charts are being drawn, beside whatever is done until the rest is written."""

    entry: Entry
    shown: RunView
    drawings: Drawings


def start(entry: Entry, out: Path, pictures: bool) -> Started:
    """Writes nothing yet."""
    drawings = Drawings(out / entry.place, pictures, stamp(entry))
    charts = view.make_charts(entry.summary, begin=drawings.begin)
    return Started(
        entry, view.make_view(entry.box, entry.name, entry.summary, charts=charts), drawings
    )


def write_run(started: Started, out: Path) -> None:
    """Everything of a run: page, cells, multiples, charts, summary and exports, in its own folder
    of the site; what is drawn last.
    """
    entry, shown, drawings = started
    folder, known = out / entry.place, header(entry)
    downloads = exports.write_all(entry.folder, known, entry.summary, folder)
    for part in _parts(shown):
        exports.write_part(known, entry.summary, part.workload.name, entry.folder, folder)
    recipes, origin = _by_runtime(entry.summary, known), reproduce.origin(entry.summary, known)
    told: dict[str, Any] = {"recipes": recipes, "origin": origin, "runtime_href": runtime_href}
    setting_up = reproduce.setting_up(
        entry.summary, [runtime.name for runtime in entry.summary.runtimes]
    )
    cells = render(
        "cells.html.j2", depth=3, view=shown, quick=shown.quick, setting_up=setting_up, **told
    )
    write(folder / "cells.html", cells)
    if has_core(shown):
        write(folder / "normalised.html", normalised_page(shown, picture(entry, shown)))
    values = {
        **page_values(shown, drawings.promised(), downloads),
        "base": "",
        "brief": False,
        "picture": picture(entry, shown),
    }
    write(folder / "index.html", drawings.filled(render("run.html.j2", depth=3, **values)))


def has_core(shown: RunView) -> bool:
    """Whether the matrix is one of core workloads, which are what is normalised."""
    core = {w.name for w in shown.summary.workloads if w.group != "scenario"}
    return any(column.workload in core for column in shown.matrix.columns)


def normalised_page(shown: RunView, picture: str = "") -> bytes:
    """The page of multiples."""
    matrix = tables.normalised(shown.matrix)
    return render(
        "normalised.html.j2",
        depth=3,
        view=shown,
        quick=shown.quick,
        picture=picture,
        matrix=matrix,
        doubts=tables.base_doubts(matrix),
        no_base=tables.NO_BASE,
        shades=tables.SHADES,
        shade=tables.shade,
        why=tables.no_number,
        runtime_href=runtime_href,
    )


def _by_runtime(summary: RunSummary, known: log.RunHeader) -> dict[str, list[Recipe]]:
    found: dict[str, list[Recipe]] = {}
    for recipe in reproduce.recipes(summary, known):
        found.setdefault(recipe.runtime, []).append(recipe)
    return found


def stamp(entry: Entry) -> str:
    """What every chart that leaves the page says of its origin."""
    origin = f"{entry.box}, {entry.name}"
    return (
        origin
        if entry.card.claims
        else f"{origin}; {inside(unclaimed(entry.card.profile)).rstrip('.')}"
    )


def featured(
    entry: Entry, out: Path, pictures: bool, drawings: Drawings | None, million: Entry | None
) -> tuple[dict[str, Any], Drawings]:
    """The values for the index, which shows one chart a workload, and the charts; their files are
    in the run's own folder.

    `drawings`: all charts of the run, where they are being drawn. `million`: the run that says what
    a million tasks hold.
    """
    if drawings is None:
        drawings = Drawings(out / entry.place, pictures, stamp(entry))
        charts = view.make_charts(entry.summary, "brief", drawings.begin)
    else:
        charts = view.make_charts(entry.summary, "brief")
    shown = view.make_view(entry.box, entry.name, entry.summary, "brief", charts)
    drawn = drawings.promised()
    if million:
        asked, chart = view.of_a_million(million.summary)
        shown = msgspec.structs.replace(
            shown,
            answer=headline.with_question(
                shown.answer, msgspec.structs.replace(asked, run=million.place)
            ),
        )
        drawn = {**drawn, chart.id: of_another_run(chart)}
    return {
        **page_values(shown, drawn, exports.shipped()),
        "base": entry.place,
        "brief": True,
        "picture": picture(entry, shown),
    }, drawings


def picture(entry: Entry, shown: RunView) -> str:
    """The picture that stands for a run where its page is shared, from the site's root."""
    names = [one.chart for one in shown.answer.questions if one.cells]
    return f"{entry.place}charts/{names[len(names) // 2]}.png" if names else ""


def _parts(shown: RunView) -> Iterator[Part]:
    return (part for section in shown.sections for part in section.parts)


def page_values(shown: RunView, drawn: dict[str, Drawn], downloads: list[File]) -> dict[str, Any]:
    """What the template of a run's body takes."""
    summary = shown.summary
    groups = sorted(
        {g for rows in shown.matrix.bodies.values() for row in rows for g in row.groups}
    )
    return {
        "view": shown,
        "drawn": drawn,
        "downloads": downloads,
        "quick": shown.quick,
        "has_core": has_core(shown),
        "counted_view": counted_view(summary),
        "groups": groups,
        "kinds": KINDS,
        "warnings": all_warnings(summary),
        "named": named(all_warnings(summary)),
        "spoiled": spoiled(summary),
        "disturbed": disturbed(summary),
        "quiet": quiet(summary),
        **control_values(summary),
        "unlike": lambda part: unlike(part, summary),
        "marks_of": marks_of,
        "folded": folded,
        "part_file": exports.part_file,
        "runtime_href": runtime_href,
    }


def runtime_href(name: str) -> str:
    """The page of a runtime, relative to the site's root."""
    return f"runtimes/{slug(name)}.html"


def folded(charts: list[Chart]) -> tuple[list[Chart], list[tuple[str, list[Chart]]]]:
    """Those that stand open, and the rest of each metric's tables of a grid with what they are:
    one a runtime makes hundreds.
    """
    beside: list[Chart] = []
    more: dict[str, list[Chart]] = {}
    for chart in charts:
        kind, _, rest = chart.id.partition("--")
        metric = "--".join(rest.split("--")[:2])
        if (
            kind == "heat"
            and sum(one.id.startswith(f"heat--{metric}--") for one in beside) >= _OPEN
        ):
            more.setdefault(metric, []).append(chart)
        else:
            beside.append(chart)
    return beside, [(found[0].title.partition(":")[0], found) for found in more.values()]


def unlike(part: Part, summary: RunSummary) -> str:
    """`stackless task (asyncio, uvloop); thread (...)` where a workload's runtimes have different
    units.
    """
    present = {c.runtime for c in summary.cells if c.workload == part.workload.name and c.median}
    found: dict[str, list[str]] = {}
    for runtime in summary.runtimes:
        if runtime.name in present:
            found.setdefault(runtime.unit, []).append(runtime.name)
    return (
        "; ".join(f"{_mark(unit)} ({', '.join(names)})" for unit, names in found.items())
        if len(found) > 1
        else ""
    )


def marks_of(units: list[str]) -> str:
    """What a mark of each shape is, where a page has several units."""
    return ", ".join(map(_mark, units)) if len(units) > 1 else ""


def _mark(unit: str) -> str:
    return f"{GLYPHS[base.shape(unit)]} {unit}"


def all_warnings(summary: RunSummary) -> list[str]:
    """Those of the run and those of its box; that it makes no claims stands on top of the page."""
    return [*(warning for warning in summary.warnings if warning != NO_CLAIMS), *_of_box(summary)]


def named(warnings: list[str]) -> str:
    """The first of them by what they are about, which is what each begins with."""
    names = [warning.partition(": ")[0] for warning in warnings[:NAMED]]
    return "; ".join(
        [*names, *([f"{len(warnings) - NAMED} more"] if len(warnings) > NAMED else [])]
    )


def spoiled(summary: RunSummary) -> str:
    """How many numbers the box itself keeps out of the groups; empty for none."""
    hit = _hit(summary)
    return (
        f"background noise affected {sum(map(bool, hit)):,} of {counted(len(hit), 'result')}"
        if any(hit)
        else ""
    )


def quiet(summary: RunSummary) -> str:
    """Whether the box was, in a word. What its facts warn of need not have shown."""
    if _spoiled(summary) > LOUD:
        return "no"
    return "mostly" if _spoiled(summary) or _of_box(summary) else "yes"


def disturbed(summary: RunSummary) -> list[str]:
    """What was not quiet about the box: how many numbers it spoiled, and what its facts warn of;
    nothing of a quiet box.
    """
    hit = _hit(summary)
    reasons = Counter(name for flags in hit for name in {flag_words(flag) for flag in flags})
    if not reasons:
        return _of_box(summary)
    why = ", ".join(f"{name}: {count}" for name, count in reasons.most_common())
    spoiled = (
        f"{sum(map(bool, hit)):,} of {counted(len(hit), 'number')} of this run can't be "
        f"ranked for what the box did ({why})"
    )
    red = sum(not cell.trusted for cell in view.presentable(summary).cells if cell.median)
    return [f"{spoiled}, {red:,} for any reason", *_of_box(summary)]


def _hit(summary: RunSummary) -> list[list[Flag]]:
    """For each number the red flags that the box gave it."""
    measured = (cell for cell in summary.cells if cell.median)
    return [
        [flag for flag in cell.flags if flag.level == "red" and flag.name in BOX_FLAGS]
        for cell in measured
    ]


def _spoiled(summary: RunSummary) -> float:
    """The share of the numbers that can't be ranked for what the box did besides."""
    hit = _hit(summary)
    return sum(map(bool, hit)) / len(hit) if hit else 0.0


def _of_box(summary: RunSummary) -> list[str]:
    told = summary.box.get("warnings", [])
    return [_words(warning) for warning in (told if isinstance(told, list) else [told])]


def _words(warning: Any) -> str:
    """A warning of the box: words, or an object that says what and what to do about it."""
    return (
        ": ".join(str(v) for v in warning.values()) if isinstance(warning, dict) else str(warning)
    )
