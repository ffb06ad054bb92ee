"""Findings: ratios planted on either side of the range asked for, the parts as one, and the claims
of this repository.
"""

from __future__ import annotations

import math
import random
import re
import shutil
from pathlib import Path

import msgspec
import pytest
import report_runs
from synthetic import make_run

from corobench.errors import UserError
from corobench.plan import Selection, make_plan
from corobench.report import build
from corobench.statistics.findings import Outcome, Whole, judge, names, together
from corobench.statistics.summary import summarise
from corobench.statistics.types import Flag, RunSummary
from corobench.suite.load import load_findings, load_suite
from corobench.suite.workload import Case, Check, Finding, Number, Source, parse_case

REPOSITORY = Path(__file__).resolve().parents[3]
SUMMARY = summarise(make_run(blocks=12, workloads=["spawn"], runtimes=["asyncio", "uvloop"]))
THIS = Number(workload="spawn", runtime="uvloop", metric="time", point="n=10000")
OTHER = Number(workload="spawn", runtime="asyncio", metric="time", point="n=10000")

TWICE = """
title = "<b>Twice</b>"
claim = "twice"
explanation = "because"
[[source]]
title = "somewhere"
url = "https://example.org/"
[[check]]
text = "between a hundredth and a hundred times"
this = { workload = "spawn", runtime = "uvloop", metric = "time", point = "n=10000" }
other = { workload = "spawn", runtime = "asyncio", metric = "time", point = "n=10000" }
least = 0.01
most = 100
"""


def finding(least: float | None = 1.5, most: float | None = None) -> Finding:
    check = Check(text="twice", this=THIS, other=OTHER, least=least, most=most)
    source = Source(title="somewhere", url="https://example.org/")
    return Finding(
        title="Twice", claim="twice", explanation="because", source=[source], check=[check]
    )


def planted(
    ratio: float, spread: float = 0.02, *, claims: bool = True, red: bool = False
) -> RunSummary:
    """A summary in which uvloop takes `ratio` times what asyncio takes, block by block."""
    rng = random.Random(f"{ratio} {spread}")
    base = {block: 1e-6 * math.exp(rng.gauss(0, 0.1)) for block in range(12)}
    times = {block: value * ratio * math.exp(rng.gauss(0, spread)) for block, value in base.items()}
    cells = []
    for cell in SUMMARY.cells:
        samples = base if names(OTHER, cell) else times if names(THIS, cell) else cell.samples
        flags = (
            [Flag(name="steal", level="red", text="stolen")] if red and names(THIS, cell) else []
        )
        cells.append(msgspec.structs.replace(cell, samples=samples, flags=flags))
    return msgspec.structs.replace(SUMMARY, cells=cells, claims=claims)


@pytest.mark.parametrize(
    ("ratio", "spread", "most", "expected"),
    [
        (2.0, 0.02, None, "borne out"),
        (2.0, 0.02, 2.5, "borne out"),
        (1.0, 0.02, None, "not borne out"),
        (3.0, 0.02, 2.5, "not borne out"),
        (1.5, 0.10, None, "not decided"),
        (2.5, 0.10, 2.5, "not decided"),
    ],
)
def test_an_interval_in_the_range_bears_it_out(
    ratio: float, spread: float, most: float | None, expected: Outcome
) -> None:
    judged = judge(finding(most=most), planted(ratio, spread))
    assert judged.outcome == expected
    assert judged.checks[0].ratio is not None
    assert judged.checks[0].reason == ""


@pytest.mark.parametrize(("ratio", "expected"), [(0.9, "borne out"), (1.1, "not borne out")])
def test_a_limit_may_be_an_upper_one_alone(ratio: float, expected: Outcome) -> None:
    assert judge(finding(least=None, most=1.0), planted(ratio)).outcome == expected


def test_a_ratio_of_which_nothing_is_claimed_is_shown_and_decides_nothing() -> None:
    (claimed,), (plain,) = finding().check, finding(least=None).check
    judged = judge(msgspec.structs.replace(finding(), check=[plain, claimed]), planted(1.0))
    assert [one.outcome for one in judged.checks] == ["shown", "not borne out"]
    assert judged.checks[0].ratio
    assert judged.outcome == "not borne out"


def test_a_finding_that_claims_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "runner/findings").mkdir(parents=True)
    file = tmp_path / "runner/findings/twice.toml"
    file.write_text(re.sub("least = .*|most = .*", "", TWICE))
    with pytest.raises(UserError, match=re.escape(f"{file}: check: none has `least` or `most`")):
        load_findings(tmp_path)


def test_every_version_that_is_pinned_for_comparison_has_a_finding() -> None:
    """One that other profiles measure beside the usual version: of each runtime that has its
    workloads.
    """
    named = {runtime for own in load_findings(REPOSITORY) for runtime in own.runtimes}
    pinned = {
        name
        for name, runtime in load_suite(REPOSITORY).runtimes.items()
        if runtime.manifest.toolchain
        and runtime.manifest.toolchain.version
        and {"spawn", "switch", "memory"} <= set(runtime.variant.workloads or [])
    }
    assert {"go-1-24-p1", "node-22", "asyncio-py314"} <= pinned
    assert pinned - named == {"threads-py313t"}, "which has no other version beside it"


def test_what_may_not_be_ranked_decides_nothing() -> None:
    stolen = judge(finding(), planted(2.0, red=True)).checks[0]
    assert (stolen.outcome, stolen.reason) == ("not decided", "uvloop: stolen")
    quick = judge(finding(), planted(2.0, claims=False)).checks[0]
    assert (quick.outcome, quick.reason) == ("not decided", "quick run: no claims")


@pytest.mark.parametrize(
    ("ratio", "margin", "expected"),
    [
        (2.0, 0.1, "borne out"),
        (1.7, 0.1, "not decided"),  # at least 25 % are taken, whatever is told
        (2.5, 0.5, "borne out"),
        (2.0, 0.5, "not decided"),
        (1.3, 0.1, "not decided"),
        (0.8, 0.5, "not borne out"),
    ],
)
def test_what_is_off_by_a_known_amount_has_to_clear_it(
    ratio: float, margin: float, expected: Outcome
) -> None:
    """The ratio that is asked for is 1.5; a red flag with a margin says by how much a number may be
    off.
    """
    wide = Flag(name="wide", level="red", text="spread", margin=margin)
    summary = planted(ratio)
    cells = [
        msgspec.structs.replace(cell, flags=[wide] if names(THIS, cell) else [])
        for cell in summary.cells
    ]
    summary = msgspec.structs.replace(summary, cells=cells)
    checked = judge(finding(least=1.5), summary).checks[0]
    assert checked.outcome == expected
    assert checked.reason == "uvloop: spread"


def test_a_figure_decides_where_the_value_bends() -> None:
    """Before a collection the ladder of a runtime with a collector may bend with its garbage; what
    is held then doesn't.
    """
    bytes_of = [
        Number(workload="memory", runtime=name, metric="bytes", figure="collected")
        for name in ("node", "go-p1")
    ]
    check = Check(text="held", this=bytes_of[1], other=bytes_of[0], least=5, most=8)
    summary = summarise(
        make_run(blocks=9, workloads=["memory"], runtimes=["node", "go-p1", "asyncio"])
    )
    bent = Flag(name="not linear", level="red", text="bent")
    cells = [
        msgspec.structs.replace(cell, flags=[bent]) if cell.runtime == "node" else cell
        for cell in summary.cells
    ]
    own = msgspec.structs.replace(finding(), check=[check])
    checked = judge(own, msgspec.structs.replace(summary, cells=cells)).checks[0]
    assert checked.outcome == "borne out"
    assert checked.ratio
    assert checked.ratio.center == pytest.approx(2750 / 420, rel=0.02)
    assert checked.ratio.low < checked.ratio.center < checked.ratio.high
    plain = [msgspec.structs.replace(number, figure=None) for number in bytes_of]
    of_values = msgspec.structs.replace(
        own, check=[Check(text="held", this=plain[1], other=plain[0], least=5)]
    )
    told = judge(of_values, msgspec.structs.replace(summary, cells=cells)).checks[0]
    assert (told.outcome, told.reason) == ("not decided", "node: bent")


def test_a_number_that_is_not_there_is_not_measured() -> None:
    absent = msgspec.structs.replace(
        SUMMARY, cells=[cell for cell in SUMMARY.cells if not names(OTHER, cell)]
    )
    checked = judge(finding(), absent).checks[0]
    assert (checked.outcome, checked.reason) == ("not measured", "asyncio was not part of the run")


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (["borne out", "borne out"], "borne out"),
        (["borne out", "not borne out"], "in part"),
        (["borne out", "not borne out", "not decided"], "in part"),
        (["borne out", "not decided"], "borne out where decided"),
        (["borne out", "not measured"], "borne out where decided"),
        (["not borne out", "not borne out"], "not borne out"),
        (["not borne out", "not decided"], "not borne out where decided"),
        (["not decided", "not measured"], "not decided"),
        (["not measured", "not measured"], "not measured"),
    ],
)
def test_the_parts_of_a_claim_as_one(parts: list[Outcome], whole: Whole) -> None:
    assert together(parts) == whole


def cases(runtimes: list[str] | None = None) -> list[Case]:
    selection = Selection(profile="findings", runtimes=runtimes)
    return [parse_case(key) for key in make_plan(load_suite(REPOSITORY), selection, seed=0).cases]


@pytest.mark.parametrize("own", load_findings(REPOSITORY), ids=lambda one: one.name)
def test_the_profile_of_findings_measures_every_number_of_a_claim(own: Finding) -> None:
    measured = {(case.workload, case.runtime, case.track, case.point) for case in cases()}
    for check in own.check:
        assert check.least is None or check.most is None or check.least < check.most
    for number in own.numbers:
        points = {
            point
            for *place, point in measured
            if place == [number.workload, number.runtime, number.track]
        }
        found = [point for point in points if number.is_at(point)]
        assert len(found) == 1 if number.point else len(found) >= 5, (number, points)


def test_the_profile_of_findings_measures_nothing_else() -> None:
    numbers = [number for own in load_findings(REPOSITORY) for number in own.numbers]
    asked = {(number.workload, number.runtime, number.track) for number in numbers}
    assert {(case.workload, case.runtime, case.track) for case in cases()} == asked
    assert {case.point for case in cases() if case.workload == "spawn"} == {"n=10000"}
    made = make_plan(load_suite(REPOSITORY), Selection(profile="findings"), seed=0)
    assert made.gaps == []


def test_a_runtime_that_no_claim_names_is_measured_where_the_user_does() -> None:
    found = cases(["trio", "tokio-1-28"])
    core, primitives = {"memory", "spawn", "switch", "hand-off"}, {"mutex", "scope", "sleep-zero"}
    measured = {case.workload for case in found if case.runtime == "trio"}
    assert measured == {*core, *primitives, "ticker"}
    assert {case.workload for case in found if case.runtime == "tokio-1-28"} == {"memory", "spawn"}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ('runtime = "uvlop"', "unknown runtime 'uvlop'"),
        ('workload = "spawned"', "unknown workload 'spawned'"),
        ('metric = "bytes"', "'bytes' is no metric of spawn"),
        ('point = "n=3"', "the profile findings has no point 'n=3' of spawn"),
        ('point = "n=1"', "the profile findings has no point 'n=1' of spawn"),
        ('track = "all-cpus"', "uvloop has no spawn on the track all-cpus"),
    ],
)
def test_a_claim_about_what_does_not_exist_is_refused(
    wrong: str, told: str, tmp_path: Path
) -> None:
    key = wrong.partition(" = ")[0]
    right = next(line for line in TWICE.splitlines() if line.startswith("this"))
    changed = (
        re.sub(rf'{key} = "[^"]*"', wrong, right)
        if f"{key} = " in right
        else right.replace(" }", f", {wrong} }}")
    )
    copy_of_the_specs(tmp_path, TWICE.replace(right, changed))
    with pytest.raises(UserError, match=re.escape(f"twice.toml: check: {told}")):
        load_suite(tmp_path)


def test_a_claim_about_one_of_several_points_is_refused(tmp_path: Path) -> None:
    copy_of_the_specs(tmp_path, TWICE.replace("spawn", "switch").replace("n=10000", "k=100"))
    spec = tmp_path / "runner/workloads/switch.toml"
    point = 'k = 100, m = 1 }\nprofiles = ["findings"]\n'
    spec.write_text(re.sub(r"k = 10_000, .*\n.*\n", point, spec.read_text(), count=1))
    told = "the profile findings has several points 'k=100' of switch, k=100,m=200 and k=100,m=1"
    with pytest.raises(UserError, match=re.escape(f"twice.toml: check: {told}")):
        load_suite(tmp_path)


def copy_of_the_specs(root: Path, finding: str) -> None:
    """A checkout of asyncio and uvloop, and of one finding."""
    for place in ("runner/workloads", "python/uvloop", "python/asyncio"):
        shutil.copytree(REPOSITORY / place, root / place)
    for place in ("python/toolchain.toml", "runner/tools"):
        copy = shutil.copytree if (REPOSITORY / place).is_dir() else shutil.copy
        copy(REPOSITORY / place, root / place)
    (root / "runner/findings").mkdir()
    (root / "runner/findings/twice.toml").write_text(finding)


def test_a_point_may_be_named_by_some_of_its_parameters() -> None:
    """So that runs of before and after a change of the others bear on one claim."""
    summary = summarise(make_run(blocks=9, workloads=["switch"], runtimes=["asyncio"]))
    number = Number(workload="switch", runtime="asyncio", metric="time", point="k=100")
    assert [cell.point for cell in summary.cells if names(number, cell)] == ["k=100,m=20"]


def page(tmp_path: Path, finding: str) -> str:
    """The findings of a site of one run, of spawn."""
    root = tmp_path / "checkout"
    (root / "runner/findings").mkdir(parents=True)
    (root / "runner/findings/twice.toml").write_text(finding)
    report_runs.write(tmp_path / "results/testbox/2025-03-01-main", workloads=["spawn"])
    build.build(tmp_path / "results", tmp_path / "site", root)
    return (tmp_path / "site/findings.html").read_text()


def test_the_page_says_what_decided(tmp_path: Path) -> None:
    html = page(tmp_path, TWICE)
    assert "&lt;b&gt;Twice&lt;/b&gt;: borne out" in html
    assert ">2025-03-01-main</a> on testbox" in html
    assert "make findings RUNTIMES=uvloop,asyncio" in html
    assert "<strong>Published.</strong>" in html
    assert "<td>uvloop (1.0): " in html
    assert 'href="findings.html"' in (tmp_path / "site/index.html").read_text()


def test_a_claim_of_this_project_does_not_stand_as_published(tmp_path: Path) -> None:
    html = page(tmp_path, f"published = false\n{TWICE}")
    assert "<strong>Background.</strong>" in html
    assert "<strong>Claim of this project.</strong>" in html
    assert "<strong>Published.</strong>" not in html


def test_the_page_says_how_many_parts_decide_and_at_which_point(tmp_path: Path) -> None:
    parts = TWICE[TWICE.index("[[check]]") :].replace("spawn", "switch").replace("n=10000", "k=100")
    html = page(tmp_path, TWICE + parts)
    assert "&lt;b&gt;Twice&lt;/b&gt;: borne out where decided (1 of 2)</h2>" in html
    assert "<b>borne out where decided (3 of 8)</b> where three of its eight parts are" in html
    report_runs.write(tmp_path / "results/testbox/2025-03-02-both", workloads=["spawn", "switch"])
    build.build(tmp_path / "results", tmp_path / "site", tmp_path / "checkout")
    assert re.search(
        r"<td>uvloop \(1\.0\): [^<]* at k=100,m=20</td>",
        (tmp_path / "site/findings.html").read_text(),
    )


def test_a_run_that_measured_only_what_is_shown_tells_it(tmp_path: Path) -> None:
    claimed, check = (
        TWICE.replace("spawn", "switch").replace("n=10000", "k=100,m=20"),
        TWICE[TWICE.index("[[check]]") :],
    )
    html = page(tmp_path, claimed + re.sub("least = .*|most = .*", "", check))
    assert "&lt;b&gt;Twice&lt;/b&gt;: not measured" in html
    assert (
        '<strong>Measured by.</strong> <a href="runs/testbox/2025-03-01-main/index.html">' in html
    )
    assert "<td>shown</td>" in html


def test_the_run_that_measured_most_parts_decides_however_old(tmp_path: Path) -> None:
    root = tmp_path / "checkout"
    (root / "runner/findings").mkdir(parents=True)
    parts = (
        TWICE[TWICE.index("[[check]]") :]
        .replace("spawn", "switch")
        .replace("n=10000", "k=100,m=20")
    )
    (root / "runner/findings/twice.toml").write_text(TWICE + parts)
    report_runs.write(tmp_path / "results/testbox/2025-03-01-both", workloads=["spawn", "switch"])
    for day in ("02", "03"):
        folder = tmp_path / f"results/testbox/2025-04-{day}-one"
        report_runs.write(folder, workloads=["spawn"], created=f"2025-04-{day}T10:00:00+00:00")
    build.build(tmp_path / "results", tmp_path / "site", root)
    told = (tmp_path / "site/findings.html").read_text()
    order = [
        told.index(f">{name}</a> on testbox")
        for name in ("2025-03-01-both", "2025-04-03-one", "2025-04-02-one")
    ]
    assert order == sorted(order)
