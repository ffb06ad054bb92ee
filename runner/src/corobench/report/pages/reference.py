"""Pages about no single run: method, findings, notes, data, and a page for each runtime."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from corobench.plan import CROSS_ROUNDS, CROSS_SHARE, PROFILE
from corobench.report import exports, runs, units
from corobench.report.headline import in_order, ordered_workloads, short_point
from corobench.report.pages.run import KINDS, runtime_href
from corobench.report.render import render, show
from corobench.report.reproduce import Checkout, write_sources
from corobench.report.runs import Entry, File, Told, claiming_first, header, write
from corobench.report.tables import cell_anchor, compared, places, state
from corobench.report.text import flat, unclaimed
from corobench.results import log
from corobench.statistics import controls, diagnostics, estimates, flags, verdicts
from corobench.statistics.findings import Checked, Judged, figure, judge
from corobench.statistics.types import (
    Cell,
    Estimate,
    RunComparison,
    RunSummary,
    RuntimeFacts,
    WorkloadFacts,
)
from corobench.statistics.verdicts import group_blocks_needed
from corobench.suite.load import load_findings
from corobench.suite.runtime import in_words
from corobench.suite.workload import Check, Finding, Number

_SHOWN = (2, 8, 20, 40)  # runtimes of a column


class Source(NamedTuple):
    """A publication that a rule rests on, and where it can be read."""

    name: str
    title: str
    where: str
    href: str


SOURCES = {
    "kalibera": Source(
        "Kalibera & Jones 2013",
        "Rigorous Benchmarking in Reasonable Time",
        "ISMM",
        "https://doi.org/10.1145/2464157.2464160",
    ),
    "barrett": Source(
        "Barrett et al. 2017",
        "Virtual Machine Warmup Blows Hot and Cold",
        "Proc. ACM Program. Lang. 1, OOPSLA",
        "https://doi.org/10.1145/3133876",
    ),
    "abedi": Source(
        "Abedi & Brecht 2017",
        "Conducting Repeatable Experiments in Highly Variable Cloud Computing Environments",
        "ICPE",
        "https://doi.org/10.1145/3030207.3030229",
    ),
    "williams": Source(
        "Williams 1949",
        "Experimental Designs Balanced for the Estimation of Residual Effects of Treatments",
        "Australian Journal of Scientific Research A 2",
        "https://doi.org/10.1071/CH9490149",
    ),
    "stabilizer": Source(
        "Curtsinger & Berger 2013",
        "STABILIZER: Statistically Sound Performance Evaluation",
        "ASPLOS",
        "https://doi.org/10.1145/2451116.2451141",
    ),
    "holm": Source(
        "Holm 1979",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics 6",
        "https://www.jstor.org/stable/4615733",
    ),
    "dixon": Source(
        "Dixon & Mood 1946",
        "The Statistical Sign Test",
        "Journal of the American Statistical Association 41",
        "https://doi.org/10.1080/01621459.1946.10501898",
    ),
    "schuirmann": Source(
        "Schuirmann 1987",
        "A Comparison of the Two One-Sided Tests Procedure and the Power Approach",
        "Journal of Pharmacokinetics and Biopharmaceutics 15",
        "https://doi.org/10.1007/BF01068419",
    ),
    "zou": Source(
        "Zou & Donner 2008",
        "Construction of Confidence Limits about Effect Measures",
        "Statistics in Medicine 27",
        "https://doi.org/10.1002/sim.3095",
    ),
    "mann": Source(
        "Mann 1945",
        "Nonparametric Tests Against Trend",
        "Econometrica 13",
        "https://doi.org/10.2307/1907187",
    ),
    "benjamini": Source(
        "Benjamini & Hochberg 1995",
        "Controlling the False Discovery Rate",
        "Journal of the Royal Statistical Society B 57",
        "https://doi.org/10.1111/j.2517-6161.1995.tb02031.x",
    ),
    "theil": Source(
        "Theil 1950",
        "A Rank-Invariant Method of Linear and Polynomial Regression Analysis",
        "reprinted by Springer",
        "https://doi.org/10.1007/978-94-011-2546-8_20",
    ),
    "sen": Source(
        "Sen 1968",
        "Estimates of the Regression Coefficient Based on Kendall's Tau",
        "Journal of the American Statistical Association 63",
        "https://doi.org/10.1080/01621459.1968.10480934",
    ),
    "bartels": Source(
        "Bartels 1982",
        "The Rank Version of von Neumann's Ratio Test for Randomness",
        "Journal of the American Statistical Association 77",
        "https://doi.org/10.1080/01621459.1982.10477764",
    ),
    "armitage": Source(
        "Armitage et al. 1969",
        "Repeated Significance Tests on Accumulating Data",
        "Journal of the Royal Statistical Society A 132",
        "https://doi.org/10.2307/2343787",
    ),
    "tene": Source(
        "Tene",
        "How NOT to Measure Latency",
        "the wrk2 documentation",
        "https://github.com/giltene/wrk2",
    ),
}


def write_method(entries: list[Entry], out: Path) -> Path:
    """method.html; its figures come from the code that uses them, so that the two can't drift
    apart.
    """
    figures = {
        "profiles": list(PROFILE.values()),
        "least_n": flags.LEAST_N,
        "wide_red": flags.WIDE_RED,
        "wide_amber": flags.WIDE_AMBER,
        "not_linear": estimates.NOT_LINEAR,
        "least_delta": verdicts.LEAST_DELTA,
        "no_control_delta": verdicts.NO_CONTROL_DELTA,
        "control_off": verdicts.CONTROL_OFF,
        "other_cores": diagnostics.OTHER_CORES,
        "other_share": diagnostics.OTHER_SHARE,
        "steal": diagnostics.STEAL_SHARE,
        "untimed": flags.UNTIMED_SHARE,
        "alive": flags.ALIVE_SHARE,
        "least_across": verdicts.LEAST_DELTA_ACROSS,
        "region_ms": flags.REGION_NS // 1_000_000,
        "iteration_steps": flags.ITERATION_STEPS,
        "tick_ms": diagnostics.TICK_NS // 1_000_000,
        "ticks_red": flags.TICKS_RED,
        "ticks_amber": flags.TICKS_AMBER,
        "disagree": controls.DISAGREE,
        "cross_rounds": CROSS_ROUNDS,
        "cross_share": CROSS_SHARE,
        "near_s": f"{controls.NEAR_S:.0f}",
        "hungry": controls.HUNGRY,
        "blocks_needed": {count: group_blocks_needed(count) for count in _SHOWN},
        "least_interval": next(n for n in range(1, flags.LEAST_N + 1) if estimates.rank(n)),
        "sources": SOURCES,
    }
    page = render(
        "method.html.j2", depth=0, here="method.html", workloads=_workloads(entries), **figures
    )
    return write(out / "method.html", page)


def _workloads(entries: list[Entry]) -> list[WorkloadFacts]:
    """Each workload as its newest run describes it, those of the newest run first."""
    found: dict[str, WorkloadFacts] = {}
    for entry in entries:
        # a summary is only read for what no newer one has
        if not found.keys() >= set(entry.card.workloads):
            found |= {w.name: w for w in ordered_workloads(entry.summary) if w.name not in found}
    return list(found.values())


_MOST = 12  # runs that are asked, the newest ones that make claims first


def write_findings(entries: list[Entry], out: Path, root: Path | None) -> Path:
    """findings.html. `root`: the checkout whose findings are judged; without one there are none."""
    shown = [_shown(finding, entries) for finding in (load_findings(root) if root else [])]
    return write(
        out / "findings.html",
        render("findings.html.j2", depth=0, here="findings.html", findings=shown),
    )


def _shown(finding: Finding, entries: list[Entry]) -> dict[str, Any]:
    """The run that measured most parts of it decides, the newest of these; one that makes claims
    before one that makes none.
    """
    asked = sorted(
        (entry for entry in entries if _may_tell(finding, entry)), key=lambda e: not e.card.claims
    )[:_MOST]
    judged = [(entry, judge(finding, entry.summary)) for entry in asked]
    measured = [one for one in judged if _parts(one[1])]
    measured.sort(key=lambda one: (not one[0].card.claims, -_parts(one[1])))
    first = measured[0] if measured else None
    versions = {facts.name: version(facts) for facts in first[0].summary.runtimes} if first else {}
    return {
        "finding": finding,
        "outcome": _outcome(first[1]) if first else "not measured",
        "decided": bool(first and first[1].decided),
        "run": _run(*first) if first else None,
        "rows": [_row(checked, versions) for checked in first[1].checks] if first else [],
        "others": [_run(*other) for other in measured[1:]],
        "command": f"make findings RUNTIMES={','.join(finding.runtimes)}",
    }


def _parts(judged: Judged) -> int:
    """How many parts of a claim a run measured."""
    return sum(checked.outcome != "not measured" for checked in judged.checks)


def _may_tell(finding: Finding, entry: Entry) -> bool:
    """Whether a run has numbers of both sides of a ratio, as far as its card says."""

    def has(number: Number) -> bool:
        return number.runtime in entry.card.measured.get(number.workload, ())

    return any(has(check.this) and has(check.other) for check in finding.check)


def _run(entry: Entry, judged: Judged) -> dict[str, str]:
    return {
        "href": entry.place + "index.html",
        "name": entry.name,
        "box": entry.box,
        "outcome": _outcome(judged),
    }


def _outcome(judged: Judged) -> str:
    """`borne out where decided (3 of 8)`."""
    partly = judged.outcome.endswith("where decided")
    return (
        f"{judged.outcome} ({judged.decided} of {len(judged.parts)})" if partly else judged.outcome
    )


def _row(checked: Checked, versions: Mapping[str, str]) -> dict[str, str]:
    check = checked.check
    return {
        "text": check.text,
        "this": _number(check.this, checked.this, versions),
        "other": _number(check.other, checked.other, versions),
        "ratio": _ratio(checked.ratio),
        "asked": _asked(check),
        "outcome": checked.outcome,
        "reason": checked.reason,
    }


def _asked(check: Check) -> str:
    if check.least is not None and check.most is not None:
        return f"{check.least:g}{units.DASH}{check.most:g}"
    if check.least is not None:
        return f"at least {check.least:g}"
    return "nothing" if check.most is None else f"at most {check.most:g}"


def _ratio(ratio: Estimate | None) -> str:
    return (
        f"{units.show(ratio, units.ONE)} ({units.show_interval(ratio, units.ONE)})"
        if ratio
        else units.NONE
    )


def _number(number: Number, cell: Cell | None, versions: Mapping[str, str]) -> str:
    """`go-p1 (Go 1.27.3): 66 ns`, with the point where a run has one that the claim doesn't name in
    full.
    """
    shown = figure(number, cell) if cell else None
    if cell is None or shown is None:
        return units.NONE
    known = versions.get(cell.runtime)
    where = "" if number.point in (None, cell.point) else f" at {cell.point}"
    return f"{cell.runtime}{f' ({known})' if known else ''}: {show(shown, cell.unit)}{where}"


def write_notes(entries: list[Entry], out: Path) -> Path:
    """notes.html: what to know of every runtime, and the warnings of every run."""
    runtimes: dict[str, list[str]] = {}
    for entry in entries:
        if not runtimes.keys() >= set(entry.card.runtimes):
            for r in entry.summary.runtimes:
                runtimes.setdefault(r.name, r.notes)
    warned = [(entry, entry.card.warnings) for entry in entries if entry.card.warnings]
    return write(
        out / "notes.html",
        render("notes.html.j2", depth=0, here="notes.html", groups=groups(runtimes), warned=warned),
    )


class Group(NamedTuple):
    """Runtimes that are told of together: name and address of each, what holds for all, and what
    for one of them alone.
    """

    runtimes: list[tuple[str, str]]
    shared: list[str]
    own: list[tuple[str, list[str]]]


def groups(runtimes: dict[str, list[str]]) -> list[Group]:
    """Those that begin with one note are variants of one thing, and what they share is said
    once.
    """
    found: dict[str, list[str]] = {}
    for name, notes in runtimes.items():
        found.setdefault(notes[0] if notes else name, []).append(name)
    return [_group({name: runtimes[name] for name in names}) for names in found.values()]


def _group(runtimes: dict[str, list[str]]) -> Group:
    first = next(iter(runtimes.values()))
    shared = [note for note in first if all(note in notes for notes in runtimes.values())]
    own = [
        (name, [note for note in notes if note not in shared]) for name, notes in runtimes.items()
    ]
    return Group(
        [(name, runtime_href(name)) for name in runtimes],
        shared,
        [(name, notes) for name, notes in own if notes],
    )


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A run in data/runs.json. `summary`: its summary's address, relative to the site's root."""

    box: str
    run: str
    created: str
    profile: str
    claims: bool
    summary: str


class Sized(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a run, with its size in words."""

    title: str
    href: str
    size: str


SCHEMAS: dict[str, tuple[str, Any]] = {
    "summary.schema.json": ("summary.json: everything that a page of a run shows", RunSummary),
    "run.schema.json": ("run.json: what was known of a run before it began", log.RunHeader),
    "log.schema.json": ("log.jsonl: each line of the raw log", log.Line),
    "compare.schema.json": ("compare.json: two runs against each other", RunComparison),
    "runs.schema.json": ("runs.json: all runs of this site", list[Listed]),
}


def write_data(entries: list[Entry], out: Path) -> Path:
    """data.html and the JSON Schemas."""
    for name, (title, kind) in SCHEMAS.items():
        schema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": title,
            **msgspec.json.schema(kind),
        }
        write(out / "data" / name, msgspec.json.format(msgspec.json.encode(schema)))
    index = [
        Listed(
            box=e.box,
            run=e.name,
            created=e.card.created,
            profile=e.card.profile,
            claims=e.card.claims,
            summary=e.place + "summary.json",
        )
        for e in entries
    ]
    write(out / "data" / "runs.json", msgspec.json.format(msgspec.json.encode(index)))
    page = render(
        "data.html.j2",
        depth=0,
        here="data.html",
        runs=[(entry, _files(entry, out)) for entry in entries],
        kinds=[file.title for file in _shipped()],
        schemas=[(f"data/{name}", title) for name, (title, _) in SCHEMAS.items()],
        others=[made for made in exports.EXPORTERS.values() if not made.shipped],
    )
    return write(out / "data.html", page)


def _shipped() -> list[File]:
    return [*runs.RAW_FILES, *exports.shipped()]


def _files(entry: Entry, out: Path) -> list[Sized]:
    found = []
    for file in _shipped():
        size = units.bare((out / entry.place / file.href).stat().st_size, "B")
        found.append(Sized(title=file.title, href=entry.place + file.href, size=size))
    return found


_BUILT = (
    "version",
    "language_version",
    "command",
    "arguments",
    "env",
    "settings",
    "threads",
    "order",
    "collector",
    "facts",
    "hashes",
)

_RUNS_NAMED = 12  # that are named; all are on the first page


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime with the runs that have it, newest first, and its newest numbers.

    The first of `runs` makes claims if one of them does, and tells how the runtime was built.
    """

    facts: RuntimeFacts
    runs: list[Entry]
    told: list[Told]


def write_runtimes(
    entries: list[Entry], told: list[Told], out: Path, checkout: Checkout | None
) -> list[Path]:
    """runtimes.html and a page for each runtime of any run."""
    known = collect_runtimes(entries, told)
    folders = sorted({_folder(runtime) for runtime in known})
    files = {folder: write_sources(checkout, out, folder) if checkout else [] for folder in folders}
    commit = checkout.commit if checkout else ""
    pages = [_write_runtime(runtime, out, files[_folder(runtime)], commit) for runtime in known]
    listed = [
        {
            "href": runtime_href(k.facts.name),
            "name": k.facts.name,
            "title": k.facts.title,
            "language": k.facts.language,
            "unit": k.facts.unit,
            "version": version(k.facts),
            "tracks": k.facts.tracks,
            "runs": len(k.runs),
        }
        for k in known
    ]
    return [
        *pages,
        write(
            out / "runtimes.html",
            render("runtimes.html.j2", depth=0, here="runtimes.html", runtimes=listed),
        ),
    ]


def collect_runtimes(entries: list[Entry], told: list[Told]) -> list[Known]:
    """Every runtime, as its newest run that makes claims knows it, or its newest where none
    does.
    """
    runs: dict[str, list[Entry]] = {}
    for entry in claiming_first(entries):
        for name in entry.card.runtimes:
            runs.setdefault(name, []).append(entry)
    numbers: dict[str, list[Told]] = {}
    for one in told:
        numbers.setdefault(one.cell.runtime, []).append(one)
    return [
        Known(
            facts=next(r for r in found[0].summary.runtimes if r.name == name),
            runs=found,
            told=numbers.get(name, []),
        )
        for name, found in sorted(runs.items())
    ]


def version(facts: RuntimeFacts) -> str:
    """Of each part where it puts several together; of the language where it has none of its own and
    its programs tell none.
    """
    if parts := facts.facts.get("parts"):
        return parts
    return (
        f"{facts.language} {facts.version}"
        if facts.version and facts.version == facts.language_version
        else facts.version
    )


def _described(known: Known) -> dict[str, Any]:
    """What the run that tells how it was built says of it."""
    return header(known.runs[0]).runtimes.get(known.facts.name, {})


def _folder(known: Known) -> str:
    return str(_described(known).get("folder", ""))


def _built(known: Known) -> list[tuple[str, str]]:
    """Names and words: what its manifest says, then what its programs told of their settings
    besides.
    """
    facts = {**_described(known), "version": known.facts.version}
    asked = dict(flat(known.facts.settings))
    told = {name: value for name, value in known.facts.told.items() if asked.get(name) != value}
    found = {key: facts[key] for key in _BUILT if facts.get(key) not in (None, "", [], {})}
    return [
        (name, in_words(value)) for name, value in flat({**found, "told by its programs": told})
    ]


def _write_runtime(known: Known, out: Path, files: list[File], commit: str) -> Path:
    entry, name, folder = known.runs[0], known.facts.name, _folder(known)
    page = render(
        "runtime.html.j2",
        depth=1,
        here="runtimes.html",
        quick="" if entry.card.claims else unclaimed(entry.card.profile),
        runtime=known.facts,
        version=version(known.facts),
        entry=entry,
        runs=known.runs[:_RUNS_NAMED],
        more=len(known.runs[_RUNS_NAMED:]),
        built=_built(known),
        folder=folder,
        files=files,
        commit=commit,
        site=_link(known.facts.site),
        tables=_number_tables(known.told),
        kinds=KINDS,
    )
    return write(out / runtime_href(name), page)


def _number_tables(told: list[Told]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Title and rows of each workload; of several boxes one after the other, by point, metric and
    track.
    """
    found: dict[str, list[Told]] = {}
    for one in told:
        found.setdefault(one.cell.workload, []).append(one)
    workloads: dict[str, WorkloadFacts] = {}
    for entry in {one.entry.key: one.entry for one in told}.values():
        for workload in ordered_workloads(entry.summary):
            workloads.setdefault(workload.name, workload)
    return [
        (w.title, [_number_row(one, w) for one in _by_place(found[w.name], w)])
        for w in in_order(workloads.values())
        if w.name in found
    ]


def _by_place(told: list[Told], workload: WorkloadFacts) -> list[Told]:
    boxes, metrics = list(dict.fromkeys(one.entry.box for one in told)), list(workload.metrics)
    order = {place: rank for rank, place in enumerate(places([one.cell for one in told]))}

    def key(one: Told) -> tuple[int, int, int]:
        metric = metrics.index(one.cell.metric) if one.cell.metric in metrics else len(metrics)
        return boxes.index(one.entry.box), order[one.cell.track, one.cell.point], metric

    return sorted(told, key=key)


def _link(address: str) -> str:
    """Only a web address may become a link: a run's file could hold anything."""
    return address if address.startswith(("https://", "http://")) else ""


def _number_row(one: Told, workload: WorkloadFacts) -> dict[str, Any]:
    entry, cell = one.entry, one.cell
    scale = units.scale_of_estimates([cell.median], cell.unit)
    return {
        "href": f"{entry.place}cells.html#{cell_anchor(cell)}",
        "key": cell.key,
        "run": entry,
        "point": short_point(cell.point),
        "metric": workload.metrics.get(cell.metric, cell.metric),
        "track": cell.track,
        "state": state(cell),
        "value": f"{units.show(cell.median, scale)} {scale.symbol}" if cell.median else "no number",
        "raw": cell.median.center if cell.median else None,
        "interval": units.show_interval(cell.median, scale) if cell.median else "",
        "n": cell.median.n if cell.median else 0,
        "group": cell.group if cell.trusted and entry.card.claims else None,
        "compared": compared(cell),
        "said": _said_of(cell),
    }


def _said_of(cell: Cell) -> list[tuple[str, str]]:
    """What stands below a number, or in its place: kind and text."""
    return [
        *([("gap", cell.gap)] if cell.gap else []),
        *(("failed", text) for text in cell.failures),
        *((flag.level, flag.text) for flag in cell.flags),
        *(("note", text) for text in cell.notes),
    ]
