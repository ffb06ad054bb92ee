"""What it takes to get a cell again: command, commit, hashes, raw values, flags and source."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec

from corobench import store
from corobench.report import units
from corobench.report.headline import short_point
from corobench.report.matrix import TRACK_TITLES, cell_anchor
from corobench.report.tables import FIGURES, compared
from corobench.statistics.values import Cell, RunSummary


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """A cell with everything that it rests on. `facts`: name -> words; `samples`: block -> value as shown."""

    anchor: str
    title: str
    key: str
    typical: str
    state: str
    command: str
    program: str
    facts: list[tuple[str, str]]
    figures: list[tuple[str, str]]
    samples: list[tuple[int, str]]
    symbol: str
    flags: list[tuple[str, str, str]]
    failures: list[str]
    reason: str


def command(summary: RunSummary, workload: str, track: str, runtimes: list[str]) -> str:
    """The command that measures these runtimes again as this run did; the reference comes along, it carries the ratio."""
    names = ",".join(dict.fromkeys(runtimes))
    words = ["corobench", "run", "--profile", summary.profile, "--workloads", workload, "--tracks", track, "--runtimes", names]
    return shlex.join([*words, "--seed", str(summary.seed)])


def recipes(summary: RunSummary, header: store.RunHeader) -> list[Recipe]:
    """One for each cell of a run, in its order."""
    return [_recipe(summary, header, cell) for cell in summary.cells]


def _recipe(summary: RunSummary, header: store.RunHeader, cell: Cell) -> Recipe:
    facts = header.runtimes.get(cell.runtime, {})
    scale = units.scale_of([*cell.samples.values(), *([cell.typical.center] if cell.typical else [])], cell.unit)
    reference = summary.references.get(f"{cell.workload}/{cell.point}/{cell.track}")
    case = f"{cell.workload}, {short_point(cell.point)}, {cell.metric}"
    return Recipe(
        anchor=cell_anchor(cell),
        title=f"{cell.runtime}: {case} · {TRACK_TITLES.get(cell.track, cell.track)}",
        key=cell.key,
        typical=_typical(cell, scale),
        state="gap" if cell.gap else "failed" if cell.typical is None else "value" if cell.trusted else "flagged",
        command=command(summary, cell.workload, cell.track, [cell.runtime, *([reference] if reference else [])]),
        program=_program(facts, cell),
        facts=_facts(summary, facts, cell),
        figures=[(FIGURES.get(name, name), units.bare(value.center, cell.unit)) for name, value in cell.figures.items()],
        samples=[
            (block, units.plain(v / scale.factor, units.decimals(v / scale.factor, 0) + 1))
            for block, v in sorted(cell.samples.items())
        ],
        symbol=scale.symbol,
        flags=[(flag.level, flag.name, flag.text) for flag in cell.flags],
        failures=cell.failures,
        reason=cell.gap or "",
    )


def _typical(cell: Cell, scale: units.Scale) -> str:
    if cell.typical is None:
        return "no number"
    return f"{units.show(cell.typical, scale)} {scale.symbol} ({units.show_interval(cell.typical, scale)}), n = {cell.typical.n}"


def _program(facts: dict[str, Any], cell: Cell) -> str:
    """The program as it is started, with the placeholders of its manifest, which say what they stand for."""
    env = [f"{key}={value}" for key, value in facts.get("env", {}).items()]
    words = [str(word).replace("{workload}", cell.workload) for word in [*facts.get("command", []), *facts.get("arguments", [])]]
    point = [part for part in cell.point.split(",") if ".." not in part]
    return " ".join([*env, *words, *point]) if words else ""


def _facts(summary: RunSummary, facts: dict[str, Any], cell: Cell) -> list[tuple[str, str]]:
    found = [("Commit", summary.commit + (" with uncommitted changes" if summary.dirty else ""))]
    found += [(f"Hash of {name}", str(value)) for name, value in facts.get("hashes", {}).items()]
    found += [
        ("Version", f"{facts.get('version', '')} on {facts.get('language', '')} {facts.get('language_version', '')}".strip())
    ]
    if facts.get("folder"):
        found.append(("Source", f"{facts['folder']}/{cell.workload}"))
    if text := compared(cell):
        found.append(("Against " + (cell.comparison.other if cell.comparison else ""), text))
    return found
