"""The matrix of a run, the same as multiples of one base, and the tables behind its charts.

Ratios to every possible baseline are computed here, when the page is made: the browser only chooses
among them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from corobench.report import text, units
from corobench.report.headline import Column, columns, short_point
from corobench.report.notes import Notes, reason
from corobench.report.sweeps import parameters, special
from corobench.report.text import TRACK_TITLES, direction, number
from corobench.report.units import Scale
from corobench.statistics import estimates
from corobench.statistics.flags import flag_words
from corobench.statistics.types import (
    Cell,
    RunSummary,
    RuntimeFacts,
    WorkloadFacts,
)
from corobench.suite.workload import BY_KERNEL, NO_PROGRAM, TRACKS

T = TypeVar("T")
_CORE = 0.6
_DEFAULT = "default"  # the profile whose runtimes are the core
# how a note begins of what is no contestant but what the hardware allows
_FLOOR = re.compile("(the|a) floor", re.IGNORECASE)
PRESETS = {
    "core": "Core",
    "single": "Single-threaded",
    "language": "Language of the baseline",
    "best": "Best of each language",
    "stackful task": "Stackful tasks",
    "stackless task": "Stackless tasks",
    "actors": "Actors",
    "io_uring": "io_uring",
    "all": "All",
}
BASELINE = "baseline"  # in place of an interval, beside the 1 of the baseline itself
MANY = 16  # rows that can be looked through: with more, the core is shown first


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of the matrix. `state`: value | flagged | failed | gap | none; only `value` takes part
    in groups.
    """

    key: str
    state: str
    text: str
    interval: str
    group: int | None
    marks: list[int]
    value: float | None
    reason: str
    anchor: str
    reds: list[str] = []


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime on a track. `core`: a default run takes it; `made_for`: what a variant of few
    workloads is about; `best`: it has the best number of its language in more columns than any
    other.
    """

    track: str
    runtime: RuntimeFacts
    marks: list[int]
    cells: list[Shown]
    core: bool
    made_for: str
    best: bool = False

    @property
    def single(self) -> bool:
        """Whether its tasks take turns on one thread; where a run didn't record that, whether it is
        asked for one CPU only.
        """
        threads, unit = self.runtime.threads, self.runtime.unit
        alone = self.runtime.tracks == ["one-cpu"] if threads is None else str(threads) == "1"
        return alone and unit not in BY_KERNEL

    @property
    def floor(self) -> bool:
        """Whether its notes call it a floor."""
        return any(_FLOOR.match(note) for note in self.runtime.notes)

    @property
    def presets(self) -> list[str]:
        """The presets that show it, but for those that depend on the baseline."""
        asked = {"core": self.core, "single": self.single, "best": self.best}
        always = [self.runtime.language, self.runtime.unit, *self.runtime.tags, "all"]
        return [*(name for name, is_shown in asked.items() if is_shown), *always]

    @property
    def groups(self) -> list[int]:
        return sorted({cell.group for cell in self.cells if cell.group})


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """`bodies`: track -> rows. `ratios`: "track/baseline" -> cell key -> [ratio, interval] as
    shown.
    """

    columns: list[Column]
    bodies: dict[str, list[Row]]
    ratios: dict[str, dict[str, list[str]]]
    defaults: dict[str, str]

    @property
    def unranked(self) -> tuple[int, int, list[tuple[str, int]]]:
        """How many numbers are not ranked, of how many, and how often each reason stands beside
        them.
        """
        shown = [cell for row in self.rows for cell in row.cells if cell.value is not None]
        reasons = Counter(name for cell in shown for name in cell.reds)
        return sum(cell.state == "flagged" for cell in shown), len(shown), reasons.most_common()

    @property
    def rows(self) -> list[Row]:
        return [row for rows in self.bodies.values() for row in rows]

    @property
    def many(self) -> bool:
        return len(self.rows) > MANY

    @property
    def presets(self) -> list[tuple[str, str]]:
        """The presets that show some rows, by name; the one that a page begins with is the
        first.
        """
        shown = {preset for row in self.rows for preset in row.presets} | {"language"}
        offered = [(name, title) for name, title in PRESETS.items() if name in shown]
        return offered if self.many and "core" in shown else [offered[-1], *offered[:-1]]

    @property
    def languages(self) -> list[str]:
        """The languages of several runtimes, those of most first: their rows compare ways to write
        one program.
        """
        counts = Counter({row.runtime.name: row.runtime.language for row in self.rows}.values())
        return [language for language, count in counts.most_common() if count > 1]

    @property
    def floors(self) -> list[tuple[str, str]]:
        """The baselines that are no contestants, as "track/name" and name."""
        return [
            (f"{row.track}/{row.runtime.name}", row.runtime.name) for row in self.rows if row.floor
        ]


def only_matrix(summary: RunSummary) -> RunSummary:
    """A summary of nothing but what stands in the matrix."""
    points = {(h.workload, h.metric): h.point for h in columns(summary)}
    cells = [c for c in summary.cells if _stands(c, points.get((c.workload, c.metric)))]
    present = {c.runtime for c in cells if c.gap != NO_PROGRAM}
    runtimes = [r for r in summary.runtimes if r.name in present]
    return msgspec.structs.replace(summary, cells=cells, runtimes=runtimes)


def _stands(cell: Cell, point: str | None) -> bool:
    """Whether a cell may stand in the column of this point; one without a number stands for its
    whole workload.
    """
    return point is not None and (cell.point == point or cell.median is None)


def make_matrix(summary: RunSummary, notes: Notes) -> Matrix:
    """The matrix of a run, rows in the order of the summary."""
    heads, variants = columns(summary), special(summary)
    cells = {(c.workload, c.point, c.metric, c.track, c.runtime): c for c in summary.cells}
    gaps = {(c.workload, c.track, c.runtime): c for c in summary.cells if c.median is None}
    bodies: dict[str, list[Row]] = {}
    found: dict[tuple[str, str], dict[str, Cell]] = {}
    for track in TRACKS:
        rows = []
        for runtime in (r for r in summary.runtimes if track in r.tracks):
            places = [
                cells.get((h.workload, h.point, h.metric, track, runtime.name))
                or gaps.get((h.workload, track, runtime.name))
                for h in heads
            ]
            # a server that takes part in scenarios only
            if not any(cell and cell.gap != NO_PROGRAM for cell in places):
                continue
            found[track, runtime.name] = {
                h.key: c for h, c in zip(heads, places, strict=True) if c is not None
            }
            shown = [show_cell(head, cell, notes) for head, cell in zip(heads, places, strict=True)]
            numbers = sum(cell.value is not None for cell in shown)
            rows.append(
                Row(
                    track=track,
                    runtime=runtime,
                    marks=notes.of_runtime.get(runtime.name, []),
                    cells=shown,
                    core=is_core(runtime, numbers / len(heads)),
                    made_for=", ".join(variants.get(runtime.name, [])),
                )
            )
        if rows:
            best = _best(heads, rows)
            bodies[track] = [
                msgspec.structs.replace(row, best=row.runtime.name in best) for row in rows
            ]
    return Matrix(
        columns=heads,
        bodies=bodies,
        ratios=_ratios(found, set(summary.whole_blocks)),
        defaults=_defaults(summary, bodies),
    )


def _best(heads: Sequence[Column], rows: Sequence[Row]) -> set[str]:
    """For each language the runtime with its best ranked number in most columns, the first of
    several. Floors are no contestants.
    """
    firsts: dict[str, Counter[str]] = defaultdict(Counter)
    for place, head in enumerate(heads):
        read: dict[str, list[tuple[float, str]]] = defaultdict(list)
        for row in rows:
            cell = row.cells[place]
            if cell.state == "value" and cell.value is not None and not row.floor:
                read[row.runtime.language].append((cell.value, row.runtime.name))
        for language, numbers in read.items():
            choose = min if head.better == "lower" else max
            best, _ = choose(numbers)
            firsts[language].update(name for value, name in numbers if value == best)
    return {counted.most_common(1)[0][0] for counted in firsts.values()}


def is_core(runtime: RuntimeFacts, measured: float = 1.0) -> bool:
    """Whether a default run takes it; of a run that did not record that, whether it has a number in
    most columns (`measured`: in which share of them).
    """
    if runtime.profiles is None:
        return measured >= _CORE
    return not runtime.profiles or _DEFAULT in runtime.profiles


def show_cell(column: Column, cell: Cell | None, notes: Notes) -> Shown:
    """A cell as it stands on the page."""
    if cell is None:
        return Shown(
            key="",
            state="none",
            text="",
            interval="",
            group=None,
            marks=[],
            value=None,
            reason="",
            anchor="",
        )
    state = (
        "gap"
        if cell.gap
        else "failed"
        if cell.median is None
        else "value"
        if cell.trusted
        else "flagged"
    )
    words = {"gap": units.NONE, "failed": "failed"}
    return Shown(
        key=cell.key,
        state=state,
        text=words.get(state) or units.show(cell.median, column.scale),
        interval="" if cell.median is None else units.show_interval(cell.median, column.scale),
        group=cell.group if state == "value" else None,
        marks=notes.of_cell.get(cell.key, []),
        value=cell.median.center if cell.median else None,
        reason=reason(cell),
        anchor=cell_anchor(cell),
        reds=[flag_words(flag) for flag in cell.flags if flag.level == "red"],
    )


def cell_anchor(cell: Cell) -> str:
    """The id of a cell's case on the page of cells: all metrics of a case stand together."""
    return text.anchor("cell", cell.key.removesuffix(f"/{cell.metric}").replace("/", "~"))


def _ratios(
    found: dict[tuple[str, str], dict[str, Cell]], whole: set[int]
) -> dict[str, dict[str, list[str]]]:
    """Every runtime against every baseline of its own track, paired by block; never across
    tracks.
    """
    result: dict[str, dict[str, list[str]]] = {}
    for (track, baseline), others in found.items():
        entry = result.setdefault(f"{track}/{baseline}", {})
        for (other_track, runtime), cells in found.items():
            if other_track != track:
                continue
            for head, cell in cells.items():
                base = others.get(head)
                entry[cell.key] = (
                    ["1", BASELINE]
                    if runtime == baseline and cell.samples
                    else _ratio(cell, base, whole)
                )
    return result


def _ratio(cell: Cell, base: Cell | None, whole: set[int]) -> list[str]:
    """Against a lower bound there is none; of one it is another."""
    known = None if base is None or base.bound else base
    ratio = (
        estimates.paired_estimate(estimates.within(cell.samples, whole), known.samples)
        if known
        else None
    )
    if ratio is None:
        return [units.NONE, "no pair"]
    found = msgspec.structs.replace(ratio, bound=cell.bound)
    return [units.show(found, units.ONE), units.show_interval(found, units.ONE)]


def _defaults(summary: RunSummary, bodies: dict[str, list[Row]]) -> dict[str, str]:
    """The baseline of each track until the reader chooses: the run's reference there, else its
    first runtime.
    """
    result = {}
    for track, rows in bodies.items():
        named = [name for cell, name in summary.references.items() if cell.endswith(f"/{track}")]
        present = [row.runtime.name for row in rows]
        result[track] = next((name for name in named if name in present), present[0])
    return result


FIGURES = {
    "minimum": "Minimum",
    "cpu": "CPU",
    "cold": "Cold first",
    "user": "User",
    "system": "System",
    "cpu_above_bare": "CPU above bare",
    "intercept": "Fixed part",
    "rss": "Resident, largest n",
    "high": "High-water mark",
    "kept": "Kept after release",
    "collected": "After a collection",
    "kept_collected": "Kept, collected",
}
# These share the unit of the headline; the others are of another size (bytes of a process, not of a
# task).
_LIKE_HEADLINE = {"minimum", "cpu", "cold", "user", "system", "cpu_above_bare", "collected"}
MAIN = "median"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A number of a table: as shown, and raw in base units for whoever checks it. `state` as in the
    matrix; `reason`: why it isn't ranked, or is none. `comparison`: the ratio to the reference with
    the verdict.
    """

    name: str
    text: str
    raw: float | None
    state: str = "value"
    interval: str = ""
    n: int = 0
    group: int | None = None
    comparison: str = ""
    reason: str = ""
    marks: list[int] = []


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime at one place. `key`: of its case, or of the one number that the line is about;
    without any number it has no entries, and `reason` says why.
    """

    key: str
    runtime: RuntimeFacts
    anchor: str
    state: str
    entries: list[Entry]
    reason: str = ""
    marks: list[int] = []


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of one point on one track."""

    title: str
    track: str
    lines: list[Line]


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What a column shows, in which unit, and which direction is better."""

    title: str
    symbol: str
    direction: str = ""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of a workload. The entries of a line are a metric with the figures beside it, or, of
    a `wide` table, all metrics of a case, each with its own interval.
    """

    id: str
    title: str
    heads: list[Head]
    bodies: list[Body]
    wide: bool


def tables(summary: RunSummary, workload: WorkloadFacts, notes: Notes) -> list[Table]:
    """A table for each metric of a workload that has cells, or one for all where a case has many
    metrics and no figures beside one of them.
    """
    cells = [c for c in summary.cells if c.workload == workload.name]
    by_metric = {m: [c for c in cells if c.metric == m] for m in workload.metrics}
    measured = {m: here for m, here in by_metric.items() if here}
    if len(workload.metrics) > 1 and not any(c.figures or c.curve for c in cells):
        return [_wide_table(summary, workload, measured, notes)]
    return [_table(summary, workload, metric, here, notes) for metric, here in measured.items()]


def _table(
    summary: RunSummary, workload: WorkloadFacts, metric: str, cells: list[Cell], notes: Notes
) -> Table:
    scale = units.scale_of_estimates((c.median for c in cells), cells[0].unit)
    names = [name for name in FIGURES if any(name in c.figures for c in cells)]
    scales = {name: _scale(name, cells, scale) for name in names}

    def line(cell: Cell, runtime: RuntimeFacts) -> Line:
        first = _entry(MAIN, cell, scale, notes)
        return Line(
            key=cell.key,
            runtime=runtime,
            anchor=cell_anchor(cell),
            state=state(cell),
            entries=[first, *(_beside(name, cell, s) for name, s in scales.items())]
            if cell.median
            else [],
            reason=reason(cell) or ("" if cell.median else "no number"),
            marks=first.marks,
        )

    rows = {(c.track, c.point, c.runtime): c for c in cells}
    return Table(
        id=f"table-{workload.name}-{metric}",
        title=f"{workload.title}: {workload.metrics[metric]}",
        heads=[
            Head(title="Typical", symbol=scale.symbol, direction=direction(cells[0])),
            *(Head(title=FIGURES[name], symbol=scales[name].symbol) for name in names),
        ],
        bodies=_bodies(summary, cells, rows, line),
        wide=False,
    )


def _bodies(
    summary: RunSummary,
    cells: list[Cell],
    rows: Mapping[tuple[str, str, str], T],
    line: Callable[[T, RuntimeFacts], Line],
) -> list[Body]:
    """A body for each place of the cells, rows in the order of the runtimes."""
    return [
        Body(
            title=f"{short_point(point)} · {TRACK_TITLES[track]}",
            track=track,
            lines=[
                line(row, runtime)
                for runtime in summary.runtimes
                if (row := rows.get((track, point, runtime.name))) is not None
            ],
        )
        for track, point in places(cells)
    ]


def _scale(name: str, cells: list[Cell], headline: Scale) -> Scale:
    return (
        headline
        if name in _LIKE_HEADLINE
        else units.scale_of_estimates((c.figures.get(name) for c in cells), cells[0].unit)
    )


def places(cells: list[Cell]) -> list[tuple[str, str]]:
    """(track, point) of the cells, by tracks and then by the size of the parameters."""

    def size(place: tuple[str, str]) -> tuple[int, list[float], str]:
        sizes = [v for text in parameters(place[1]).values() if (v := number(text)) is not None]
        return (TRACKS.index(place[0]) if place[0] in TRACKS else len(TRACKS), sizes, place[1])

    return sorted({(c.track, c.point) for c in cells}, key=size)


def state(cell: Cell) -> str:
    """value | flagged | failed | gap; only `value` takes part in groups."""
    return (
        "gap"
        if cell.gap
        else "failed"
        if cell.median is None
        else "value"
        if cell.trusted
        else "flagged"
    )


def _entry(name: str, cell: Cell, scale: Scale, notes: Notes) -> Entry:
    """The cell's own number."""
    known = cell.median is not None
    return Entry(
        name=name,
        text=units.show(cell.median, scale),
        raw=cell.median.center if cell.median else None,
        state=state(cell) if known else "none",
        interval=units.show_interval(cell.median, scale) if known else "",
        n=cell.median.n if cell.median else 0,
        group=cell.group if cell.trusted else None,
        comparison=compared(cell) if known else "",
        reason="" if cell.trusted else reason(cell),
        marks=notes.of_cell.get(cell.key, []),
    )


def _beside(name: str, cell: Cell, scale: Scale) -> Entry:
    """A figure beside the headline; the minimum with its digits."""
    value = cell.figures.get(name)
    if value is None:
        return Entry(name=name, text=units.NONE, raw=None)
    show = units.show_beside(value, cell.median, scale) if name == "minimum" else None
    return Entry(name=name, text=show or units.show(value, scale), raw=value.center)


def compared(cell: Cell) -> str:
    """Ratio, interval and verdict in words, against the reference of its cell; a number that claims
    nothing has no verdict.
    """
    if cell.comparison is None:
        return ""
    ratio = cell.comparison.ratio
    within = (
        f" within ±{units.percent(cell.comparison.delta)}"
        if cell.comparison.verdict == "equal"
        else ""
    )
    verdict = f"{cell.comparison.verdict}{within}" if cell.claims else "no claim"
    return f"{units.show(ratio, units.ONE)} ({units.show_interval(ratio, units.ONE)}) {verdict}"


def _wide_table(
    summary: RunSummary, workload: WorkloadFacts, measured: dict[str, list[Cell]], notes: Notes
) -> Table:
    scales = {
        m: units.scale_of_estimates((c.median for c in here), here[0].unit)
        for m, here in measured.items()
    }
    cases: dict[tuple[str, str, str], dict[str, Cell]] = {}
    for cell in (cell for here in measured.values() for cell in here):
        cases.setdefault((cell.track, cell.point, cell.runtime), {})[cell.metric] = cell

    def line(case: dict[str, Cell], runtime: RuntimeFacts) -> Line:
        first = next(iter(case.values()))
        known = any(c.median for c in case.values())
        marks = sorted({mark for c in case.values() for mark in notes.of_cell.get(c.key, [])})
        return Line(
            key=first.key.removesuffix(f"/{first.metric}"),
            runtime=runtime,
            anchor=cell_anchor(first),
            state="",
            entries=[
                _entry(m, case[m], scale, notes) if m in case else _unasked(m)
                for m, scale in scales.items()
            ]
            if known
            else [],
            reason="" if known else reason(first) or "no number",
            marks=[] if known else marks,
        )

    cells = [c for c in summary.cells if c.workload == workload.name]
    return Table(
        id=f"table-{workload.name}",
        title=(
            f"{workload.title}: every metric, with its interval, n, and the ratio to the reference"
        ),
        heads=[
            Head(
                title=workload.metrics[m],
                symbol=scale.symbol,
                direction=direction(measured[m][0]),
            )
            for m, scale in scales.items()
        ],
        bodies=_bodies(summary, cells, cases, line),
        wide=True,
    )


def _unasked(metric: str) -> Entry:
    return Entry(
        name=metric, text=units.NONE, raw=None, state="none", reason="no number at this point"
    )


NO_BASE = "no base"
LEADING = ("startup", "switch", "memory")
# The least multiple of each shade. The sheet has the colours, and the browser is told of them.
SHADES = (0.0, 0.1, 0.5, 0.8, 1.25, 2.0, 5.0, 10.0, 100.0)


def normalised(matrix: Matrix) -> Matrix:
    """The same numbers with the leading columns first, and a floor as the default base of each
    track that has one. Ratios that don't exist are left out.
    """

    def rank(place: int) -> int:
        workload = matrix.columns[place].workload
        return LEADING.index(workload) if workload in LEADING else len(LEADING)

    places = sorted(range(len(matrix.columns)), key=rank)
    floors = {place.partition("/")[0]: name for place, name in reversed(matrix.floors)}
    return msgspec.structs.replace(
        matrix,
        columns=[matrix.columns[place] for place in places],
        bodies={
            track: [
                msgspec.structs.replace(row, cells=[row.cells[place] for place in places])
                for row in rows
            ]
            for track, rows in matrix.bodies.items()
        },
        ratios={
            base: {
                key: [figure, "base" if interval == BASELINE else interval]
                for key, (figure, interval) in ratios.items()
                if figure != units.NONE
            }
            for base, ratios in matrix.ratios.items()
        },
        defaults={track: floors.get(track, name) for track, name in matrix.defaults.items()},
    )


def base_doubts(matrix: Matrix) -> dict[str, dict[int, tuple[str, str]]]:
    """Track and base, as in the ratios -> place of a column -> what its multiples lack, and why."""
    return {
        f"{row.track}/{row.runtime.name}": {
            place: found
            for place, cell in enumerate(row.cells)
            if (found := _base_doubt(row, cell)) is not None
        }
        for row in matrix.rows
    }


def _base_doubt(row: Row, cell: Shown) -> tuple[str, str] | None:
    if cell.value is None:
        return NO_BASE, no_number(row, cell)
    return ("base not ranked", ", ".join(cell.reds)) if cell.state == "flagged" else None


def no_number(row: Row, cell: Shown) -> str:
    """Why a cell has no number."""
    if cell.state == "none":
        return "not asked of this variant" if row.made_for else "not on this track"
    return cell.reason or "no number"


def shade(multiple: str) -> int:
    """The place of a multiple among the shades, read from its text as the browser reads it; -1
    where there is no number.
    """
    value = number(multiple.replace(",", ""))
    return -1 if value is None else sum(value >= least for least in SHADES) - 1
