"""The matrix of a run: runtimes by families, each figure with its interval, group and note marks.

Ratios to every possible baseline are computed here, when the page is made: the browser only chooses among them.
"""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from corobench.model import NO_PROGRAM, TRACKS
from corobench.remembered import by_identity
from corobench.report import slugs, units
from corobench.report.headline import Column, columns
from corobench.report.notes import Notes, reason
from corobench.report.variants import special
from corobench.statistics import paired
from corobench.statistics.flagwords import flag_words
from corobench.statistics.values import Cell, RunSummary, RuntimeFacts

_CORE = 0.6
_DEFAULT = "default"  # the profile whose runtimes are the core
_FLOOR = re.compile("(the|a) floor", re.IGNORECASE)  # how a note begins of what is no contestant but what the hardware allows
PRESETS = {
    "core": "Core",
    "single": "Single-threaded",
    "language": "Language of the baseline",
    "all": "All",
}
MANY = 16  # rows that can be looked through: with more, the core is shown first
TRACK_TITLES = {"one-cpu": "One CPU", "all-cpus": "All CPUs"}


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of the matrix. `state`: value | flagged | failed | gap | none; only `value` takes part in groups."""

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
    """A runtime on a track. `core`: a default run takes it; `made_for`: what a variant of few workloads is about."""

    track: str
    runtime: RuntimeFacts
    marks: list[int]
    cells: list[Shown]
    core: bool
    made_for: str

    @property
    def single(self) -> bool:
        """Whether its tasks take turns on one thread; where a run didn't record that, whether it is asked for one CPU only."""
        threads, unit = self.runtime.threads, self.runtime.unit
        alone = self.runtime.tracks == ["one-cpu"] if threads is None else str(threads) == "1"
        return alone and unit not in ("thread", "process")

    @property
    def floor(self) -> bool:
        """Whether its notes call it a floor."""
        return any(_FLOOR.match(note) for note in self.runtime.notes)

    @property
    def presets(self) -> list[str]:
        """The presets that show it, but for those that depend on the baseline."""
        shown = {"core": self.core, self.runtime.language: True, "single": self.single, "all": True}
        return [name for name, is_shown in shown.items() if is_shown]

    @property
    def groups(self) -> list[int]:
        return sorted({cell.group for cell in self.cells if cell.group})


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """`bodies`: track -> rows. `ratios`: "track/baseline" -> cell key -> [ratio, interval] as shown."""

    columns: list[Column]
    bodies: dict[str, list[Row]]
    ratios: dict[str, dict[str, list[str]]]
    defaults: dict[str, str]

    @property
    def unranked(self) -> tuple[int, int, list[tuple[str, int]]]:
        """How many numbers are not ranked, of how many, and how often each reason stands beside them."""
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
        """The presets that show some rows, by name; the one that a page begins with is the first."""
        shown = {preset for row in self.rows for preset in row.presets} | {"language"}
        offered = [(name, title) for name, title in PRESETS.items() if name in shown]
        return offered if self.many and "core" in shown else [offered[-1], *offered[:-1]]

    @property
    def languages(self) -> list[str]:
        """The languages of several runtimes, those of most first: their rows compare ways to write one program."""
        counts = Counter({row.runtime.name: row.runtime.language for row in self.rows}.values())
        return [language for language, count in counts.most_common() if count > 1]

    @property
    def floors(self) -> list[tuple[str, str]]:
        """The baselines that are no contestants, as "track/name" and name."""
        return [(f"{row.track}/{row.runtime.name}", row.runtime.name) for row in self.rows if row.floor]


@by_identity(4)
def only(summary: RunSummary) -> RunSummary:
    """A summary of nothing but what stands in the matrix."""
    points = {(h.workload, h.metric): h.point for h in columns(summary)}
    cells = [c for c in summary.cells if _stands(c, points.get((c.workload, c.metric)))]
    present = {c.runtime for c in cells if c.gap != NO_PROGRAM}
    runtimes = [r for r in summary.runtimes if r.name in present]
    return msgspec.structs.replace(summary, cells=cells, runtimes=runtimes)


def _stands(cell: Cell, point: str | None) -> bool:
    """Whether a cell may stand in the column of this point; one without a number stands for its whole workload."""
    return point is not None and (cell.point == point or cell.typical is None)


@by_identity(4)
def make_matrix(summary: RunSummary, notes: Notes) -> Matrix:
    """The matrix of a run, rows in the order of the summary."""
    heads, variants = columns(summary), special(summary)
    cells = {(c.workload, c.point, c.metric, c.track, c.runtime): c for c in summary.cells}
    gaps = {(c.workload, c.track, c.runtime): c for c in summary.cells if c.typical is None}
    bodies: dict[str, list[Row]] = {}
    found: dict[tuple[str, str], dict[str, Cell]] = {}
    for track in TRACKS:
        rows = []
        for runtime in (r for r in summary.runtimes if track in r.tracks):
            places = [
                cells.get((h.workload, h.point, h.metric, track, runtime.name)) or gaps.get((h.workload, track, runtime.name))
                for h in heads
            ]
            if not any(cell and cell.gap != NO_PROGRAM for cell in places):  # a server that takes part in scenarios only
                continue
            found[track, runtime.name] = {h.key: c for h, c in zip(heads, places, strict=True) if c is not None}
            shown = [show_cell(head, cell, notes) for head, cell in zip(heads, places, strict=True)]
            numbers = sum(cell.value is not None for cell in shown)
            rows.append(
                Row(
                    track=track,
                    runtime=runtime,
                    marks=notes.of_runtime.get(runtime.name, []),
                    cells=shown,
                    core=_is_core(runtime, numbers / len(heads)),
                    made_for=", ".join(variants.get(runtime.name, [])),
                )
            )
        if rows:
            bodies[track] = rows
    return Matrix(
        columns=heads, bodies=bodies, ratios=_ratios(found, set(summary.whole_blocks)), defaults=_defaults(summary, bodies)
    )


def _is_core(runtime: RuntimeFacts, measured: float) -> bool:
    """Whether a default run takes it; of a run that did not record that, whether it has a number in most columns."""
    if runtime.profiles is None:
        return measured >= _CORE
    return not runtime.profiles or _DEFAULT in runtime.profiles


def show_cell(column: Column, cell: Cell | None, notes: Notes) -> Shown:
    """A cell as it stands on the page."""
    if cell is None:
        return Shown(key="", state="none", text="", interval="", group=None, marks=[], value=None, reason="", anchor="")
    state = "gap" if cell.gap else "failed" if cell.typical is None else "value" if cell.trusted else "flagged"
    words = {"gap": units.NONE, "failed": "failed"}
    return Shown(
        key=cell.key,
        state=state,
        text=words.get(state) or units.show(cell.typical, column.scale),
        interval="" if cell.typical is None else units.show_interval(cell.typical, column.scale),
        group=cell.group if state == "value" else None,
        marks=notes.of_cell.get(cell.key, []),
        value=cell.typical.center if cell.typical else None,
        reason=reason(cell),
        anchor=cell_anchor(cell),
        reds=[flag_words(flag) for flag in cell.flags if flag.level == "red"],
    )


def cell_anchor(cell: Cell) -> str:
    """The id of a cell's case on the page of cells: all metrics of a case stand together."""
    return slugs.anchor("cell", cell.key.removesuffix(f"/{cell.metric}").replace("/", "~"))


def _ratios(found: dict[tuple[str, str], dict[str, Cell]], whole: set[int]) -> dict[str, dict[str, list[str]]]:
    """Every runtime against every baseline of its own track, paired by block; never across tracks."""
    result: dict[str, dict[str, list[str]]] = {}
    for (track, baseline), others in found.items():
        entry = result.setdefault(f"{track}/{baseline}", {})
        for (other_track, runtime), cells in found.items():
            if other_track != track:
                continue
            for head, cell in cells.items():
                base = others.get(head)
                entry[cell.key] = ["1", "baseline"] if runtime == baseline and cell.samples else _ratio(cell, base, whole)
    return result


def _ratio(cell: Cell, base: Cell | None, whole: set[int]) -> list[str]:
    """Against a lower bound there is none; of one it is another."""
    known = None if base is None or base.bound else base
    ratio = paired.compared(paired.within(cell.samples, whole), known.samples) if known else None
    if ratio is None:
        return [units.NONE, "no pair"]
    one, found = units.Scale(1.0, units.TIMES), msgspec.structs.replace(ratio, bound=cell.bound)
    return [units.show(found, one), units.show_interval(found, one)]


def _defaults(summary: RunSummary, bodies: dict[str, list[Row]]) -> dict[str, str]:
    """The baseline of each track until the reader chooses: the run's reference there, else its first runtime."""
    result = {}
    for track, rows in bodies.items():
        named = [name for cell, name in summary.references.items() if cell.endswith(f"/{track}")]
        present = [row.runtime.name for row in rows]
        result[track] = next((name for name in named if name in present), present[0])
    return result
