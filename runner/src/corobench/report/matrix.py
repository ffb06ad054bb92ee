"""The matrix of a run: runtimes by families, each figure with its interval, group and note marks.

Ratios to every possible baseline are computed here, when the page is made: the browser only chooses among them.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from corobench.model import NO_PROGRAM, TRACKS
from corobench.report import slugs, units
from corobench.report.headline import Column, columns
from corobench.report.notes import Notes
from corobench.report.variants import special
from corobench.statistics import paired
from corobench.statistics.values import Cell, RunSummary, RuntimeFacts

_CORE = 0.6
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
    """A runtime on a track. `core`: it has a number in most columns; `made_for`: what a variant of few workloads is about."""

    track: str
    runtime: RuntimeFacts
    marks: list[int]
    cells: list[Shown]
    core: bool
    made_for: str

    @property
    def single(self) -> bool:
        """Whether it can't use more than one CPU."""
        return self.runtime.tracks == ["one-cpu"]

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
        shown = [cell for rows in self.bodies.values() for row in rows for cell in row.cells if cell.value is not None]
        reasons = Counter(name for cell in shown for name in cell.reds)
        return sum(cell.state == "flagged" for cell in shown), len(shown), reasons.most_common()

    @property
    def many(self) -> bool:
        return sum(map(len, self.bodies.values())) > MANY


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
                    core=numbers >= _CORE * len(heads),
                    made_for=", ".join(variants.get(runtime.name, [])),
                )
            )
        if rows:
            bodies[track] = rows
    return Matrix(columns=heads, bodies=bodies, ratios=_ratios(found), defaults=_defaults(summary, bodies))


def show_cell(column: Column, cell: Cell | None, notes: Notes) -> Shown:
    """A cell as it stands on the page."""
    if cell is None:
        return Shown(key="", state="none", text="", interval="", group=None, marks=[], value=None, reason="", anchor="")
    state = "gap" if cell.gap else "failed" if cell.typical is None else "value" if cell.trusted else "flagged"
    reds = "; ".join(f"{flag.name}: {flag.text}" for flag in cell.flags if flag.level == "red")
    words = {"gap": units.NONE, "failed": "failed"}
    return Shown(
        key=cell.key,
        state=state,
        text=words.get(state) or units.show(cell.typical, column.scale),
        interval="" if cell.typical is None else units.show_interval(cell.typical, column.scale),
        group=cell.group if state == "value" else None,
        marks=notes.of_cell.get(cell.key, []),
        value=cell.typical.center if cell.typical else None,
        reason=cell.gap or "; ".join(cell.failures) or reds,
        anchor=cell_anchor(cell),
        reds=[flag.name for flag in cell.flags if flag.level == "red"],
    )


def cell_anchor(cell: Cell) -> str:
    """The id of a cell's case on the page of cells: all metrics of a case stand together."""
    return slugs.anchor("cell", cell.key.removesuffix(f"/{cell.metric}").replace("/", "~"))


def _ratios(found: dict[tuple[str, str], dict[str, Cell]]) -> dict[str, dict[str, list[str]]]:
    """Every runtime against every baseline of its own track, paired by block; never across tracks."""
    result: dict[str, dict[str, list[str]]] = {}
    for (track, baseline), others in found.items():
        entry = result.setdefault(f"{track}/{baseline}", {})
        for (other_track, runtime), cells in found.items():
            if other_track != track:
                continue
            for head, cell in cells.items():
                base = others.get(head)
                entry[cell.key] = ["1", "baseline"] if runtime == baseline and cell.samples else _ratio(cell, base)
    return result


def _ratio(cell: Cell, base: Cell | None) -> list[str]:
    logs = paired.log_ratios(cell.samples, base.samples) if base else []
    if not logs:
        return [units.NONE, "no pair"]
    ratio = paired.ratio(logs)
    one = units.Scale(1.0, units.TIMES)
    return [units.show(ratio, one), units.show_interval(ratio, one)]


def _defaults(summary: RunSummary, bodies: dict[str, list[Row]]) -> dict[str, str]:
    """The baseline of each track until the reader chooses: the run's reference there, else its first runtime."""
    result = {}
    for track, rows in bodies.items():
        named = [name for cell, name in summary.references.items() if cell.endswith(f"/{track}")]
        present = [row.runtime.name for row in rows]
        result[track] = next((name for name in named if name in present), present[0])
    return result
