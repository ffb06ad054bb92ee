"""What a spec has nobody told apart by, whom a manifest calls a floor, and which figures a doubt is
about.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import planted
import pytest
from synthetic import Build, make_run

from corobench.errors import UserError
from corobench.plan import Gap
from corobench.report import headline
from corobench.report.exports import caveat, exporter
from corobench.results import log
from corobench.statistics.cells import LOWER_BOUND
from corobench.statistics.compare import NOTHING_CLAIMED, compare
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell
from corobench.suite.load import load_suite, load_workload
from corobench.suite.workload import Difference, Metric, Ratio, Workload

SPECS = planted.REPOSITORY / "runner/workloads"
TIME = {"name": "time", "title": "time", "unit": "s", "better": "lower", "value": "elapsed"}
SEEN = {
    "name": "seen",
    "title": "what was seen",
    "unit": "s",
    "better": "lower",
    "value": "elapsed",
    "claims": False,
}
POINT = "spawn/n=1000/one-cpu"


def run(
    metric: list[dict[str, Any]],
    seed: int = 1,
    start_s: float = 0.0,
    slow: float = 1.0,
    **more: Any,
) -> log.Run:
    """Twelve blocks of a spec with these metrics; `slow`: times as long as else, uvloop's."""
    build = Build(slow={("spawn", "uvloop"): slow})
    made = make_run(seed=seed, blocks=12, workloads=["spawn"], start_s=start_s, build=build)
    spec = {
        **made.header.workloads["spawn"],
        "kind": "measured",
        "ladder": None,
        "metric": metric,
        **more,
    }
    return msgspec.structs.replace(
        made, header=msgspec.structs.replace(made.header, workloads={"spawn": spec})
    )


def column(of: log.Run, metric: str) -> dict[str, Cell]:
    return {
        c.runtime: c
        for c in summarise(of).cells
        if c.key.startswith(f"{POINT}/") and c.metric == metric
    }


def test_by_what_claims_nothing_nobody_is_told_apart() -> None:
    made = run([TIME, SEEN])
    time, seen = (column(made, name) for name in ("time", "seen"))
    assert {c.group for c in time.values()} != {None}
    assert {c.group for c in seen.values()} == {None}
    assert {c.comparison.verdict for c in seen.values() if c.comparison} == {"not comparable"}
    assert seen["uvloop"].comparison
    assert time["uvloop"].comparison
    assert seen["uvloop"].comparison.ratio == time["uvloop"].comparison.ratio
    assert ([c.claims for c in time.values()], {c.claims for c in seen.values()}) == (
        [True] * len(time),
        {False},
    )


def test_a_spec_that_was_recorded_without_the_key_claims_as_it_did() -> None:
    old = run([TIME, {key: value for key, value in SEEN.items() if key != "claims"}])
    assert (
        {c.group for c in column(old, "seen").values()}
        == {c.group for c in column(old, "time").values()}
        != {None}
    )


def test_what_two_points_make_may_claim_nothing_too() -> None:
    over = {"over": "n", "value": "elapsed", "claims": False, "better": "lower"}
    ratio = {"name": "times", "title": "times as long", "base": 1_000, **over}
    difference = {"name": "more", "title": "more", "of": 10_000, "less": 1_000, "unit": "s", **over}
    cells = summarise(run([TIME], ratio=[ratio], difference=[difference])).cells
    made = [c for c in cells if c.metric in ("times", "more")]
    assert {c.metric for c in made} == {"times", "more"}
    assert {(c.claims, c.group) for c in made} == {(False, None)}


@pytest.mark.parametrize("claims", [True, False])
def test_a_control_of_what_claims_nothing_marks_no_run(claims: bool) -> None:
    """The reference's second self is seen to take twice as long, and uses the same CPU time."""
    made = run([{**TIME, "value": "cpu"}, {**SEEN, "claims": claims}])

    def slow(line: log.Line) -> log.Line:
        if not isinstance(line, log.Invocation) or not line.case.endswith("~twin"):
            return line
        longer = [msgspec.structs.replace(i, elapsed_ns=2 * i.elapsed_ns) for i in line.iterations]
        return msgspec.structs.replace(line, iterations=longer)

    found = summarise(msgspec.structs.replace(made, lines=[slow(line) for line in made.lines]))
    assert any(warning.startswith("A/A failed") for warning in found.warnings) is claims


def test_two_runs_are_not_told_apart_by_it_either() -> None:
    found = compare(run([TIME, SEEN], 2), run([TIME, SEEN], 13, 86_400.0, slow=1.5))
    assert "time" in {change.metric for change in found.regressions}
    seen = [change for change in found.changes if change.metric == "seen"]
    assert {(change.verdict, change.reason) for change in seen} == {
        ("not comparable", NOTHING_CLAIMED)
    }
    assert not any(change.regression for change in seen)


def test_exports_say_so_and_raise_no_alarm_on_it() -> None:
    made = run([TIME, SEEN])
    summary = summarise(made)
    words = {
        c.metric: caveat(summary, c) for c in summary.cells if c.key.startswith(f"{POINT}/uvloop/")
    }
    assert words == {"time": "", "seen": "no claim"}
    alarming = json.loads(exporter("bencher").export(made, summary))
    assert {name.rpartition("/")[2] for name in alarming} == {"time"}


@pytest.mark.parametrize(("metrics", "flagged"), [([], {"time", "seen"}), (["seen"], {"seen"})])
def test_a_doubt_is_about_the_figures_that_it_names(metrics: list[str], flagged: set[str]) -> None:
    doubt = {
        "name": "busy",
        "level": "red",
        "when": "elapsed > 0",
        "text": "busy",
        "metrics": metrics,
    }
    made = run([TIME, SEEN], caution=[doubt])
    found = {
        name
        for name in ("time", "seen")
        if any(f.name == "busy" for c in column(made, name).values() for f in c.flags)
    }
    assert found == flagged


def floors(of: log.Run, *names: str) -> log.Run:
    """The run as one whose manifests call these runtimes floors of spawn."""
    known = of.header.runtimes
    said = {name: {**known[name], "lower_bound": {"spawn": "it starts nothing"}} for name in names}
    return msgspec.structs.replace(
        of, header=msgspec.structs.replace(of.header, runtimes={**known, **said})
    )


def test_a_floor_is_drawn_in_no_group_and_named_in_no_sentence() -> None:
    made = make_run(blocks=12, workloads=["spawn", "hand-off"])
    whole, without = summarise(made), summarise(floors(made, "tokio-current-thread"))
    key = f"{POINT}/tokio-current-thread/time"
    before, after = (next(c for c in found.cells if c.key == key) for found in (whole, without))
    assert (before.group, after.group, after.median) == (1, None, before.median)
    assert (after.lower_bound, after.notes) == (True, [f"{LOWER_BOUND}: it starts nothing"])
    others = [c for c in without.cells if c.key.startswith(f"{POINT}/") and c.key != key]
    assert min(c.group for c in others if c.group) == 1
    assert all(c.best_known and not c.lower_bound for c in others)
    assert (
        next(
            c
            for c in without.cells
            if c.workload == "hand-off" and c.runtime == "tokio-current-thread"
        ).group
        == 1
    )
    said = [
        " ".join(
            one.sentence
            for one in headline.answer(found).questions
            if one.column.workload == "spawn"
        )
        for found in (whole, without)
    ]
    assert ["(tokio-current-thread)" in text for text in said] == [True, False]


def test_a_floor_that_cannot_be_ranked_leaves_the_best_known() -> None:
    """It reads better than all others, of whom one is the best all the same."""
    failing = Build(failures={f"{POINT}/tokio-current-thread": [4]})
    made = make_run(blocks=12, workloads=["spawn"], build=failing)
    known = [
        {c.best_known for c in summarise(one).cells if c.key.startswith(f"{POINT}/")}
        for one in (made, floors(made, "tokio-current-thread"))
    ]
    assert known == [{False}, {True}]


def test_a_gap_beside_a_floor_is_none() -> None:
    made = make_run(blocks=9, workloads=["spawn"])
    gap = Gap(workload="spawn", runtime="threads", reason="no program yet")
    header = msgspec.structs.replace(
        made.header, plan=msgspec.structs.replace(made.header.plan, gaps=[gap])
    )
    found = summarise(floors(msgspec.structs.replace(made, header=header), *made.header.runtimes))
    gaps = [c for c in found.cells if c.runtime == "threads"]
    assert gaps
    assert not any(c.lower_bound or c.notes for c in gaps)


def spec(name: str) -> Workload:
    return load_workload(SPECS / f"{name}.toml")


TIMES = [
    f"{kind}-{which}"
    for kind in ("response", "service")
    for which in ("p50", "p95", "p99", "worst")
]


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("http", {"seen-p50", "connections", "at-once", "asked", "generator", "late"}),
        ("webmatrix", {"p50", "p99", "at-once", "generator", "nginx-tcp-p50", "nginx-unix-p50"}),
        ("starvation-http", {"seen-p50", "seen-p99", "generator", "late", "starved-seen"}),
        ("mixed", {*TIMES, "queueing-p50", "utilisation"}),
    ],
)
def test_what_closed_loops_saw_and_what_judges_other_numbers_claims_nothing(
    name: str, figures: set[str]
) -> None:
    made = spec(name)
    every: list[Metric | Difference | Ratio] = [*made.metric, *made.difference, *made.ratio]
    assert {one.name for one in every if not one.claims} == figures


@pytest.mark.parametrize(
    ("name", "limited"),
    [("http", "throughput"), ("webmatrix", "throughput"), ("starvation-http", "seen-p50")],
)
def test_a_busy_generator_keeps_out_what_it_may_have_set_and_is_told_of_the_rest(
    name: str, limited: str
) -> None:
    doubts = {doubt.name: doubt for doubt in spec(name).caution}
    ceiling, rest = doubts["ceiling"], doubts["busy-generator"]
    assert (ceiling.level, rest.level, ceiling.when) == ("red", "amber", rest.when)
    assert limited in ceiling.metrics
    assert "cpu" in rest.metrics
    assert not {*ceiling.metrics} & {*rest.metrics}


def test_servers_that_hardly_parse_are_floors() -> None:
    made = load_suite(planted.REPOSITORY).runtimes
    assert {
        name
        for name, runtime in made.items()
        if "http" in runtime.manifest.lower_bound and runtime.gap(spec("http")) is None
    } >= {
        "asyncio",
        "uvloop",
        "nginx",
    }


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        (
            "http",
            '"requests / elapsed"\n',
            '"requests / elapsed"\nclaims = false\n',
            "metric.throughput.claims: the first",
        ),
        (
            "webmatrix",
            '"requests / elapsed"\n',
            '"requests / elapsed"\nclaims = false\n',
            "metric.throughput.claims: the first",
        ),
        (
            "http",
            'metrics = ["throughput"',
            'metrics = ["troughput"',
            "caution.ceiling.metrics: unknown metric 'troughput'",
        ),
        (
            "http",
            'name = "busy-generator"',
            'name = "ceiling"',
            "'ceiling' is the name of two doubts",
        ),
        ("fizzbuzz", 'largest = "n"', 'largest = "k"', "citation.largest: 'k' is no parameter"),
        (
            "io-switch",
            'against = "uvloop"',
            'against = "asyncio"',
            "citation.against: 'asyncio' is the runtime itself",
        ),
    ],
)
def test_a_spec_that_cannot_be_is_an_error_with_its_key(
    tmp_path: Path, name: str, old: str, new: str, told: str
) -> None:
    text = (SPECS / f"{name}.toml").read_text()
    assert old in text
    file = tmp_path / f"{name}.toml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        load_workload(file)
    assert str(caught.value).startswith(f"{file}: {told}")


def test_a_floor_of_an_unknown_workload_is_an_error(tmp_path: Path) -> None:
    planted.plant(tmp_path, {})
    file = tmp_path / "planted/one/runtime.toml"
    file.write_text(
        file.read_text().replace("[[variant]]", '[lower_bound]\nspwan = ""\n\n[[variant]]', 1)
    )
    with pytest.raises(UserError, match="lower_bound: unknown workload 'spwan'"):
        load_suite(tmp_path)
