"""What the pages and the README say in words: notes, quotations, scenarios, controls, commands,
lists that are lists.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec
import pytest
import report_runs
import scenario_runs

from corobench.errors import UserError
from corobench.report import (
    headline,
    notes,
    readme,
    reproduce,
    scenarios,
    tables,
    text,
    units,
    view,
)
from corobench.report.charts import base
from corobench.report.pages import run as run_page
from corobench.report.runs import Entry, collect, header
from corobench.results import log
from corobench.statistics import flags
from corobench.statistics.flags import flag_words
from corobench.statistics.summary import NO_CLAIMS, summarise
from corobench.statistics.types import Cell, Estimate, Flag, RunSummary, WorkloadFacts

RED = Flag(name="steal", level="red", text="the hypervisor took 4 % of the time")


@pytest.fixture(scope="module")
def entry(tmp_path_factory: pytest.TempPathFactory) -> Entry:
    results = tmp_path_factory.mktemp("results")
    report_runs.write(results / "testbox" / "run", blocks=9)
    (found,) = collect(results, results / ".cache")
    return found


@pytest.fixture(scope="module")
def summary(entry: Entry) -> RunSummary:
    return entry.summary


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    """Scenarios of nine blocks, so that their numbers may be ranked."""
    folder = tmp_path_factory.mktemp("results") / "testbox" / "scenarios"
    return summarise(log.read(scenario_runs.write(folder, blocks=9)))


def workload(summary: RunSummary, name: str) -> WorkloadFacts:
    return next(w for w in summary.workloads if w.name == name)


def with_flags(summary: RunSummary, name: str, *flags: Flag) -> RunSummary:
    cells = [
        msgspec.structs.replace(c, flags=list(flags)) if c.workload == name else c
        for c in summary.cells
    ]
    return msgspec.structs.replace(summary, cells=cells)


def test_a_scenario_with_remedies_says_what_they_bring_back_and_leave(told: RunSummary) -> None:
    found = scenarios.finding(told, workload(told, "starvation"))
    assert found
    assert (found.title, found.place) == ("Starvation", "one CPU")
    load, remedy, left = [row.figure for row in found.rows]
    assert load.endswith("under load (naive), times that of idle")
    assert remedy == "the same with the best remedy measured here"
    assert left == "what that leaves of the progress of the load"


def test_a_sweep_says_its_plateau_and_knee_beside_what_arithmetic_allows(told: RunSummary) -> None:
    found = scenarios.finding(told, workload(told, "mixed"))
    assert found
    level, queueing = found.rows
    assert level.figure == "throughput, where it levels off"
    assert re.fullmatch(r"limit: [\d,.]+.k?/s", level.beside)
    assert queueing.figure.startswith("c at which the median response is over")
    assert re.fullmatch(r"1\d", queueing.least)
    assert re.fullmatch(r"theory: above 12; next fewer measured: 1\d.*", queueing.beside)


def test_a_number_that_lies_above_the_plateau_is_not_where_a_runtime_levels_off(
    told: RunSummary,
) -> None:
    def raised(cell: Cell) -> Cell:
        if not (
            cell.workload == "mixed"
            and cell.metric == "throughput"
            and "c=50," in cell.point
            and cell.median
        ):
            return cell
        most = Estimate(center=400, low=390, high=410, n=9, confidence=0.95)
        return msgspec.structs.replace(cell, median=most)

    above = msgspec.structs.replace(told, cells=[raised(cell) for cell in told.cells])
    assert above != told
    assert scenarios.finding(above, workload(told, "mixed")) == scenarios.finding(
        told, workload(told, "mixed")
    )


def test_a_scenario_with_advice_says_what_was_worth_it_beside_the_rules(told: RunSummary) -> None:
    """Where runtimes differ the ends are named; where it ran is told once, in front."""
    known = workload(told, "webmatrix")
    found = scenarios.finding(told, known)
    assert found
    rows = {row.figure.partition(", ")[2]: row for row in found.rows}
    assert [*rows] == ["wait_us = 0", "wait_us = 5,000"], "all settings share the front"
    assert all(row.figure.startswith("fewest workers that gave 90") for row in found.rows)
    none, some = rows.values()
    assert (none.least, none.most) == ("1", "")
    assert none.beside == "2 x cores + 1: 3; cores x (CPU + wait) / CPU: 1"
    most = "asyncio, uvloop, go-p1, tokio-current-thread, tokio-multi-thread and node"
    assert (some.least, some.most) == ("3 (gevent)", f"5 ({most})")
    unknown = scenarios.finding(msgspec.structs.replace(told, cpus={}), known)
    assert unknown
    assert {row.beside for row in unknown.rows} == {""}


def test_of_numbers_that_can_t_be_ranked_nothing_is_said(told: RunSummary) -> None:
    for name in scenario_runs.SCENARIOS[1:]:
        found = scenarios.finding(with_flags(told, name, RED), workload(told, name))
        assert found
        assert not found.rows
        assert re.fullmatch(r"Only 0 of \d+ numbers can be ranked: too few\.", found.unranked)
    assert scenarios.finding(told, workload(told, "spawn")) is None


def test_a_workload_of_differences_leads_with_them(told: RunSummary) -> None:
    like = next(c for c in told.cells if c.workload == "spawn" and c.metric == "time" and c.median)
    metrics = {
        "time": "time per task",
        "start-end": "start and end of a task (spawn - base)",
        "switch": "one yield",
    }
    facts = msgspec.structs.replace(
        workload(told, "spawn"), name="trio", title="Trio", group="scenario", metrics=metrics
    )
    points = {"time": ["phase=base,n=9", "phase=spawn,n=9"], "start-end": ["phase=spawn-base,n=9"]}
    cells = [
        msgspec.structs.replace(like, workload="trio", metric=m, point=p, flags=[])
        for m, at in points.items()
        for p in at
    ]
    made = msgspec.structs.replace(told, workloads=[facts], cells=cells)
    column = headline.column(made, facts)
    assert column
    assert (column.metric, column.point, column.what) == (
        "start-end",
        "phase=spawn-base,n=9",
        "start and end of a task",
    )
    found = scenarios.finding(made, facts)
    assert found
    assert [row.figure for row in found.rows] == ["start and end of a task"]
    alone = msgspec.structs.replace(made, cells=[c for c in cells if c.metric == "time"])
    assert (other := headline.column(alone, facts)) is not None
    assert other.metric == "time"


def test_notes_that_runtimes_share_stand_once(summary: RunSummary) -> None:
    shared = [
        msgspec.structs.replace(r, notes=["common", f"of {r.name}"]) for r in summary.runtimes
    ]
    found = notes.number_notes(msgspec.structs.replace(summary, runtimes=shared))
    texts = [place for note in found.notes if note.kind == "runtime" for place in note.places]
    assert sorted(texts) == sorted(["common", *(f"of {r.name}" for r in shared)])
    everyone, own = found.of_runtime["asyncio"]
    assert next(n.text for n in found.notes if n.number == everyone) == text.joined(
        r.name for r in shared
    )
    assert next(n.places for n in found.notes if n.number == own) == ["of asyncio"]


def test_a_case_stands_once_in_a_note_with_the_metrics_that_differ(told: RunSummary) -> None:
    doubt = Flag(name="made-up", level="amber", text="the made-up thing (3 of 9 invocations)")
    found = notes.number_notes(with_flags(told, "mixed", doubt))
    (note,) = (n for n in found.notes if n.text == "the made-up thing")
    cases = {(c.runtime, c.point, c.track) for c in told.cells if c.workload == "mixed"}
    assert note.count == len(cases)
    assert len(set(note.places)) == len(note.places)
    cells = [c for c in told.cells if c.workload == "mixed"]
    wide = [
        Flag(name="wide", level="amber", text=f"the interval is ±{place} % wide")
        for place in (11, 12)
    ]
    here = [
        c
        for c in cells
        if (c.runtime, c.point, c.track) == (cells[0].runtime, cells[0].point, cells[0].track)
    ][:2]
    flagged = [msgspec.structs.replace(c, flags=[flag]) for c, flag in zip(here, wide, strict=True)]
    (note,) = (
        n
        for n in notes.number_notes(msgspec.structs.replace(told, cells=flagged)).notes
        if n.text == flags.WORDS["wide"]
    )
    assert note.count == 1
    assert (
        f"±11 % wide ({here[0].metric}); the interval is ±12 % wide ({here[1].metric})"
        in note.places[0]
    )


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "wide",
            "the interval is ±23 % wide (limit 10 %)",
            "the interval is ±23 % wide (limit 10 %)",
        ),
        (
            "steadiness",
            "steadiness not shown: fewer than 6 warm iterations",
            "fewer than 6 warm iterations",
        ),
        ("no ratio", "no ratio to the reference: in only 3 of 9 blocks", "in only 3 of 9 blocks"),
        ("made-up", "the made-up thing (3 of 9 invocations)", "3 of 9 invocations"),
        ("made-up", "under half (of a CPU) was used (3 of 9 invocations)", "3 of 9 invocations"),
    ],
)
def test_a_place_of_a_note_says_what_its_title_does_not(
    summary: RunSummary, name: str, text: str, told: str
) -> None:
    cell = next(c for c in summary.cells if c.workload == "switch" and c.median)
    flagged = msgspec.structs.replace(
        cell, flags=[Flag(name=name, level="amber", text=text)], notes=[]
    )
    (note,) = (
        n
        for n in notes.number_notes(msgspec.structs.replace(summary, cells=[flagged])).notes
        if n.kind == "amber"
    )
    assert note.places == [f"{cell.runtime}, {cell.workload} {cell.point}, {cell.track}: {told}"]


def test_no_note_is_titled_by_a_code_name(told: RunSummary) -> None:
    names = {flag.name for cell in told.cells for flag in cell.flags} | {"peer-shares-cpu"}
    flags = [Flag(name=name, level="red", text=f"words of {name}") for name in names]
    assert not {flag_words(flag) for flag in flags} & {name for name in names if "-" in name}


def test_every_flag_of_the_statistics_has_words() -> None:
    source = Path(flags.__file__).read_text()
    names = set(re.findall(r'(?:_red|_amber)\(\s*"([^"]+)"|name="([^"]+)"', source))
    assert len(names) > 10
    assert {one or other for one, other in names} <= flags.WORDS.keys()


def test_the_first_page_has_the_notes_of_its_matrix_only(told: RunSummary) -> None:
    server = msgspec.structs.replace(told.runtimes[0], name="server", notes=["of a server"])
    both = msgspec.structs.replace(told, runtimes=[*told.runtimes, server])
    whole, brief = (
        view.make_view("testbox", "run", both, depth).notes for depth in ("whole", "head")
    )
    assert "server" in {note.text for note in whole.notes}
    assert "server" not in {note.text for note in brief.notes}
    shown = view.make_view("testbox", "run", both, "head")
    marks = {m for row in shown.matrix.rows for cell in row.cells for m in cell.marks}
    assert marks == {n.number for n in shown.notes.notes if n.kind != "runtime"}


def test_the_readme_has_one_picture_and_a_table_of_four_figures(entry: Entry) -> None:
    marked = "# x\n<!-- results: written -->\nold\n<!-- /results -->\nrest\n"
    text = readme.with_results(marked, entry, *readme.charted(entry, None))
    assert "old" not in text
    assert text.endswith("<!-- /results -->\nrest\n")
    assert text.count("<picture>") == 1
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert table[0].startswith("| Runtime (unit) | Startup, ms | Spawn, µs a task |")
    assert table[0].count("|") - 1 <= 5
    assert 2 < len(table) <= 2 + 8
    assert readme.shown_runs(text) == [entry.key]
    light, dark = readme.pictures(*readme.charted(entry, None))
    assert light[1].startswith(b"<svg ")
    assert base.PAPER in light[1].decode()
    assert base.PAPER not in dark[1].decode()
    assert all(f'"{name.as_posix()}"' in text for name, _ in (light, dark))


def test_a_readme_without_its_block_is_told(entry: Entry) -> None:
    with pytest.raises(UserError, match="no results block"):
        readme.with_results("# x\n", entry, *readme.charted(entry, None))
    with pytest.raises(UserError, match="no results block"):
        readme.shown_runs("<!-- results: -->\n<!-- /results -->\n")


def test_a_run_s_page_holds_its_pictures_and_the_hash_of_its_log(entry: Entry) -> None:
    files = dict(readme.run_page(entry))
    text = files[Path("README.md")].decode()
    pictures = re.findall(r"!\[[^]]+\]\((pictures/[^)]+\.svg)\)", text)
    assert pictures
    assert {Path(picture) for picture in pictures} == files.keys() - {Path("README.md")}
    assert hashlib.sha256((entry.folder / "log.jsonl").read_bytes()).hexdigest() in text
    assert f"[{entry.name}]({entry.key}/README.md)" in readme.index([entry])


def test_a_floor_is_never_above_its_median_by_rounding() -> None:
    row = Estimate(center=1240.0, low=1100.0, high=1400.0, n=9, confidence=0.96)
    floor = Estimate(center=1231.0, low=1231.0, high=1235.0, n=9, confidence=0.0)
    scale = units.Scale(1.0, "ns")
    assert (units.show(row, scale), units.show(floor, scale)) == ("1,200", "1,230"), (
        "each by its own digits"
    )
    assert units.show_beside(floor, row, scale) == "1,200"


def test_the_floor_of_every_row_is_at_most_its_median(summary: RunSummary) -> None:
    numbered = notes.number_notes(summary)
    lines = [
        line
        for w in summary.workloads
        for t in tables.tables(summary, w, numbered)
        for body in t.bodies
        for line in body.lines
    ]
    pairs = [
        (entry.text, line.entries[0].text)
        for line in lines
        for entry in line.entries
        if entry.name == "minimum" and entry.raw is not None
    ]
    assert pairs
    assert all(
        float(floor.replace(",", "")) <= float(typical.replace(",", "")) for floor, typical in pairs
    )


def test_commands_set_up_build_and_measure_all_tracks_of_a_part(summary: RunSummary) -> None:
    shown = view.make_view("testbox", "run", summary)
    part = next(p for s in shown.sections for p in s.parts if p.workload.name == "switch")
    checkout, build, measure = part.commands
    assert checkout == f"git checkout {report_runs.COMMIT}"
    assert build.startswith("make setup build PROFILE=default RUNTIMES=")
    assert measure.startswith(
        ".venv/bin/corobench run --profile default --workloads switch --tracks "
    )
    spawn = next(p for s in shown.sections for p in s.parts if p.workload.name == "spawn").commands[
        -1
    ]
    assert "--tracks one-cpu,all-cpus " in spawn
    assert "asyncio" in spawn
    assert ",go " in spawn


def test_a_cell_tells_what_stood_beside_its_programs(told: RunSummary) -> None:
    case = next(c.key.removesuffix(f"/{c.metric}") for c in told.cells if c.workload == "mixed")
    assert told.observed[case]["companion_late"] == 0
    seen = {"generator_cpu": 0.934, "concurrency": 100.0, "rate": 0.0, "late": 0.0012}
    closed = [("load generator's share of its CPU", "93 %"), ("clients that asked at once", "100")]
    assert reproduce._around(seen) == closed
    assert reproduce._around({**seen, "rate": 50.0}) == [
        *closed,
        ("requests a second that were asked for", "50"),
        ("load generator late by (99th percentile)", "1.20 ms"),
    ]


def test_a_hash_of_nothing_says_that_there_is_no_lock_file(entry: Entry) -> None:
    known = header(entry)
    facts = {
        **known.runtimes["asyncio"],
        "hashes": {"lock": reproduce._OF_NOTHING, "sources": "ab"},
    }
    found = reproduce.origin(
        entry.summary, msgspec.structs.replace(known, runtimes={**known.runtimes, "asyncio": facts})
    )
    assert ("Hash of lock", "no lock file") in found["asyncio"]
    assert ("Hash of sources", "ab") in found["asyncio"]


def test_raw_values_have_three_digits_at_most(entry: Entry) -> None:
    for recipe in reproduce.recipes(entry.summary, header(entry)):
        for number in recipe.numbers:
            for _, value in number.samples:
                assert len(value.replace(",", "").replace(".", "").strip("0")) <= units.SIGNIFICANT


def test_sections_are_titled_as_users_write_them(told: RunSummary, summary: RunSummary) -> None:
    titles = {
        s.family: s.title
        for made in (summary, told)
        for s in view.make_view("b", "r", made).sections
    }
    assert titles["hand-off"] == "Hand-off"
    assert titles["webmatrix"] == "Python web servers"
    assert titles["switch"] == "Context switch"


def test_a_box_that_was_not_quiet_is_described_in_words(summary: RunSummary) -> None:
    still = msgspec.structs.replace(with_flags(summary, "spawn"), box={})
    still = msgspec.structs.replace(
        still, cells=[msgspec.structs.replace(c, flags=[]) for c in still.cells]
    )
    assert (run_page.quiet(still), run_page.disturbed(still)) == ("yes", [])
    one = msgspec.structs.replace(
        still, cells=[msgspec.structs.replace(still.cells[0], flags=[RED]), *still.cells[1:]]
    )
    assert run_page.quiet(one) == "mostly"
    assert run_page.quiet(with_flags(still, "switch", RED)) == "no"
    flagged = with_flags(
        with_flags(still, "switch", RED), "spawn", Flag(name="wide", level="red", text="too wide")
    )
    spoiled, wide, all_of_them = (
        sum(c.median is not None and c.workload in names for c in still.cells)
        for names in ({"switch"}, {"spawn"}, {w.name for w in still.workloads})
    )
    assert run_page.disturbed(flagged) == [
        f"{spoiled} of {all_of_them} numbers of this run can't be ranked for what the box did "
        f"(CPU time taken by the hypervisor: {spoiled}), {spoiled + wide} for any reason"
    ]
    assert run_page.disturbed(summary)[-2:] == report_runs.FACTS["warnings"]
    quick = msgspec.structs.replace(summary, warnings=[NO_CLAIMS, "25 cases had failures"], box={})
    assert run_page.all_warnings(quick) == ["25 cases had failures"]


def test_a_wide_table_tells_n_verdict_and_why_each_number_is_not_ranked(told: RunSummary) -> None:
    def part(summary: RunSummary) -> view.Part:
        shown = view.make_view("testbox", "scenarios", summary)
        return next(p for s in shown.sections for p in s.parts if p.workload.name == "mixed")

    (wide,) = part(told).tables
    assert wide.wide
    assert wide.bodies[0].lines[0].entries[0].n == 9
    (flagged,) = part(with_flags(told, "mixed", RED)).tables
    for line in flagged.bodies[0].lines:
        for one in (e for e in line.entries if e.raw is not None):
            assert (one.reason, one.state) == (RED.text, "flagged")
            assert one.marks


def test_a_cell_names_its_reason_in_words(summary: RunSummary) -> None:
    def place(cell: Cell) -> bool:
        return (cell.workload, cell.point) == ("switch", "k=100,m=20")

    red = with_flags(summary, "switch", RED)
    shown = tables.make_matrix(red, notes.number_notes(red))
    cells = [cell for row in shown.rows for cell in row.cells if cell.key.startswith("switch/")]
    assert len(cells) == sum(place(c) for c in red.cells)
    assert {tuple(cell.reds) for cell in cells} == {("CPU time taken by the hypervisor",)}
    assert {cell.reason for cell in cells} == {RED.text}
