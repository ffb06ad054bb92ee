"""Two runs of one box: what changed beyond chance, and what else differed."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import msgspec

from corobench import store
from corobench.report import units
from corobench.report.charts.ratios import Ratio, ratio_chart
from corobench.report.charts.says import interval_words
from corobench.report.charts.style import Chart
from corobench.report.collect import Entry
from corobench.report.comparison import split
from corobench.report.drawing import draw
from corobench.report.headline import family_order, short_point
from corobench.report.slugs import anchor, slug
from corobench.report.templating import render
from corobench.report.units import Scale
from corobench.report.wording import inside, unclaimed
from corobench.report.writing import write
from corobench.statistics.compare import compare
from corobench.statistics.values import Change, RunComparison

_ONE = Scale(1.0, "")
MOST = 12  # pairs of a box and profile that have a page: any other one is for the command line
VERDICTS = ("lower", "higher", "equal", "inconclusive", "not comparable")


def pairs(entries: list[Entry]) -> list[tuple[Entry, Entry]]:
    """Each of the newest runs with the one before it of its profile on its box, the newest pair first.

    Runs of two profiles measure other cases, so that there is little to compare.
    """
    alike: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        alike.setdefault((entry.box, entry.card.profile), []).append(entry)
    found = [(before, after) for runs in alike.values() for after, before in itertools.pairwise(runs[: MOST + 1])]
    return sorted(found, key=lambda pair: entries.index(pair[1]))


def place(before: Entry, after: Entry) -> str:
    """The folder of a pair in the site."""
    return f"compare/{slug(after.box)}/{slug(before.name)}--{slug(after.name)}/"


def compared(before: Entry, after: Entry, cache: Path) -> RunComparison:
    """The comparison of two runs, remembered by the contents of both."""
    kept = _kept(before, after, cache)
    try:
        return msgspec.json.decode(kept.read_bytes(), type=RunComparison)
    except (FileNotFoundError, msgspec.DecodeError):  # it is only a memory
        found = compare(store.read(before.folder), store.read(after.folder))
        write(kept, msgspec.json.encode(found))
        return found


def _kept(before: Entry, after: Entry, cache: Path) -> Path:
    return cache / f"{before.digest[:24]}-{after.digest[:24]}.compare.json"


def write_pair(before: Entry, after: Entry, found: RunComparison, out: Path, pictures: bool) -> Path:
    """The page of a pair."""
    folder = out / place(before, after)
    claims = before.card.claims and after.card.claims
    stamp = f"{after.name} against {before.name} on {after.box}" + (
        "" if claims else f"; {inside(unclaimed(after.card.profile)).rstrip('.')}"
    )
    drawn = draw(charts(found, families(after)), folder, pictures, stamp)
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


def charts(found: RunComparison, family: dict[str, str]) -> list[Chart]:
    """One chart a metric of a workload: the ratios of all of its cases, each in its own delta zone."""
    groups: dict[tuple[str, str], list[Change]] = {}
    for change in ordered(found, family):
        if change.ratio is not None:
            groups.setdefault((change.workload, change.metric), []).append(change)
    return [_chart(workload, metric, changes) for (workload, metric), changes in groups.items()]


def ordered(found: RunComparison, family: dict[str, str]) -> list[Change]:
    """The changes in the order of a page."""
    return sorted(found.changes, key=lambda c: (family_order(family.get(c.workload, "")), c.workload))


def _chart(workload: str, metric: str, changes: list[Change]) -> Chart:
    points = len({c.point for c in changes}) > 1
    ratios = [
        Ratio(
            row=", ".join(
                [c.runtime, *([short_point(c.point)] if points else []), *(["all CPUs"] if c.track == "all-cpus" else [])]
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
    caption = f"After / before; bars: {bars}; shaded: what counts as equal for that number. Hollow and grey: no verdict."
    return ratio_chart(
        anchor(workload, metric), f"{workload}, {metric}: ratio of the two runs", caption, ratios, changes[0].better
    )


def _telling(change: Change) -> tuple[bool, int]:
    """What a reader looks for first: regressions, then what changed, what is equal, and last what can't be compared."""
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
        "ratio": units.show(change.ratio, _ONE),
        "raw": change.ratio.center if change.ratio else None,
        "interval": units.show_interval(change.ratio, _ONE) if change.ratio else units.NONE,
        "method": change.method or "",
        "verdict": change.verdict,
        "regression": change.regression,
        "reason": change.reason,
    }


def counts(found: RunComparison) -> list[tuple[str, int]]:
    """How many changes have each verdict, those without any left out."""
    return [(v, n) for v in VERDICTS if (n := sum(c.verdict == v for c in found.changes))]


def sentence(found: RunComparison) -> str:
    """The answer of the page."""
    if not found.changes:
        return "The two runs have no number in common."
    worse, total = len(found.regressions), len(found.changes)
    unlike = sum(c.verdict == "not comparable" for c in found.changes)
    rest = f"; {unlike} can't be compared, each with its reason" if unlike else ""
    told = sum(c.verdict in ("lower", "higher") for c in found.changes)
    if told:
        tail = f", {worse} of them worse by more than {units.percent(found.threshold)}" if worse else ""
        return f"{told} of {total} numbers changed beyond chance{tail}{rest}."
    if unlike == total:
        return f"None of the {total} numbers that both runs have can be compared; each one's reason is in the table."
    equal, open_ = (sum(c.verdict == v for c in found.changes) for v in ("equal", "inconclusive"))
    if not equal:
        return f"Nothing can be said of any of the {total} numbers: {open_} can't be told either way{rest}."
    untold = f" and {open_} can't be told either way" if open_ else ""
    return f"No number changed beyond chance: of {total}, {equal} stayed the same{untold}{rest}."
