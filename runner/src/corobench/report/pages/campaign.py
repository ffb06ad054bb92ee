"""A campaign: the same runs on many boxes. Each box stands against its own reference; what all
agree on, and what flips with the machine, is told apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from corobench.fleet.campaign import Collected, Record
from corobench.fleet.campaign import told as selected
from corobench.report import units
from corobench.report.headline import short_point
from corobench.report.pages.compare import box_charts
from corobench.report.render import draw, render
from corobench.report.runs import Entry, Told, newest, write
from corobench.report.text import TRACK_TITLES, slug

_DECIDED = ("lower", "higher", "equal")
_LEAST = 2  # boxes that say something, below which nothing stands beside anything
_MOST = 12  # boxes with a column each; of more it is told how many say what


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
        _write(name, record, entries, out, pictures)


def page_of(name: str) -> str:
    return f"campaigns/{slug(name)}.html"


def _write(name: str, record: Record, entries: list[Entry], out: Path, pictures: bool) -> Path:
    runs = {one.run for one in record.jobs if one.run}
    own = [entry for entry in entries if entry.key in runs]
    told = newest(own)
    boxes = list(dict.fromkeys(entry.box for entry in own))
    charts = box_charts(told) if _LEAST <= len(boxes) <= _MOST else []
    drawn = draw(charts, out / "campaigns" / slug(name), pictures, "ratios on each box")
    said = verdicts(told, boxes)
    page = render(
        "campaign.html.j2",
        depth=1,
        here="boxes.html",
        record=record,
        boxes=boxes,
        each=len(boxes) <= _MOST,
        words=[*_DECIDED, ""],
        folder=f"{slug(name)}/",
        drawn=list(drawn.values()),
        flips=[one for one in said if one.flips],
        agreed=[one for one in said if one.agreed],
        total=len(said),
        jobs=[(one, selected(one.selection), _place(one, own)) for one in record.jobs],
        missing=sum(not one.run for one in record.jobs),
    )
    return write(out / page_of(name), page)


def verdicts(told: list[Told], boxes: list[str]) -> list[Said]:
    """What at least two boxes have ranked, by figure."""
    found: dict[str, dict[str, Told]] = {}
    for one in told:
        if one.cell.comparison is not None:
            found.setdefault(one.cell.key, {})[one.entry.box] = one
    said = [_said(by_box, boxes) for by_box in found.values()]
    return [one for one in said if len(one.known) >= _LEAST]


def _said(by_box: Mapping[str, Told], boxes: list[str]) -> Said:
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


def _place(job: Collected, own: list[Entry]) -> str:
    """The pages of a job's run; empty where the site hasn't them."""
    return next((entry.place for entry in own if entry.key == job.run), "")
