"""Comparison pages: two runs of one box; boxes side by side; two runtimes of a run; a campaign.

In a campaign each box stands against its own reference; what all agree on, and what flips with the
machine, is told apart.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from corobench.fleet.campaign import Collected, Record
from corobench.fleet.campaign import told as selected
from corobench.report import units
from corobench.report.charts.base import Caption, Chart, interval_words, says
from corobench.report.charts.intervals import Ratio, ratio_chart
from corobench.report.exports.markdown import split
from corobench.report.headline import Column, column, columns, family_order, short_point
from corobench.report.pages.run import runtime_href
from corobench.report.render import draw, render
from corobench.report.runs import Entry, Told, claiming_first, newest, write
from corobench.report.tables import is_core
from corobench.report.text import TRACK_TITLES, anchor, flat, inside, slug, unclaimed
from corobench.results import log
from corobench.statistics import estimates
from corobench.statistics.compare import compare
from corobench.statistics.types import (
    Cell,
    Change,
    Estimate,
    RunComparison,
    RunSummary,
    WorkloadFacts,
)

MOST = 12  # pairs of a box and profile that have a page: any other one is for the command line
VERDICTS = ("lower", "higher", "equal", "inconclusive", "not comparable")


def pairs(entries: list[Entry]) -> list[tuple[Entry, Entry]]:
    """Each of the newest runs with the one before it of its profile on its box, the newest pair
    first.

    Runs of two profiles measure other cases, so that there is little to compare.
    """
    alike: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        alike.setdefault((entry.box, entry.card.profile), []).append(entry)
    found = [
        (before, after)
        for runs in alike.values()
        for after, before in itertools.pairwise(runs[: MOST + 1])
    ]
    return sorted(found, key=lambda pair: entries.index(pair[1]))


def place(before: Entry, after: Entry) -> str:
    """The folder of a pair in the site."""
    return f"compare/{slug(after.box)}/{slug(before.name)}--{slug(after.name)}/"


def compared(before: Entry, after: Entry) -> RunComparison:
    """The comparison of two runs."""
    return compare(log.read(before.folder), log.read(after.folder))


def write_pair(
    before: Entry, after: Entry, found: RunComparison, out: Path, pictures: bool
) -> Path:
    """The page of a pair."""
    folder = out / place(before, after)
    claims = before.card.claims and after.card.claims
    stamp = f"{after.name} against {before.name} on {after.box}" + (
        "" if claims else f"; {inside(unclaimed(after.card.profile)).rstrip('.')}"
    )
    drawn = draw(comparison_charts(found, families(after)), folder, pictures, stamp)
    write(folder / "compare.json", msgspec.json.format(msgspec.json.encode(found)))
    page = render(
        "compare_pair.html.j2",
        depth=3,
        here="compare.html",
        quick="" if claims else unclaimed(after.card.profile),
        found=found,
        before=before,
        after=after,
        drawn=list(drawn.values()),
        rows=[row(change) for change in sorted(ordered(found, families(after)), key=_telling)],
        verdicts=VERDICTS,
        counts=counts(found),
        sentence=sentence(found),
        environment=list(split(found.environment)),
    )
    return write(folder / "index.html", page)


def families(entry: Entry) -> dict[str, str]:
    """workload -> family."""
    return {w.name: w.family for w in entry.summary.workloads}


def comparison_charts(found: RunComparison, family: dict[str, str]) -> list[Chart]:
    """One chart a metric of a workload: the ratios of all of its cases, each in its own delta
    zone.
    """
    groups: dict[tuple[str, str], list[Change]] = {}
    for change in ordered(found, family):
        if change.ratio is not None:
            groups.setdefault((change.workload, change.metric), []).append(change)
    return [
        _comparison_chart(workload, metric, changes)
        for (workload, metric), changes in groups.items()
    ]


def ordered(found: RunComparison, family: dict[str, str]) -> list[Change]:
    """The changes in the order of a page."""
    return sorted(
        found.changes, key=lambda c: (family_order(family.get(c.workload, "")), c.workload)
    )


def _comparison_chart(workload: str, metric: str, changes: list[Change]) -> Chart:
    points = len({c.point for c in changes}) > 1
    ratios = [
        Ratio(
            row=", ".join(
                [
                    c.runtime,
                    *([short_point(c.point)] if points else []),
                    *(["all CPUs"] if c.track == "all-cpus" else []),
                ]
            ),
            label=c.method or "",
            value=c.ratio,
            note=c.verdict + (f": {c.reason}" if c.reason else ""),
            series={"lower": 2, "higher": 1}.get(c.verdict, 7),
            sure=c.verdict in ("lower", "higher", "equal"),
            delta=c.delta if math.isfinite(c.delta) else None,
        )
        for c in changes
        if c.ratio
    ]
    bars = interval_words(c.ratio for c in changes)
    caption = Caption(
        "After / before; shaded: counts as equal; hollow: no verdict.",
        f"Bars: {bars}; shaded is what counts as equal for that number.",
    )
    return ratio_chart(
        anchor(workload, metric),
        f"{workload}, {metric}: ratio of the two runs",
        caption,
        ratios,
        changes[0].better,
    )


def _telling(change: Change) -> tuple[bool, int]:
    """What a reader looks for first: regressions, then what changed, what is equal, and last what
    can't be compared.
    """
    return not change.regression, VERDICTS.index(change.verdict)


def row(change: Change) -> dict[str, Any]:
    """A change as the table shows it."""
    scale = units.scale_of_estimates((change.before, change.after), change.unit)
    return {
        "case": f"{change.workload}, {short_point(change.point)}, {change.metric}",
        "runtime": change.runtime,
        "track": change.track,
        "key": change.key,
        "before": f"{units.show(change.before, scale)} {scale.symbol}",
        "after": f"{units.show(change.after, scale)} {scale.symbol}",
        "ratio": units.show(change.ratio, units.ONE),
        "raw": change.ratio.center if change.ratio else None,
        "interval": units.show_interval(change.ratio, units.ONE) if change.ratio else units.NONE,
        "instructions": units.show(change.instructions, units.ONE) if change.instructions else "",
        "method": change.method or "",
        "verdict": change.verdict,
        "regression": change.regression,
        "reason": change.reason,
    }


def counts(found: RunComparison) -> list[tuple[str, int]]:
    """How many changes have each verdict, those without any left out."""
    return [(v, n) for v in VERDICTS if (n := sum(c.verdict == v for c in found.changes))]


def sentence(found: RunComparison) -> str:
    """The answer of the page, and how much of it rests on counts."""
    counted = sum(c.method == "counted" for c in found.changes)
    rest = f" Time could not tell {counted} of them: instructions decided." if counted else ""
    return _answer(found) + rest


def _answer(found: RunComparison) -> str:
    if not found.changes:
        return "The two runs have no number in common."
    worse, total = len(found.regressions), len(found.changes)
    unlike = sum(c.verdict == "not comparable" for c in found.changes)
    rest = f"; {unlike} can't be compared, each with its reason" if unlike else ""
    told = sum(c.verdict in ("lower", "higher") for c in found.changes)
    if told:
        tail = (
            f", {worse} of them worse by more than {units.percent(found.threshold)}"
            if worse
            else ""
        )
        return f"{told} of {total} numbers changed beyond chance{tail}{rest}."
    if unlike == total:
        return (
            f"None of the {total} numbers that both runs have can be compared; each one's "
            "reason is in the table."
        )
    equal, open_ = (sum(c.verdict == v for c in found.changes) for v in ("equal", "inconclusive"))
    if not equal:
        return (
            f"Nothing can be said of any of the {total} numbers: {open_} can't be told "
            f"either way{rest}."
        )
    untold = f" and {open_} can't be told either way" if open_ else ""
    return f"No number changed beyond chance: of {total}, {equal} stayed the same{untold}{rest}."


_LEAST = 2  # boxes, below which nothing stands beside anything


def write_boxes(
    entries: list[Entry],
    told: list[Told],
    campaigns: Mapping[str, str],
    out: Path,
    pictures: bool,
) -> Path:
    """boxes.html: facts of each box, and the newest ratio of each case there that a run with claims
    has. `campaigns`: the page of each, by title.
    """
    shown: dict[str, Entry] = {}
    for entry in claiming_first(entries):
        shown.setdefault(entry.box, entry)
    boxes = [shown[box] for box in dict.fromkeys(e.box for e in entries)]
    claiming = [e for e in boxes if e.card.claims]
    drawn = draw(
        box_charts(told) if len(claiming) >= _LEAST else [],
        out / "boxes",
        pictures,
        "ratios to the reference of each box",
    )
    names = list(dict.fromkeys(name for e in boxes for name, _ in flat(e.summary.box)))
    facts = [(name, [dict(flat(e.summary.box)).get(name, "") for e in boxes]) for name in names]
    page = render(
        "boxes.html.j2",
        depth=0,
        here="boxes.html",
        campaigns=campaigns,
        boxes=boxes,
        claiming=claiming,
        drawn=list(drawn.values()),
        facts=facts,
    )
    return write(out / "boxes.html", page)


def box_charts(told: list[Told]) -> list[Chart]:
    """A chart for each workload and track: rows are runtimes, a colour and shape a box; of what
    several boxes have.
    """
    compared = _shared([one for one in told if one.entry.card.claims and one.cell.comparison])
    boxes = {
        box: place for place, box in enumerate(dict.fromkeys(one.entry.box for one in compared))
    }
    found = [
        _box_chart(
            head,
            track,
            [
                one
                for one in compared
                if _place(one.cell) == (head.workload, head.point, head.metric, track)
            ],
            boxes,
        )
        for head in _heads(compared)
        for track in TRACK_TITLES
    ]
    return [chart for chart in found if chart is not None]


def _shared(told: list[Told]) -> list[Told]:
    """Those of a case that another box has as well."""
    boxes: dict[str, set[str]] = {}
    for one in told:
        boxes.setdefault(one.cell.key, set()).add(one.entry.box)
    return [one for one in told if len(boxes[one.cell.key]) >= _LEAST]


def _heads(told: list[Told]) -> list[Column]:
    """The headline of each workload over all boxes, so that one point stands for it on each."""
    runs = list({one.entry.key: one.entry for one in told}.values())
    workloads = {w.name: (entry, w) for entry in reversed(runs) for w in entry.summary.workloads}
    cells = [one.cell for one in told]
    merged = {
        name: (msgspec.structs.replace(e.summary, cells=cells, workloads=[w]), w)
        for name, (e, w) in workloads.items()
    }
    heads = [
        column(*merged[name])
        for name in sorted(merged, key=lambda name: (family_order(merged[name][1].family), name))
    ]
    return [head for head in heads if head is not None]


def _place(cell: Cell) -> tuple[str, str, str, str]:
    return cell.workload, cell.point, cell.metric, cell.track


def _box_chart(head: Column, track: str, told: list[Told], boxes: dict[str, int]) -> Chart | None:
    if len({one.entry.box for one in told}) < _LEAST:
        return None
    references = dict.fromkeys(one.cell.comparison.other for one in told if one.cell.comparison)
    ratios = sorted(
        (_ratio(one, boxes[one.entry.box]) for one in told), key=lambda r: (r.row, r.series)
    )
    title = (
        f"{head.title}, {head.where} · {TRACK_TITLES[track]}: ratio to {' or '.join(references)}"
    )
    caption = Caption(
        "Each box against its own reference; hollow: not ranked.",
        f"Bars: 95 % intervals.{_units(told)}",
    )
    return ratio_chart(
        anchor("boxes", head.workload, track),
        title,
        caption,
        ratios,
        head.better,
        row="Runtime",
        label="Box",
    )


def _units(told: list[Told]) -> str:
    """What each row is a ratio of, where runtimes of unlike units meet."""
    found: dict[str, dict[str, None]] = {}
    for one in told:
        unit = next(r.unit for r in one.entry.summary.runtimes if r.name == one.cell.runtime)
        found.setdefault(unit, {})[one.cell.runtime] = None
    words = [f"{unit} ({', '.join(sorted(names))})" for unit, names in found.items()]
    return f" Units differ: {'; '.join(words)}." if len(words) > 1 else ""


def _ratio(one: Told, series: int) -> Ratio:
    assert one.cell.comparison is not None
    note = "; ".join(part for part in (says(one.cell), f"run {one.entry.name}") if part)
    value = one.cell.comparison.ratio
    return Ratio(
        row=one.cell.runtime,
        label=one.entry.box,
        value=value,
        note=note,
        series=series,
        sure=one.cell.trusted,
    )


# What readers ask most, in words of the runtimes' titles; the first has the page's first place.
ASKED = (
    ("uvloop", "asyncio"),
    ("gevent", "asyncio"),
    ("go", "tokio-multi-thread"),
    ("go-p1", "tokio-current-thread"),
    ("node", "asyncio"),
    ("node", "go-p1"),
    ("node", "bun"),
    ("go-p1", "asyncio"),
    ("tokio-current-thread", "tokio-multi-thread"),
    ("trio", "asyncio"),
)
_MOST_RUNTIMES = 10


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of two runtimes. `ratio` is the first's to the second's, paired by block; `lower` is
    the one whose value is, where the whole interval says so and both can be ranked.
    """

    first: Cell
    second: Cell
    ratio: Estimate
    lower: str


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of which either runtime is the lower one, each at some points."""

    workload: WorkloadFacts
    metric: str
    track: str
    points: dict[str, list[str]]


def runtime_pairs(summary: RunSummary) -> list[tuple[str, str]]:
    """The pairs of a run's core runtimes, what is asked most first. Pairs of others are a choice of
    the baseline on the run's page.
    """
    workloads = {workload.name for workload in summary.workloads if workload.group != "scenario"}
    count = Counter(
        runtime
        for runtime, _ in {
            (cell.runtime, cell.workload)
            for cell in summary.cells
            if cell.median and cell.workload in workloads
        }
    )
    core = [r for r in summary.runtimes if is_core(r)]
    # A variant that was made for one workload has nothing to be set beside.
    names = [r.name for r in core if 2 * count[r.name] > max(count.values(), default=0)]
    tracks = {
        name: {cell.track for cell in summary.cells if cell.runtime == name and cell.median}
        for name in names
    }
    every = [
        (one, other)
        for one, other in itertools.combinations(names[:_MOST_RUNTIMES], 2)
        if tracks[one] & tracks[other]
    ]
    asked = [pair for pair in ASKED if pair in every or pair[::-1] in every]
    return asked + [pair for pair in every if pair not in asked and pair[::-1] not in asked]


def pair_href(first: str, second: str) -> str:
    """The page of two runtimes, relative to the site's root."""
    return f"pairs/{slug(first)}-or-{slug(second)}.html"


def write_runtime_pairs(entry: Entry, out: Path, pictures: bool) -> None:
    """A page for each pair of core runtimes of a run: all figures that both have."""
    facts = {runtime.name: runtime for runtime in entry.summary.runtimes}
    stamp = f"{entry.box}, {entry.name}"
    for first, second in runtime_pairs(entry.summary):
        rows = beside(entry.summary, first, second)
        charts = [_pair_chart(entry, first, second, rows)] if (first, second) in ASKED else []
        drawn = draw(charts, out / "pairs" / f"{slug(first)}-or-{slug(second)}", pictures, stamp)
        page = render(
            "pair.html.j2",
            depth=1,
            here="compare.html",
            quick="" if entry.card.claims else unclaimed(entry.card.profile),
            entry=entry,
            first=facts[first],
            second=facts[second],
            drawn=list(drawn.values()),
            charts=f"{slug(first)}-or-{slug(second)}/",
            sentence=pair_sentence(first, second, _heads_of(entry, rows)),
            flips=flips(entry.summary, rows),
            families=_by_workload(entry.summary, rows),
            runtime_href=runtime_href,
        )
        write(out / pair_href(first, second), page)


def beside(summary: RunSummary, first: str, second: str) -> list[Beside]:
    """Every figure that two runtimes have at the same point of the same track, in the order of the
    run's cells.
    """
    whole = set(summary.whole_blocks)
    others = {_place(cell): cell for cell in summary.cells if cell.runtime == second}
    found = []
    for cell in summary.cells:
        other = others.get(_place(cell)) if cell.runtime == first else None
        if other is None or not cell.median or not other.median:
            continue
        ratio = estimates.paired_estimate(estimates.within(cell.samples, whole), other.samples)
        if ratio is not None:
            found.append(
                Beside(first=cell, second=other, ratio=ratio, lower=_lower(cell, other, ratio))
            )
    return found


def _lower(first: Cell, second: Cell, ratio: Estimate) -> str:
    """Which of the two has the lower value; empty where that can't be told."""
    if not (first.trusted and second.trusted and ratio.confidence):
        return ""
    return first.runtime if ratio.high < 1 else second.runtime if ratio.low > 1 else ""


def flips(summary: RunSummary, rows: list[Beside]) -> list[Flip]:
    """The figures of core workloads of which the answer depends on the point. In a scenario it does
    by design.
    """
    facts = {w.name: w for w in summary.workloads if w.group != "scenario"}
    found: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for row in rows:
        if row.lower and row.first.workload in facts:
            key = (row.first.workload, row.first.metric, row.first.track)
            points = found.setdefault(key, {})
            points.setdefault(row.lower, []).append(short_point(row.first.point))
    return [
        Flip(workload=facts[workload], metric=metric, track=track, points=points)
        for (workload, metric, track), points in found.items()
        if len(points) > 1
    ]


def _heads_of(entry: Entry, rows: list[Beside]) -> list[Beside]:
    """Of the rows those that are columns of the run's matrix, on the first track that both have."""
    heads = {(h.workload, h.point, h.metric) for h in columns(entry.summary)}
    track = rows[0].first.track if rows else ""
    return [
        row
        for row in rows
        if (row.first.workload, row.first.point, row.first.metric) in heads
        and row.first.track == track
    ]


def pair_sentence(first: str, second: str, rows: list[Beside]) -> str:
    """`uvloop is lower in 9 of 14 figures, asyncio in 2.`"""
    if not rows:
        return "The two have no figure in common."
    count = Counter(row.lower for row in rows)
    more, less = sorted((first, second), key=lambda name: -count[name])
    return (
        f"{more} is lower in {count[more]} of {len(rows)} figures, {less} in {count[less]}; "
        f"{count['']} can't be told apart."
    )


def _by_workload(
    summary: RunSummary, rows: list[Beside]
) -> list[tuple[WorkloadFacts, list[dict[str, Any]]]]:
    facts = {workload.name: workload for workload in summary.workloads}
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row.first.workload, []).append(_beside_row(facts, row))
    order = sorted(found, key=lambda name: (family_order(facts[name].family), name))
    return [(facts[name], found[name]) for name in order]


def _beside_row(facts: dict[str, WorkloadFacts], row: Beside) -> dict[str, Any]:
    scale = units.scale_of_estimates((row.first.median, row.second.median), row.first.unit)
    cell = row.first
    return {
        "what": facts[cell.workload].metrics[cell.metric],
        "point": short_point(cell.point),
        "track": cell.track,
        "key": "/".join((cell.workload, cell.point, cell.track, cell.metric)),
        "symbol": scale.symbol,
        "values": [
            (units.show(one.median, scale), units.show_interval(one.median, scale), one.trusted)
            for one in (row.first, row.second)
            if one.median
        ],
        "ratio": units.show(row.ratio, units.ONE),
        "interval": units.show_interval(row.ratio, units.ONE),
        "raw": row.ratio.center,
        "lower": row.lower,
    }


def _pair_chart(entry: Entry, first: str, second: str, rows: list[Beside]) -> Chart:
    """The ratio of each column of the matrix."""
    titles = {workload.name: workload.title for workload in entry.summary.workloads}
    shown = _heads_of(entry, rows)
    ratios = [
        Ratio(
            row=f"{titles[row.first.workload]}, {short_point(row.first.point)}",
            label="",
            value=row.ratio,
            note="" if row.lower else "can't be told apart",
            series=0,
            sure=bool(row.lower),
        )
        for row in shown
    ]
    return ratio_chart(
        "ratios",
        f"{first} / {second}",
        Caption(
            f"{first} divided by {second}; hollow: can't be told apart.", "Bars: 95 % intervals."
        ),
        ratios,
        "lower",
        row="Figure",
    )


_DECIDED = ("lower", "higher", "equal")
_MOST_BOXES = 12  # boxes with a column each; of more it is told how many say what


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of a runtime against the reference: on each box (in their order) the verdict and the
    ratio with its interval; empty where it can't be ranked there.
    """

    workload: str
    where: str
    metric: str
    track: str
    runtime: str
    other: str
    verdicts: list[str]
    ratios: list[str]

    @property
    def known(self) -> list[str]:
        return [verdict for verdict in self.verdicts if verdict]

    @property
    def flips(self) -> bool:
        return {"lower", "higher"} <= set(self.known)

    @property
    def agreed(self) -> bool:
        return len(self.known) >= _LEAST and len(set(self.known)) == 1


def write_campaigns(
    records: Mapping[str, Record], entries: list[Entry], out: Path, pictures: bool
) -> None:
    """campaigns/NAME.html for each."""
    for name, record in records.items():
        _write_campaign(name, record, entries, out, pictures)


def campaign_page(name: str) -> str:
    return f"campaigns/{slug(name)}.html"


def _write_campaign(
    name: str, record: Record, entries: list[Entry], out: Path, pictures: bool
) -> Path:
    runs = {one.run for one in record.jobs if one.run}
    own = [entry for entry in entries if entry.key in runs]
    told = newest(own)
    boxes = list(dict.fromkeys(entry.box for entry in own))
    charts = box_charts(told) if _LEAST <= len(boxes) <= _MOST_BOXES else []
    drawn = draw(charts, out / "campaigns" / slug(name), pictures, "ratios on each box")
    said = verdicts(told, boxes)
    page = render(
        "campaign.html.j2",
        depth=1,
        here="boxes.html",
        record=record,
        boxes=boxes,
        each=len(boxes) <= _MOST_BOXES,
        words=[*_DECIDED, ""],
        folder=f"{slug(name)}/",
        drawn=list(drawn.values()),
        flips=[one for one in said if one.flips],
        agreed=[one for one in said if one.agreed],
        total=len(said),
        jobs=[(one, selected(one.selection), _job_place(one, own)) for one in record.jobs],
        missing=sum(not one.run for one in record.jobs),
    )
    return write(out / campaign_page(name), page)


def verdicts(told: list[Told], boxes: list[str]) -> list[Said]:
    """What at least two boxes have ranked, by figure."""
    found: dict[str, dict[str, Told]] = {}
    for one in told:
        if one.cell.comparison is not None:
            found.setdefault(one.cell.key, {})[one.entry.box] = one
    said = [_said_of(by_box, boxes) for by_box in found.values()]
    return [one for one in said if len(one.known) >= _LEAST]


def _said_of(by_box: Mapping[str, Told], boxes: list[str]) -> Said:
    words, ratios = [], []
    for box in boxes:
        cell = by_box[box].cell if box in by_box else None
        if (
            cell is None
            or cell.comparison is None
            or not cell.trusted
            or cell.comparison.verdict not in _DECIDED
        ):
            words.append("")
            ratios.append("")
            continue
        words.append(cell.comparison.verdict)
        ratio = cell.comparison.ratio
        ratios.append(f"{units.show(ratio, units.ONE)} ({units.show_interval(ratio, units.ONE)})")
    first = next(iter(by_box.values())).cell
    assert first.comparison is not None
    return Said(
        workload=first.workload,
        where=short_point(first.point),
        metric=first.metric,
        track=TRACK_TITLES[first.track],
        runtime=first.runtime,
        other=first.comparison.other,
        verdicts=words,
        ratios=ratios,
    )


def _job_place(job: Collected, own: list[Entry]) -> str:
    """The pages of a job's run; empty where the site hasn't them."""
    return next((entry.place for entry in own if entry.key == job.run), "")
