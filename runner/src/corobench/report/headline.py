"""Which figure of a workload stands in the matrix, and the three questions that figures answer.

The figure is that of one point that as many runtimes as possible share. Profiles measure different
points, so the choice can't be a constant: the points that most runtimes have are taken, and of
those the one nearest to where users usually are. The point is written in the column's head.

The answer comes first on a page: what a task holds, what a switch costs, what starting a task
costs. Each in a sentence of a fixed form, from the least to the most, whose numbers stand in the
matrix, with a picture. Never an overall score, no weights. What can't be ranked is in it, as
"about".
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from corobench.report import units
from corobench.report.sweeps import along, parameters, swept
from corobench.report.text import HARD, anchor, box_fact, number
from corobench.report.units import Scale, scale_of_estimates
from corobench.statistics.types import Cell, RunSummary, WorkloadFacts
from corobench.suite.workload import GROUPS, TRACKS, Group, Track

# 10,000 tasks is a busy server; 100 live tasks is a scheduler that works out of cache and not out
# of luck. 12 requests at a time are what a core can have under way that computes a twelfth of the
# time. Three workers are 2 x cores + 1 on the smallest server, and ten clients keep them busy. Of
# modes and steps the one in which something is starved is the question; response times come from an
# open loop.
USUAL: dict[str, float | tuple[str, ...]] = {
    "n": 10_000,
    "k": 100,
    "c": 12,
    "workers": 3,
    "clients": 10,
    "mode": ("first-task", "naive"),
    "step": ("naive",),
    "loop": ("open",),
    "phase": ("many-keep",),
}
FAMILIES = ("startup", "spawn", "switch", "hand-off", "memory", "timers", "fairness")
_LAST = "baseline"
_SAID_ALONE = ("mode", "step")  # their values are words that need no name before them
MILLION = 1_000_000
_FOR_A_MILLION = f"for {MILLION:,} tasks"
_GIB = 1024.0**3
_FEW = 2  # parameters that a title has room for
NARROW = 8  # columns that a laptop shows side by side


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One figure for all runtimes: a column of the matrix, with the one unit that it is shown in.

    `what` is measured, `per` what it is divided by: "private memory", "a task".
    """

    family: str
    workload: str
    title: str
    point: str
    metric: str
    unit: str
    per: str
    what: str
    better: str
    scale: Scale

    @property
    def key(self) -> str:
        return f"{self.workload}/{self.point}/{self.metric}"

    @property
    def where(self) -> str:
        """The point in a title: of many parameters only the first, since the section names them
        all.
        """
        shown = parameters(self.point)
        return short_point(self.point if len(shown) <= _FEW else self.point.split(",")[0])


def family_order(family: str) -> tuple[int, str]:
    """Sort key: the order of a page; families that it doesn't know follow, what a plain call costs
    comes last.
    """
    if family == _LAST:
        return (len(FAMILIES) + 1, family)
    return (FAMILIES.index(family) if family in FAMILIES else len(FAMILIES), family)


def ordered_workloads(summary: RunSummary) -> list[WorkloadFacts]:
    """The workloads of a run in the order of its page."""
    return in_order(summary.workloads)


def in_order(workloads: Iterable[WorkloadFacts]) -> list[WorkloadFacts]:
    """Core workloads, then primitives, then scenarios; in a family the one of its name first, then
    what varies it.
    """
    return sorted(
        workloads,
        key=lambda w: (
            GROUPS.index(w.group),
            family_order(w.family),
            w.name != w.family,
            w.name,
        ),
    )


def columns(summary: RunSummary) -> list[Column]:
    """The columns of the matrix of a run, those without any number left out: of core workloads,
    else of primitives, else of scenarios.

    Where there are many, one for each family comes first, then what varies it, so that each family
    is in the first screen.
    """
    workloads = ordered_workloads(summary)
    leading = workloads[0].group if workloads else "core"
    shown = [w for w in workloads if w.group == leading]
    found = [c for w in shown if (c := column(summary, w)) is not None]
    first = list({c.family: c for c in reversed(found)}.values())[::-1]
    return [*first, *(c for c in found if c not in first)] if len(found) > NARROW else found


def column(summary: RunSummary, workload: WorkloadFacts) -> Column | None:
    """The headline of a workload, or None where no runtime has a number for it."""
    measured = [c for c in summary.cells if c.workload == workload.name and c.median is not None]
    metric = _leading(workload, measured)
    cells = [c for c in measured if c.metric == metric]
    if not cells or metric is None:
        return None
    point = usual_point(cells)
    chosen = [c for c in cells if c.point == point]
    title = workload.metrics[metric]
    found = Column(
        family=workload.family,
        workload=workload.name,
        title=workload.title,
        point=point,
        metric=metric,
        unit=chosen[0].unit,
        per=per(title),
        what=re.sub(r"\bper [^(,;]+|\(.*\)", "", title).strip(" ,;"),
        better=chosen[0].better,
        scale=scale_of_estimates((c.median for c in chosen), chosen[0].unit),
    )
    return _for_a_million(found) if any(map(holds_a_million, chosen)) else found


def holds_a_million(cell: Cell) -> bool:
    """Whether a slope in bytes a task was taken up to a million of them."""
    return cell.unit == "B" and any(n >= MILLION for n, *_ in cell.curve)


def _for_a_million(column: Column) -> Column:
    """The same slope as what a million tasks hold, which is how readers compare it."""
    return msgspec.structs.replace(column, per=_FOR_A_MILLION, scale=Scale(_GIB / MILLION, "GiB"))


def _leading(workload: WorkloadFacts, cells: list[Cell]) -> str | None:
    """The first metric; where all others are differences between its points, the first of these:
    they are the question.
    """
    first, *others = workload.metrics or [None]
    points = {c.point for c in cells if c.metric == first}
    told = [m for m in others if any(c.metric == m for c in cells)]
    return (
        told[0]
        if told and all(_is_difference(c, points) for c in cells if c.metric != first)
        else first
    )


def _is_difference(cell: Cell, points: set[str]) -> bool:
    """Whether a number is made of two points; one over a whole ladder is none."""
    return cell.point not in points and ".." not in cell.point


def per(title: str) -> str:
    """`a task` from "time per task (slope over n)": what the unit is divided by; empty where it
    isn't.
    """
    found = re.search(r"\bper ([^(,;]+)", title)
    if not found:
        return ""
    what = found[1].strip()
    return f"an {what}" if what[0] in "aeio" else f"a {what}"


def usual_point(cells: Iterable[Cell]) -> str:
    """The point with most numbers; of several one in the longest sweep, nearest to the usual
    setting, and the larger one.
    """
    measured = list(cells)
    found = Counter(cell.point for cell in measured)
    most = max(found.values())
    several = [point for point, count in found.items() if count == most]
    key = swept(measured)
    length = {p: len({c.point for c in along(measured, p, key)}) if key else 0 for p in several}
    return min(several, key=lambda p: (-length[p], _distance(p), -_size(p), p))


def _distance(point: str) -> float:
    total = 0.0
    for key, text in parameters(point).items():
        usual, value = USUAL.get(key), number(text)
        if isinstance(usual, tuple):
            total += float(text not in usual)
        elif usual is not None and value:
            total += abs(math.log10(value / usual))
    return total


def _size(point: str) -> float:
    return max(
        (v for text in parameters(point).values() if (v := number(text)) is not None), default=0.0
    )


@lru_cache(maxsize=4096)
def short_point(point: str) -> str:
    """A point for people: `n = 10,000`; the operations a task are no part of the question where
    there is a k.
    """
    shown = parameters(point)
    if "k" in shown:
        shown.pop("m", None)
    return ", ".join(_short(key, text) for key, text in shown.items()) or point


def _short(key: str, text: str) -> str:
    if key in _SAID_ALONE:
        return text.replace("-", " ")
    ends = text.split("..")
    return (
        f"{key} = "
        f"{' to '.join(f'{int(v):,}' if (v := number(end)) is not None else end for end in ends)}"
    )


QUESTIONS = {
    "memory": "What does a parked task hold?",
    "switch": "What does a switch cost?",
    "spawn": "What does starting a task cost?",
}
OF_PRIMITIVES = {
    "mutex": "What does a lock cost that others want too?",
    "channel": "What does a message through a bounded channel cost?",
    "ticker": "How late does a timer wake while others yield?",
}
_OF_A_MILLION = "What do a million parked tasks hold?"
_NO_NUMBER = "No number: the table gives each reason."


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question, its answer in a sentence, and what that is made of: numbers of one track, the
    least first.

    `run`: the folder in the site of the run that they are from, where it is not the page's.
    """

    title: str
    sentence: str
    column: Column
    track: Track
    cells: list[Cell]
    run: str = ""

    @property
    def chart(self) -> str:
        """The id of its picture."""
        return anchor("answer", self.column.workload)

    @property
    def told(self) -> str:
        """Both in one line; the title may be a name alone."""
        return f"{self.title}{'' if self.title.endswith('?') else ':'} {self.sentence}"


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """`title` is the page's."""

    title: str
    questions: list[Question]


def answer(summary: RunSummary) -> Answer:
    """What this run says, of the first track that has numbers: the three questions, or where it has
    measured none of these those about primitives, else the first three columns of its matrix.
    """
    heads = columns(summary)
    measured = {cell.track for cell in summary.cells if cell.median}
    track = next((track for track in TRACKS if track in measured), None)
    core, primitives = (
        [head for name in names for head in heads if head.workload == name]
        for names in (QUESTIONS, OF_PRIMITIVES)
    )
    asked = core or primitives or heads[:3]
    return Answer(
        title=_title(summary),
        questions=[question(summary, head, track) for head in asked] if track else [],
    )


def with_question(answer: Answer, asked: Question) -> Answer:
    """The answer with a question about a workload in place of its own about the same."""
    return msgspec.structs.replace(
        answer,
        questions=[
            asked if one.column.workload == asked.column.workload else one
            for one in answer.questions
        ],
    )


_MEASURED: dict[Group, str] = {
    "core": "a task costs",
    "primitive": "primitives cost",
    "scenario": "services cost",
}


def _title(summary: RunSummary) -> str:
    where = box_fact(summary.box, "cpu.model", "cpu_model", "model") or "this box"
    groups = {workload.group for workload in summary.workloads}
    what = next((text for group, text in _MEASURED.items() if group in groups), "was measured")
    return f"What {what} on {where}"


def question(summary: RunSummary, head: Column, track: Track) -> Question:
    """A column of the matrix as a question; without a floor, which is no contestant."""
    place = (head.workload, head.point, head.metric, track)
    chosen = [
        cell
        for cell in summary.cells
        if (cell.workload, cell.point, cell.metric, cell.track) == place
        and cell.median
        and not cell.lower_bound
    ]
    # of a ladder that ends earlier the slope is no answer to what a million hold
    chosen = [cell for cell in chosen if holds_a_million(cell)] or chosen
    cells = sorted(chosen, key=lambda cell: cell.median.center if cell.median else 0.0)
    return Question(
        title=_OF_A_MILLION
        if any(map(holds_a_million, cells))
        else (QUESTIONS | OF_PRIMITIVES).get(head.workload, head.title),
        sentence=_sentence(head, cells),
        column=head,
        track=track,
        cells=cells,
    )


def _sentence(head: Column, cells: list[Cell]) -> str:
    if not cells:
        return _NO_NUMBER
    least, most = _told(head, cells[0]), _told(head, cells[-1])
    return f"From {least} to {most}." if len(cells) > 1 else f"{least[:1].upper()}{least[1:]}."


def _told(head: Column, cell: Cell) -> str:
    """`62.1 ns (tokio-multi-thread)`, as the matrix shows it."""
    unit = f"{HARD}{head.scale.symbol}" if head.scale.symbol else ""
    hedge = "" if cell.trusted else "about "
    return f"{hedge}{units.show(cell.median, head.scale)}{unit} ({cell.runtime})"
